"""Ranges: what they cut out of the text is the token."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arctag.parsing.parser import Parser
from arctag.sentence import Row, Sentence
from arctag.serve.routes.token_ranges import with_ranges


def range_of(row: Row) -> slice:
    start, _, end = row[9].rpartition("TokenRange=")[2].partition(":")
    return slice(int(start), int(end))


def test_ranges_of_a_multiword_token_stand_on_its_own_row(tiny: Parser) -> None:
    text = " We  don't\n\nknow\u00a0it. "
    (first, *_), *_ = rows = [s.rows for s in with_ranges(tiny.needed_tokenizer().sentences(text), text)]
    assert first[9] == "TokenRange=1:3"
    marked = [row for some in rows for row in some if row[9] != "_"]
    assert [text[range_of(row)] for row in marked] == [row[1] for row in marked]
    assert "SpaceAfter=No|TokenRange=" in str(rows)


def test_ranges_words_inside_a_token_have_none() -> None:
    blank = ["_"] * 8
    rows = [["1-2", "don't", *blank], ["1", "do", *blank], ["2", "n't", *blank], ["3", "go now", *blank]]
    made = Sentence.from_words(["do", "n't", "go now"])
    (found,) = with_ranges([Sentence(rows, made.graph)], "don't go\n now")
    assert [row[9] for row in found.rows] == ["TokenRange=0:5", "_", "_", "TokenRange=6:13"]


@settings(deadline=None)
@given(text=st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
def test_ranges_fit_any_text(tiny: Parser, text: str) -> None:
    for sentence in with_ranges(tiny.needed_tokenizer().sentences(text), text):
        for row in sentence.rows:
            if row[9] != "_":
                cut = text[range_of(row)]
                assert len("".join(cut.split())) == len("".join(row[1].split()))
                assert cut == cut.strip() != ""
