"""What `arctag parse` reads: graph files with damage, plain tokens, running text."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from arctag.errors import FormatError
from arctag.formats.streams import Opened
from arctag.formats.tokens import TOKENS
from arctag.parsing import sources
from arctag.parsing.sources import TEXT, Source
from arctag.sentence import Sentence


def sentences(path: Path, reported: list[str] | None = None) -> list[Sentence]:
    source = Source(str(path))
    report = pytest.fail if reported is None else reported.append
    return list(source.origin.sentences(source.chunks(pytest.fail), None, report))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.txt", TEXT), ("a.txt.gz", TEXT), ("a.tok.gz", TOKENS.name), ("a.tokens", TOKENS.name), ("a.sdp", "sdp"),
     ("a.conllu", "conllu"), ("a.conllu.txt", "conllu")],
)  # fmt: skip
def test_sources_format_is_taken_from_the_name(name: str, expected: str) -> None:
    assert Source(name).format == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("# sent_id = 1\n1\ta\n", "conllu"), ("1\tShe\t_\n", "conllu"), ("1-2\tdon't\t_\n", "conllu"),
        ("\ufeff\n# newdoc\n", "conllu"), ("#SDP 2015\n#1\n", "sdp"), ("# A heading\n\nShe left.\n", TEXT),
        ("1 She left.\n", TEXT), ("", TEXT),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_sources_format_is_taken_from_the_beginning(tmp_path: Path, content: str, expected: str, packed: bool) -> None:
    path = tmp_path / "in"
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    source = Source(str(path))
    assert source.format == expected
    source.close()


def test_sources_tokens_are_a_sentence_a_line(tmp_path: Path) -> None:
    path = tmp_path / "in.tok"
    path.write_text("She  sings .\n\n \t\nNo\u00a0way\tout", encoding="utf-8")
    found = sentences(path)
    assert [s.words for s in found] == [["She", "sings", "."], ["No", "way", "out"]]
    assert [s.id for s in found] == ["in-1", "in-4"]


def test_sources_bad_utf8_among_tokens_is_reported_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "in.tok"
    path.write_bytes(b"She sings\nb\xffd words\nYes\n")
    reported: list[str] = []
    found = sentences(path, reported)
    assert len(reported) == 1
    assert ":2: found byte b'\\xff'" in reported[0]
    assert [bool(s.error) for s in found] == [False, True, False]


def test_sources_damaged_sentence_is_reported_and_passed_on(tmp_path: Path, sample: Path) -> None:
    blocks = sample.read_text(encoding="utf-8").split("\n\n")
    path = tmp_path / "in.conllu"
    path.write_text("\n\n".join([blocks[0], "1\tno\tcolumns", blocks[1]]) + "\n\n", encoding="utf-8")
    reported: list[str] = []
    found = sentences(path, reported)
    assert len(reported) == 1
    assert f"{path}:10: found 3 columns" in reported[0]
    assert [bool(s.error) for s in found] == [False, True, False]
    assert found[1].rows == [["1", "no", "columns"]]


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_sources_tokens_without_a_sentence_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "in.tok").write_text(content)
    with pytest.raises(FormatError, match="no sentence"):
        sentences(tmp_path / "in.tok")


def test_sources_empty_text_has_no_chunks(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("\n \n")
    assert not list(Source(str(tmp_path / "in.txt")).chunks(pytest.fail))
    assert not list(Source("text", TEXT, text=" ").chunks(pytest.fail))


@pytest.mark.parametrize("name", ["in.conllu", "in.txt", "in.tok", "in"])
def test_sources_are_opened_once(tmp_path: Path, sample: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_bytes(sample.read_bytes())
    opened: list[str | Path] = []

    class Counted(Opened):
        def __init__(self, path: str | Path) -> None:
            opened.append(path)
            super().__init__(path)

    monkeypatch.setattr(sources, "Opened", Counted)
    source = Source(str(path))
    assert source.format
    assert list(source.chunks(pytest.fail))
    assert source.origin.format == source.format
    assert opened == [str(path)]


def test_sources_chunks_can_be_sent_to_another_process(tmp_path: Path, sample: Path) -> None:
    """There they give the same sentence, and the same complaint."""
    path = tmp_path / "in.conllu"
    path.write_bytes(sample.read_bytes() + b"1\tb\xffd\n\n")
    source = Source(str(path))
    chunks = list(source.chunks(pytest.fail))
    origin, sent = pickle.loads(pickle.dumps((source.origin, chunks)))
    reported: list[str] = []
    here, there = (list(origin.sentences(some, None, reported.append)) for some in (chunks, sent))
    assert [s.rows for s in here] == [s.rows for s in there]
    assert len(reported) == 2
    assert reported[0] == reported[1]
    assert sum(chunk.words for chunk in chunks) == path.read_bytes().count(b"\n")
