"""Patterns as text: what they mean, and what is said of those that mean nothing."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import ArctagError
from arctag.search.reading import PatternError, read_pattern
from arctag.search.syntax import CHILD, LATER, NEXT, PATH


def test_reading_a_chain() -> None:
    query = read_pattern("a >nsubj b <<obj@tree [] c .. d")
    assert [link.kind for link in query.links] == [CHILD, PATH, NEXT, LATER]
    assert [(link.head, link.dependent) for link in query.links] == [(0, 1), (2, 1), (2, 3), (3, 4)]
    assert query.links[1].graph == "tree"


def test_reading_a_word_that_is_named() -> None:
    query = read_pattern("v:[upos=VERB] >nsubj []; v >obj []; v !>iobj []")
    assert len(query.nodes) == 4
    assert query.wanted == [0, 1, 2]
    assert [link.head for link in query.links] == [0, 0, 0]


def test_reading_words_that_are_left_out() -> None:
    query = read_pattern(">nsubj")
    assert [node.written for node in query.nodes] == [False, False]
    query = read_pattern("> > cat")
    assert [node.written for node in query.nodes] == [False, False, True]


@pytest.mark.parametrize("text", ["and/or", "e-mail", "10:30", "AT&T", "n't", "...", "naïve", "日本"])
def test_reading_plain_words(text: str) -> None:
    (node,) = read_pattern(text).nodes
    (condition,) = node.conditions
    assert condition.values is not None
    assert condition.values.alternatives[0].text == text


def test_reading_quotes_and_expressions() -> None:
    query = read_pattern(r'[form="say \"no\"" lemma=/a\/b|c/i|x]')
    texts = [
        [(value.text, value.kind, value.flags) for value in one.values.alternatives]
        for one in query.nodes[0].conditions
        if one.values
    ]
    assert texts == [[('say "no"', "quoted", "")], [("a/b|c", "regex", "i"), ("x", "plain", "")]]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("  ", 1, "it is empty; write a word"),
        ("cat ;; dog", 6, "found '; dog'"),
        ("[upos=", 7, "found the end; expected a word"),
        ("[upos=VERB", 11, "] is missing"),
        ("upos=VERB]", 10, "found ']'"),
        ("/a(/", 1, "cannot be used: missing )"),
        (r"/(?<=a)b/", 1, "cannot be used: invalid"),
        ("v:[] v:[]", 6, "v is the name of another word already"),
        ("v >x v:[]", 1, "v is used before it is given a word"),
        ("a !>b c >d e", 9, "the clause must end"),
        ("a:[] !> b:[]; b > c", 20, "cannot be linked to another one"),
        ("[sent_id=x]", 2, "sent_id is about the sentence"),
        ("a " * 11, 22, "more than 10 words"),
        ("a" * 1001, 1000, "it has 1001 characters"),
        ('"open', 1, "found"),
    ],
)
def test_reading_says_what_is_wrong_and_where(text: str, place: int, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        read_pattern(text)
    assert message in str(caught.value)
    assert caught.value.place == place
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@given(st.text(alphabet='ab[]<>!=|;:".@/* vx', max_size=25))
def test_reading_never_fails_otherwise(text: str) -> None:
    try:
        read_pattern(text)
    except ArctagError as error:
        assert "\n" not in str(error)  # noqa: PT017
