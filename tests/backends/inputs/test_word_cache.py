"""The cache of word forms: the right row for each word, whatever other threads look up at the same time."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from arctag.backends.inputs import WordInputs, word_cache
from arctag.backends.inputs.word_cache import WordCache
from tests.threads import by_threads


def rows(words: list[str]) -> list[list[int]]:
    """The characters of a word: what stands in its row."""
    return [[ord(letter) for letter in word] for word in words]


def batches(thread: int) -> Iterator[list[str]]:
    """Some words that other threads have too, some that are new."""
    for i in range(200):
        yield [*(f"s{(i + k) % 50}" for k in range(8)), *(f"t{thread}n{i}{'x' * k}" for k in range(4))]


@pytest.mark.parametrize("most", [500_000, 40], ids=["growing", "forgetting"])
def test_word_cache_is_right_for_every_thread(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(word_cache, "_MOST_FORMS", most)
    cache = WordCache(rows)

    def work(thread: int) -> int:
        wrong = 0
        for words in batches(thread):
            known = cache.look_up([words])
            values, lengths = known.rows(known.numbers)
            wrong += "".join(map(chr, values)) != "".join(words) or lengths.tolist() != list(map(len, words))
            wrong += not np.array_equal(known.lengths(), lengths)
        return wrong

    assert by_threads(work) == [0] * 8


def test_word_cache_stays_valid_while_others_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_cache, "_MOST_FORMS", 40)
    cache = WordCache(rows)
    known = cache.look_up([["a", "bc"]])
    for words in batches(0):
        cache.look_up([words])
    assert known.rows(known.numbers)[0].tolist() == [ord(c) for c in "abc"]


def test_word_cache_is_not_copied() -> None:
    inputs = WordInputs({"a": 2}, {"a": 2})
    wanted = inputs._cache.look_up([["a", "b"]]).values
    for again in (copy.deepcopy(inputs), pickle.loads(pickle.dumps(inputs))):
        assert again._cache is not inputs._cache
        assert not again._cache._numbers
        np.testing.assert_array_equal(again._cache.look_up([["a", "b"]]).values, wanted)
