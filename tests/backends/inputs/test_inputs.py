"""Sentences as arrays: words by number, subwords in windows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.backends.inputs import INPUTS, Inputs, SubwordInputs, Tokens, WordInputs, word_cache
from arctag.backends.inputs.layout import layout
from arctag.backends.inputs.subwords import Pooling, SubwordSettings
from arctag.backends.inputs.words import UNKNOWN
from arctag.errors import InputError

CLS, SEP = 1, 2


def settings(window: int, pooling: Pooling = "mean") -> SubwordSettings:
    return SubwordSettings(window=window, pooling=pooling, prefix=[CLS], suffix=[SEP], pad=0, unknown=0)


def subwords(window: int, pooling: Pooling = "mean") -> SubwordInputs:
    """A tokenizer that gives a word as many subwords as it has letters, each its letter's number."""
    return SubwordInputs(lambda words: [[ord(c) for c in word] for word in words], settings(window, pooling))


def word_inputs() -> WordInputs:
    sentences = [Tokens(["The", "the", "cat"], ["DET", "DET", "NOUN"]), Tokens(["cat", "Sat"], ["NOUN", "VERB"])]
    return WordInputs.build(sentences, chars=True, tags=True, min_count=2)


def test_inputs_layout_says_where_words_stand() -> None:
    found = layout([2, 0, 3])
    assert found["owner"].tolist() == [0, 0, 2, 2, 2]
    assert found["places"].tolist() == [0, 1, 6, 7, 8]


def test_inputs_words_are_numbered_without_case() -> None:
    found = word_inputs()
    assert found.words == {"cat": 2, "the": 3}
    arrays = found.arrays([Tokens(["THE", "sat", "cat"], ["DET", "X", "NOUN"])])
    assert arrays["words"].tolist() == [3, UNKNOWN, 2]
    assert arrays["tags"].tolist() == [found.tags["DET"], UNKNOWN, found.tags["NOUN"]]


def test_inputs_characters_are_those_of_each_word() -> None:
    found = word_inputs()
    arrays = found.arrays([Tokens(["cat", "The"], ["", ""]), Tokens(["cat"], [""])])
    rows = arrays["chars"][arrays["types"]]
    lengths = arrays["char_lengths"][arrays["types"]]
    names = {number: name for name, number in found.chars.items()}
    texts = ["".join(names[c] for c in row[:n]) for row, n in zip(rows.tolist(), lengths.tolist(), strict=True)]
    assert texts == ["cat", "The", "cat"]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=6), min_size=1, max_size=5))
def test_inputs_each_form_of_a_batch_is_read_once_as_it_first_occurs(sentences: list[list[str]]) -> None:
    inputs = WordInputs.build([Tokens("abcdefgh", "abcdefgh")], chars=True, tags=True, min_count=1)
    inputs.arrays([Tokens("hgfedcba", "hgfedcba")])  # numbered in another order
    arrays = inputs.arrays([Tokens(words, ["?" if word == "h" else word for word in words]) for words in sentences])
    words = [word for sentence in sentences for word in sentence]
    assert arrays["types"].tolist() == [list(dict.fromkeys(words)).index(word) for word in words]
    assert arrays["chars"][:, 0].tolist() == [inputs.chars[word] for word in dict.fromkeys(words)]
    assert arrays["tags"].tolist() == [UNKNOWN if word == "h" else inputs.tags[word] for word in words]


def test_inputs_very_long_words_are_read_at_both_ends() -> None:
    found = WordInputs.build([Tokens(["ab"])], chars=True, tags=False)
    arrays = found.arrays([Tokens(["a" * 1000 + "b" * 1000])])
    assert arrays["chars"].shape == (1, 40)
    assert arrays["chars"][0].tolist() == [found.chars["a"]] * 20 + [found.chars["b"]] * 20


def test_inputs_extra_words_are_known() -> None:
    found = WordInputs.build([Tokens(["a", "a"])], chars=False, tags=False, extra=["a", "zebra"])
    assert found.words == {"a": 2, "zebra": 3}
    assert set(found.arrays([Tokens(["a"])])) == {*layout([1]), "words"}


@pytest.mark.parametrize("make", [word_inputs, lambda: subwords(10)], ids=["words", "subwords"])
def test_inputs_cache_of_forms_is_bounded_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], WordInputs | SubwordInputs]
) -> None:
    monkeypatch.setattr(word_cache, "_MOST_FORMS", 3)
    found = make()
    for start in range(0, 40, 4):
        words = [f"w{i}" for i in range(start, start + 4)] + ["the", "w0"]
        tokens = [Tokens(words, [""] * 6)]
        fresh = make().arrays(tokens)
        for name, array in found.arrays(tokens).items():
            np.testing.assert_array_equal(array, fresh[name])
    assert len(found._cache._numbers) <= 9


