"""Arcs in order: the counting sorts against Python's own."""

from __future__ import annotations

import numpy as np
import pytest

from arctag.encodings.sorting import _MANY, sorted_arcs


@pytest.mark.parametrize("most", [0, 1, 3, _MANY, _MANY + 1, 4 * _MANY])
def test_sorting_equals_pythons(most: int) -> None:
    """With few heads a word and with many, which are sorted in another way; repeated arcs are counted."""
    random = np.random.default_rng(most)
    for _ in range(30):
        sizes = random.integers(0, 12, random.integers(1, 6)).astype(np.int32)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        words = np.repeat(np.arange(len(owner)), random.integers(0, most + 1, len(owner)))
        if len(owner) and most:
            words = np.append(words, np.full(most, random.integers(len(owner))))
        words = random.permutation(words).astype(np.int64)
        heads = random.integers(0, 20, len(words)).astype(np.int32)
        repairs = np.zeros(len(sizes), dtype=np.int64)
        starts, found, dependents = sorted_arcs(sizes, words, heads, repairs)
        first = np.cumsum(sizes) - sizes
        given = [(int(owner[w]), int(w - first[owner[w]]) + 1, int(h)) for w, h in zip(words, heads, strict=True)]
        wanted = sorted(set(given))
        sentences = np.repeat(np.arange(len(sizes)), np.diff(starts))
        assert list(zip(sentences.tolist(), dependents.tolist(), found.tolist(), strict=True)) == wanted
        assert repairs.tolist() == [
            sum(s == i for s, _, _ in given) - sum(s == i for s, _, _ in wanted) for i in range(len(sizes))
        ]


def test_sorting_takes_heads_below_zero() -> None:
    """Nothing makes them; but a kernel must not write where it should not."""
    sizes = np.array([1], dtype=np.int32)
    _, heads, _ = sorted_arcs(sizes, np.zeros(40, np.int64), np.arange(-20, 20, dtype=np.int32), np.zeros(1, np.int64))
    assert heads.tolist() == list(range(-20, 20))
