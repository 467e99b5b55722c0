"""Line breaks that are meant, and those that keep lines short."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.text.chunks import chunks
from arctag.text.line_breaks import meant_breaks

PROSE = (
    "It was a bright cold day in spring, and the clocks of Upper Street were striking. Mrs. Hill, her coat buttoned to "
    "the chin, slipped quickly through the glass doors of the old house, though not quickly enough to keep the wind "
    "out. Inside, it smelt of boiled cabbage. She went for the stairs at once, since the lift had not worked for years."
)


def paragraphs(text: str) -> list[str]:
    return [" ".join(chunk.text.split()) for chunk in chunks([text])]


@pytest.mark.parametrize("width", [50, 72, 80, 100, 120])
def test_line_breaks_of_wrapped_prose_are_not_meant(width: int) -> None:
    assert paragraphs(textwrap.fill(PROSE, width)) == [PROSE]


@pytest.mark.parametrize("width", [72, 100])
def test_line_breaks_a_title_is_a_paragraph(width: int) -> None:
    assert paragraphs(f"A Day in Spring\n{textwrap.fill(PROSE, width)}") == ["A Day in Spring", PROSE]


def test_line_breaks_lines_of_different_lengths_may_be_prose() -> None:
    words, lines, widths = PROSE.split(), [""], [72, 64, 80, 70, 77]
    for word in words:
        if len(lines[-1]) + len(word) > widths[len(lines) % 5]:
            lines.append("")
        lines[-1] += f"{word} "
    assert paragraphs("\n".join(lines)) == [PROSE]


@pytest.mark.parametrize(
    "text",
    [
        "From: Ann Hill\nTo: Bob\nSubject: A day in spring, and what became of it\nDate: 3 May",
        "1. Boil the water.\n2. Wait.\n3. Drink it, if you like tea.",
        "- apples\n- pears and plums\n- a bottle of milk",
        "> Are you there?\n> I am not.",
        "apples\npears\nplums",
        "so tired today\nNobody told me it would rain\nHappy birthday to all who have one!",
        "Ann: Hello!\nBob: Hello, Ann, how are you today, and how is everyone?\nAnn: Fine.",
        PROSE + "\n" + PROSE[:80] + "\n" + PROSE,
    ],
    ids=lambda text: text[:12],
)
def test_line_breaks_between_lines_that_stand_for_themselves_are_meant(text: str) -> None:
    assert paragraphs(text) == text.split("\n")


@pytest.mark.parametrize(
    "text",
    ["I think that we\nshould go now.", "the woods are lovely,\ndark and deep", "- a long item that\n  goes on here"],
)
def test_line_breaks_within_a_sentence_are_not_meant(text: str) -> None:
    assert paragraphs(text) == [" ".join(text.split())]


def test_line_breaks_after_an_item_another_begins() -> None:
    text = "Shopping list\n- apples, pears and\nplums\n- milk"
    assert paragraphs(text) == ["Shopping list", "- apples, pears and plums", "- milk"]


@given(st.text("aB. \n-1:>", max_size=60))
def test_line_breaks_are_found_where_they_are(text: str) -> None:
    text = text.strip()
    assert all(text[at] == "\n" for at in meant_breaks(text))
    assert "".join(" ".join(paragraphs(text)).split()) == "".join(text.split())


def test_line_breaks_number_paragraphs_and_lines() -> None:
    text = f"A Day in Spring\n{textwrap.fill(PROSE, 72)}\n\nThe end"
    found = [(chunk.paragraph, chunk.number, chunk.line) for chunk in chunks([text])]
    assert found == [(1, 1, 1), (2, 1, 2), (3, 1, 2 + len(textwrap.wrap(PROSE, 72)) + 1)]
    assert [(c.paragraph, c.number, c.line) for c in chunks(iter(text))] == found  # letter by letter


def test_line_breaks_of_a_long_list_are_where_its_items_end() -> None:
    """However long it is without a blank line, and however it arrives."""
    items = [f"- {word} {number}" for number in range(2000) for word in ("apples, many of them,", "pears")]
    text = "\n".join(items)
    assert [chunk.text for chunk in chunks([text])] == items
    assert [chunk.text for chunk in chunks(text[at : at + 777] for at in range(0, len(text), 777))] == items