def test_inputs_a_tokenizer_that_loses_a_word_is_a_fault() -> None:
    with pytest.raises(ValueError, match="shorter than"):
        SubwordInputs(lambda words: [[5]], settings(10)).arrays([Tokens(["a", "b"])])


def test_inputs_words_survive_json() -> None:
    found = word_inputs()
    value = json.loads(json.dumps(found.to_json()))
    assert INPUTS[value["kind"]].load(value, Path()) == found
    assert found.table_sizes() == {"words": 4, "chars": len(found.chars) + 2, "tags": 5}


@pytest.mark.parametrize("words", [5, "abc", {"a": 1}, ["a", "a"], None])
def test_inputs_damaged_json_is_refused(words: Any) -> None:
    with pytest.raises(InputError, match=r"inputs\.json: words: found "):
        WordInputs.load({"words": words, "chars": [], "tags": []}, Path())


@given(
    st.lists(st.lists(st.integers(1, 12).map("a".__mul__), max_size=30), min_size=1, max_size=4),
    st.integers(3, 16),
)
def test_inputs_every_word_has_its_subwords_in_some_window(sentences: list[list[str]], limit: int) -> None:
    split = subwords(limit)
    arrays = split.arrays([Tokens(words) for words in sentences])
    flat = arrays["subwords"].ravel()
    words = [word for sentence in sentences for word in sentence]
    assert arrays["subwords"].shape[1] <= limit or not words
    assert len(arrays["first"]) == len(arrays["last"]) == len(words)
    for word, first, last in zip(words, arrays["first"].tolist(), arrays["last"].tolist(), strict=True):
        assert flat[first : last + 1].tolist() == [ord("a")] * min(len(word), limit - 2)
    assert (arrays["mask"] == (arrays["subwords"] != 0)).all()
    for window in arrays["subwords"]:
        kept = window[window != 0]
        assert kept[0] == CLS
        assert kept[-1] == SEP


def test_inputs_windows_overlap_and_words_stand_in_their_middle() -> None:
    split = subwords(12, "first")
    words = [chr(100 + i) for i in range(40)]
    arrays = split.arrays([Tokens(words)])
    width = arrays["subwords"].shape[1]
    place = arrays["first"] % width - 1
    assert len(arrays["subwords"]) > 4
    assert (place[5:-5] >= 2).all()
    assert (place[5:-5] <= 7).all()
    assert arrays["subwords"].ravel()[arrays["first"]].tolist() == [ord(w) for w in words]
    assert "last" not in arrays


def test_inputs_a_sentence_s_windows_do_not_depend_on_its_company() -> None:
    split = subwords(8)
    long, short = Tokens(list("abcdefghijklmnop")), Tokens(["xy", "z"])
    alone, together = split.arrays([long]), split.arrays([short, long])
    count = len(alone["subwords"])
    assert np.array_equal(together["subwords"][-count:], alone["subwords"])
    assert split.costs([short, short]) == [3, 3]


def test_inputs_arrays_do_not_depend_on_what_was_seen_before() -> None:
    fresh, used = word_inputs(), word_inputs()
    used.arrays([Tokens(["sat", "cat", "zebra"], [""] * 3)])
    batch = [Tokens(["the", "cat", "sat"], ["DET", "NOUN", "VERB"]), Tokens(["zebra", "cat"], ["NOUN", "NOUN"])]
    one, other = fresh.arrays(batch), used.arrays(batch)
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("make", [word_inputs, lambda: subwords(10)], ids=["words", "subwords"])
def test_inputs_copies_have_a_cache_of_their_own(make: Callable[[], Inputs]) -> None:
    found = make()
    batch = [Tokens(["the", "cat"], ["DET", "NOUN"])]
    again = found.copy()
    assert again == found
    assert again._cache is not found._cache  # type: ignore[attr-defined]
    assert all(np.array_equal(array, again.arrays(batch)[name]) for name, array in found.arrays(batch).items())


def test_inputs_check_the_tables_of_the_network() -> None:
    word_inputs().check({"words": 4, "chars": len(word_inputs().chars) + 2, "tags": 5, "word_size": 8})
    subwords(10).check({"config": {}, "pooling": "mean"})
    with pytest.raises(ValueError, match=r"inputs\.json has 4 words, config\.json 5"):
        word_inputs().check({"words": 5})
    with pytest.raises(ValueError, match=r"inputs\.json has subwords, config\.json 5 words"):
        subwords(10).check({"words": 5})
