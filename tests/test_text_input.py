"""What `arctag parse` reads: graph files with damage, and plain tokens."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag.errors import FormatError
from arctag.text_input import TOKENS, read_any, read_tokens, sniff_input


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.txt", TOKENS), ("a.tok.gz", TOKENS), ("a.tokens", TOKENS), ("a.sdp", "sdp"), ("a.conllu", "conllu")],
)
def test_text_input_format_is_taken_from_the_name(name: str, expected: str) -> None:
    assert sniff_input(name) == expected


def test_text_input_tokens_are_a_sentence_a_line(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("She  sings .\n\n \t\nNo\u00a0way\tout", encoding="utf-8")
    found = list(read_any(path, None, pytest.fail))
    assert [s.words for s in found] == [["She", "sings", "."], ["No", "way", "out"]]
    assert [s.id for s in found] == ["in-1", "in-4"]


def test_text_input_bad_utf8_among_tokens_is_told_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_bytes(b"She sings\nb\xffd words\nYes\n")
    told: list[str] = []
    found = list(read_any(path, None, told.append))
    assert len(told) == 1
    assert ":2: found byte b'\\xff'" in told[0]
    assert ["broken" in s.extra for s in found] == [False, True, False]
    with pytest.raises(FormatError):
        list(read_tokens(path))


def test_text_input_damaged_sentence_is_told_and_passed_on(tmp_path: Path, sample: Path) -> None:
    blocks = sample.read_text(encoding="utf-8").split("\n\n")
    path = tmp_path / "in.conllu"
    path.write_text("\n\n".join([blocks[0], "1\tno\tcolumns", blocks[1]]) + "\n\n", encoding="utf-8")
    told: list[str] = []
    found = list(read_any(path, None, told.append))
    assert len(told) == 1
    assert f"{path}:10: found 3 columns" in told[0]
    assert ["broken" in s.extra for s in found] == [False, True, False]
    assert found[1].rows == [["1", "no", "columns"]]


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_text_input_without_a_sentence_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "in.txt").write_text(content)
    with pytest.raises(FormatError, match="no sentence"):
        list(read_any(tmp_path / "in.txt", None, pytest.fail))
