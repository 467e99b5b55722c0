"""Files of tokens: the sentences of their lines, however many of them are read together."""

from __future__ import annotations

from pathlib import Path

import pytest

from arctag.errors import FormatError, InputError
from arctag.formats import tokens
from arctag.formats.lines import Line
from arctag.formats.tokens import TOKENS
from arctag.sentence import Sentence


@pytest.mark.parametrize("together", [1, 2, 1_024])
def test_tokens_are_the_words_of_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    monkeypatch.setattr(tokens, "_TOGETHER", together)
    path = tmp_path / "in.tok"
    path.write_bytes("# 1\n\né #\n".encode() + b"b\xff d\n1 \\ _")
    reported: list[FormatError] = []
    found = list(TOKENS.sentences(TOKENS.chunks(path, tolerant=True), on_error=reported.append))
    wanted = [
        Sentence.from_words(["#", "1"], sent_id="in-1"),
        Sentence.from_words(["é", "#"], sent_id="in-3"),
        Sentence.from_words(["b\udcff", "d"], sent_id="in-4"),
        Sentence.from_words(["1", "\\", "_"], sent_id="in-5"),
    ]
    assert [(s.rows, s.comments, s.id, s.source, s.blanks, s.edited, s.graph) for s in found] == [
        (s.rows, s.comments, s.id, s.source, s.blanks, s.edited, s.graph) for s in wanted
    ]
    assert [s.error for s in found] == ["", "", str(reported[0]), ""]


def test_tokens_in_a_file_whose_name_has_a_line_break_are_refused() -> None:
    with pytest.raises(InputError, match="holds a line break"):
        list(TOKENS.sentences([Line("a\nb.tok", 1, "x y")]))
