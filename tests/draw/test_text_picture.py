from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.draw import text
from arctag.draw.measure import cells
from arctag.formats import read
from arctag.graph import Graph
from arctag.sentence import Sentence
from tests.draw.pictured import ALL, ARABIC, CHINESE, CYCLIC, ELLIPSIS, HOSTILE, SIMPLE, UNJOINED, long_sentence
from tests.strategies import sentences

_COLOUR = re.compile("\x1b\\[[0-9]+m")


def test_text_picture_draws_across() -> None:
    assert text(SIMPLE) == (
        "           root\n"
        " ╭───────────┼nsubj:xsubj─────╮\n"
        " │           │ ╭─────punct────┼───╮\n"
        " │           │ │ ╭─xcomp────╮ │   │\n"
        " │ ╭nsubj──╮ │ │ │  ╭mark─╮ │ │   │\n"
        " ▼ ▼       │ ▼ │ │  ▼     │ ▼ │   ▼\n"
        " She        wants  to     leave   .\n"
    )


def test_text_picture_draws_down_where_it_does_not_fit() -> None:
    assert text(SIMPLE, width=40) == text(SIMPLE)
    assert text(CYCLIC, width=58) != text(CYCLIC)
    assert text(SIMPLE, width=32).splitlines()[0].endswith("1 She    ←nsubj 2")


def test_text_picture_shows_tags_and_lemmas_where_there_is_room(sample: Path) -> None:
    sentence = next(iter(read(sample)))
    assert text(sentence) == (
        "                  root\n"
        "  ╭det──╮ ╭nsubj──╮ │ ╭punct──╮\n"
        "  ▼     │ ▼       │ ▼ │       ▼\n"
        " The  kettle      sings       .\n"
        " DET   NOUN       VERB      PUNCT\n"
        " the  kettle      sing        .\n"
    )
    assert text(sentence, width=36).endswith("     .\n")
    assert text(sentence, width=33).endswith("  sings       .\n")  # the arcs come first
    assert text(sentence, width=30).splitlines()[1].endswith("2 kettle  ←nsubj 3")
    assert text(sentence, tags=False).endswith("  sings       .\n")
    line = next(line for line in text(long_tagged(), width=80).splitlines() if " word7 " in line)
    assert re.search(r" 8 word7   NOUN  lemma7   ←", line)


def long_tagged() -> Sentence:
    """A sentence that is drawn down, with tags and lemmas."""
    sentence = long_sentence(20)
    return sentence.with_columns({2: [f"lemma{i}" for i in range(20)], 3: ["NOUN"] * 20})


def test_text_picture_names_every_head_when_drawn_down() -> None:
    picture = text(CYCLIC, width=60)
    for arc in CYCLIC.graph:
        assert re.search(rf"←{re.escape(' + '.join(arc.relations))} {arc.head}\b", picture)


@pytest.mark.parametrize("sentence", ALL, ids=lambda sentence: sentence.id)
@pytest.mark.parametrize("width", [20, 40, 70, 200])
def test_text_picture_fits_the_width(sentence: Sentence, width: int) -> None:
    for options in ({}, {"encoding": "ascii"}, {"colour": True}, {"direction": "rtl"}):
        picture = text(sentence, width=width, **options)
        assert max(cells(_COLOUR.sub("", line)) for line in picture.splitlines()) <= width


@given(sentences(), st.integers(12, 90))
def test_text_picture_of_any_sentence_fits_and_is_whole(sentence: Sentence, width: int) -> None:
    picture = text(sentence, width=width)
    assert max(map(cells, picture.splitlines())) <= max(width, 12)
    letters = picture.replace("\n", "").replace(" ", "")
    assert all(char in letters for word in sentence.words for char in word if not char.isspace())


def test_text_picture_of_real_sentences_fits(shared: Path) -> None:
    for number, sentence in enumerate(read(shared / "data" / "en_ewt" / "dev.conllu")):
        if number == 60:
            break
        assert max(map(cells, text(sentence, width=80).splitlines())) <= 80


def test_text_picture_aligns_wide_words_with_their_arrows() -> None:
    *_, arrows, words = text(CHINESE).splitlines()
    column, covered = 0, set()
    for char in words:
        covered |= set(range(column, column + cells(char))) if char != " " else set()
        column += cells(char)
    assert {i for i, char in enumerate(arrows) if char == "▼"} <= covered


def test_text_picture_shows_nothing_a_terminal_would_obey() -> None:
    for width in (20, 200):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text(HOSTILE, width=width))


def test_text_picture_keeps_right_to_left_words_in_place() -> None:
    assert "\u200eذهب\u200e" in text(ARABIC)
    assert "\u200e" not in text(SIMPLE)


def test_text_picture_falls_back_to_ascii() -> None:
    for sentence in ALL:
        assert text(sentence, encoding="ascii").isascii()
    assert "+nsubj--+" in text(SIMPLE, encoding="ascii")
    assert "\\u6211" in text(CHINESE, encoding="latin-1")


def test_text_picture_colours_only_when_asked() -> None:
    assert "\x1b" not in text(CYCLIC)
    for width in (60, 100):
        coloured = text(CYCLIC, colour=True, width=width)
        assert "\x1b[94m" in coloured
        assert _COLOUR.sub("", coloured) == text(CYCLIC, width=width)


def test_text_picture_puts_empty_nodes_in_brackets() -> None:
    assert "[left]" in text(ELLIPSIS)
    assert "1.1 [left]" in text(ELLIPSIS, width=20)


def test_text_picture_against_gold_marks_differences_in_text() -> None:
    predicted = SIMPLE.with_graph(Graph(5, [(0, 2, "root"), (2, 1, "obj"), (4, 5, "punct")]))
    for width in (30, 100):
        picture = text(predicted, against=SIMPLE, width=width)
        for shown in ("−nsubj +obj", "−xcomp", "+punct", "extra: only predicted"):
            assert shown in picture


def test_text_picture_without_arcs_is_the_words() -> None:
    assert text(UNJOINED) == "no  arcs\n"


def test_text_picture_of_a_long_sentence_is_whole() -> None:
    sentence = long_sentence(2000)
    picture = text(sentence, width=80)
    assert all(f" {word} " in picture for word in sentence.words)


@pytest.mark.parametrize("mark", ["\N{COMBINING ACUTE ACCENT}", "\N{SAMARITAN MARK IN}", "\N{ZERO WIDTH JOINER}"])
def test_text_picture_shows_a_mark_without_a_letter(mark: str) -> None:
    (line,) = text(Sentence.from_words([mark])).splitlines()
    assert line.strip() == f"\N{DOTTED CIRCLE}{mark}"
