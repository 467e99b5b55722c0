"""Abbreviations: learned from sentences, and put right where a tokenizer cut them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.text.abbreviations import Abbreviations
from arctag.text.corrections import corrected
from arctag.text.tokens import Token

KNOWN = Abbreviations(frozenset({"Mr.", "Inc.", "U.K."}), frozenset({"Mr."}))


def cut(marked: str) -> tuple[str, list[list[Token]]]:
    """`Mr |. || Hill`: a text, its tokens and its sentences."""
    text, sentences, start = "", list[list[Token]]([[]]), 0
    for part in re.findall(r"\|\|?|[^|]+", marked):
        if part == "||":
            sentences.append([])
        elif part != "|":
            for word in re.finditer(r"\S+", part):
                start = len(text) + word.start()
                sentences[-1].append(Token(start, len(text) + word.end()))
            text += part
    return text, sentences


def shown(text: str, sentences: list[list[Token]]) -> list[list[str]]:
    return [[text[token.start : token.end] for token in tokens] for tokens in sentences]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("Mr|. || Hill sings|.", [["Mr.", "Hill", "sings", "."]]),
        ("Apple Inc|. || He left|.", [["Apple", "Inc."], ["He", "left", "."]]),
        ("Apple Inc|. || said so|.", [["Apple", "Inc.", "said", "so", "."]]),
        ("the U.K.'s sea", [["the", "U.K.", "'s", "sea"]]),
        ("the U.K.’s sea", [["the", "U.K.", "’s", "sea"]]),
        ("He sings|. || Then", [["He", "sings", "."], ["Then"]]),
        ("Mr .", [["Mr", "."]]),  # a space between them
        (".", [["."]]),
    ],
)
def test_abbreviations_have_their_stops(marked: str, expected: list[list[str]]) -> None:
    text, sentences = cut(marked)
    assert shown(text, KNOWN.corrected(text, sentences)) == expected


def test_abbreviations_are_learned() -> None:
    sentences = [
        *[["Mr.", "Hill", "sings", "."]] * 9,
        *[["Apple", "Inc."]] * 3,
        *[["at", "Apple", "Inc.", "today", "."]] * 3,
        *[["No.", "5"], ["No", "."]] * 4,  # as often without a stop of its own
        *[["etc.", "and"]] * 2,  # too few to tell
        ["...", "."],
    ]
    learned = Abbreviations.learn(sentences)
    assert learned.all == {"Mr.", "Inc."}
    assert learned.inside == {"Mr."}


@given(st.text("MrInc.UK'|! ", max_size=40))
def test_abbreviations_lose_no_character(marked: str) -> None:
    text, sentences = cut(marked)
    sentences = [tokens for tokens in sentences if tokens]
    for done in (KNOWN.corrected(text, sentences), corrected(text, sentences)):
        tokens = [token for some in done for token in some]
        assert "".join(text[token.start : token.end] for token in tokens) == "".join(text.split())
        assert all(done)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("See https://example.com/a. || Then", [["See", "https://example.com/a", "."], ["Then"]]),
        ("(www.a.org).", [["(www.a.org)."]]),
        ("www.a.org).", [["www.a.org", ")", "."]]),
        ("https://a.org/b_(c)", [["https://a.org/b_(c)"]]),
        ("mailto:a, b", [["mailto:a,", "b"]]),
        ("• || First item || Second", [["•", "First", "item"], ["Second"]]),
        ("> || quoted", [[">", "quoted"]]),
        ("Stop || -", [["Stop"], ["-"]]),
        ("A - B", [["A", "-", "B"]]),
        ("____ || Below", [["____"], ["Below"]]),
    ],
)
def test_corrections(marked: str, expected: list[list[str]]) -> None:
    text, sentences = cut(marked)
    assert shown(text, corrected(text, sentences)) == expected
