"""Label sequences: the best one of each sentence, then those in which doubtful words take turns. A slow oracle."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arctag.layers.alternatives import label_sequences


def slow(best: list[int], second: list[int], doubtful: list[bool], sizes: list[int], most: int) -> list[list[int]]:
    """Sentence by sentence, and the sequences of each as [sentence, label, label, …]."""
    found, later, start = [], [], 0
    for s, n in enumerate(sizes):
        words = range(start, start + n)
        start += n
        found.append([s, *(best[w] for w in words)])
        doubts = [w for w in words if doubtful[w]]
        for k in range(min(most, len(doubts))):
            changed = doubts[k::most]
            later.append((k, [s, *(second[w] if w in changed else best[w] for w in words)]))
    return found + [sequence for _, sequence in sorted(later, key=lambda pair: pair[0])]  # a stable sort


@given(st.lists(st.lists(st.booleans(), max_size=6), max_size=5), st.integers(0, 4))
def test_sequences_as_the_slow_way(doubtful: list[list[bool]], most: int) -> None:
    sizes = [len(part) for part in doubtful]
    flat = [mark for part in doubtful for mark in part]
    best, second = [2 * i for i in range(len(flat))], [2 * i + 1 for i in range(len(flat))]
    sentences, ids = label_sequences(
        np.array(best, np.int64).reshape(-1, 1), np.array(second, np.int64).reshape(-1, 1),
        np.array(flat, np.bool_), np.array(sizes, np.int32), most,
    )  # fmt: skip
    ends = np.cumsum([sizes[s] for s in sentences]).tolist()
    fast = [[int(s), *ids[a:b, 0].tolist()] for s, a, b in zip(sentences, [0, *ends], ends, strict=False)]
    assert fast == slow(best, second, flat, sizes, most)
    assert len(ids) == (ends[-1] if ends else 0)


def test_sequences_all_groups_of_a_factored_label_go_together() -> None:
    best, second = np.array([[1, 2], [3, 4]]), np.array([[1, 9], [8, 4]])
    sentences, ids = label_sequences(best, second, np.array([True, False]), np.array([2], np.int32), 4)
    assert sentences.tolist() == [0, 0]
    assert ids.tolist() == [[1, 2], [3, 4], [1, 9], [3, 4]]
