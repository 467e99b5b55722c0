"""What `arctag parse` reads: graph files with damage, plain tokens, running text."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from arctag.errors import FormatError, InputError
from arctag.formats.blocks import Block
from arctag.parsing.sources import TEXT, TOKENS, Source, files_in, find_source, size
from arctag.sentence import Sentence


class Strict:
    """A reader to whom nothing may go wrong."""

    def warn(self, message: str) -> None:
        pytest.fail(message)

    def fail(self, message: str) -> None:
        pytest.fail(message)


def sentences(path: Path, told: list[str] | None = None) -> list[Sentence]:
    source = find_source(str(path))
    report = pytest.fail if told is None else told.append
    return list(source.sentences(source.units(Strict()), None, report))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.txt", TEXT), ("a.txt.gz", TEXT), ("a.tok.gz", TOKENS), ("a.tokens", TOKENS), ("a.sdp", "sdp"),
     ("a.conllu", "conllu")],
)  # fmt: skip
def test_sources_kind_is_taken_from_the_name(name: str, expected: str) -> None:
    assert find_source(name).kind == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("# sent_id = 1\n1\ta\n", "conllu"), ("1\tShe\t_\n", "conllu"), ("1-2\tdon't\t_\n", "conllu"),
        ("\ufeff\n# newdoc\n", "conllu"), ("#SDP 2015\n#1\n", "sdp"), ("# A heading\n\nShe left.\n", TEXT),
        ("1 She left.\n", TEXT), ("", TEXT),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_sources_kind_is_taken_from_the_beginning(tmp_path: Path, content: str, expected: str, packed: bool) -> None:
    path = tmp_path / "in"
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    assert find_source(str(path)).kind == expected


def test_sources_tokens_are_a_sentence_a_line(tmp_path: Path) -> None:
    path = tmp_path / "in.tok"
    path.write_text("She  sings .\n\n \t\nNo\u00a0way\tout", encoding="utf-8")
    found = sentences(path)
    assert [s.words for s in found] == [["She", "sings", "."], ["No", "way", "out"]]
    assert [s.id for s in found] == ["in-1", "in-4"]


def test_sources_bad_utf8_among_tokens_is_told_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "in.tok"
    path.write_bytes(b"She sings\nb\xffd words\nYes\n")
    told: list[str] = []
    found = sentences(path, told)
    assert len(told) == 1
    assert ":2: found byte b'\\xff'" in told[0]
    assert [bool(s.error) for s in found] == [False, True, False]


def test_sources_damaged_sentence_is_told_and_passed_on(tmp_path: Path, sample: Path) -> None:
    blocks = sample.read_text(encoding="utf-8").split("\n\n")
    path = tmp_path / "in.conllu"
    path.write_text("\n\n".join([blocks[0], "1\tno\tcolumns", blocks[1]]) + "\n\n", encoding="utf-8")
    told: list[str] = []
    found = sentences(path, told)
    assert len(told) == 1
    assert f"{path}:10: found 3 columns" in told[0]
    assert [bool(s.error) for s in found] == [False, True, False]
    assert found[1].rows == [["1", "no", "columns"]]


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_sources_tokens_without_a_sentence_are_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "in.tok").write_text(content)
    with pytest.raises(FormatError, match="no sentence"):
        sentences(tmp_path / "in.tok")


def test_sources_empty_text_has_no_units(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text("\n \n")
    assert not list(find_source(str(tmp_path / "in.txt")).units(Strict()))
    assert not list(Source("text", TEXT, given=" ").units(Strict()))


def test_sources_units_can_travel(tmp_path: Path, sample: Path) -> None:
    """A unit that was sent to another process gives the same sentence there, and the same complaint."""
    path = tmp_path / "in.conllu"
    path.write_bytes(sample.read_bytes() + b"1\tb\xffd\n\n")
    source = find_source(str(path))
    units = list(source.units(Strict()))
    sent = [pickle.loads(pickle.dumps(unit)) for unit in units]
    told: list[str] = []
    here, there = (list(source.sentences(some, None, told.append)) for some in (units, sent))
    assert [s.rows for s in here] == [s.rows for s in there]
    assert len(told) == 2
    assert told[0] == told[1]
    assert sum(map(size, units)) == sum(len(unit.lines) for unit in units if isinstance(unit, Block))


def test_sources_files_in_a_folder(tmp_path: Path) -> None:
    for name in ("b.txt", "a.conllu.gz", "deep/c.sdp", ".hidden.txt", "notes.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    assert [str(p.relative_to(tmp_path)) for p in files_in(tmp_path)] == ["a.conllu.gz", "b.txt", "deep/c.sdp"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file to parse"):
        files_in(tmp_path / "empty")
