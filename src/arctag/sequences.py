"""The label sequences of a batch: the best labels of each sentence, and some with the second labels of doubtful words.

They are decoded all at once, like the sentences of a larger batch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.encodings.kernel import kernel
from arctag.graph import BoolArray, IntArray

Longs = npt.NDArray[np.int64]


@kernel
def _doubts(doubtful: BoolArray, sizes: IntArray, most: int) -> Longs:
    """How many words of each sentence are doubtful, counted up to `most`."""
    doubts = np.zeros(len(sizes), dtype=np.int64)
    word = 0
    for s in range(len(sizes)):
        for _ in range(sizes[s]):
            if doubtful[word] and doubts[s] < most:
                doubts[s] += 1
            word += 1
    return doubts


@kernel
def _fill(
    best: Longs, second: Longs, doubtful: BoolArray, sizes: IntArray, doubts: Longs, sentences: Longs, ids: Longs
) -> None:
    """Write the sequences behind the best ones: in the k-th of a sentence, each doubtful word whose turn is k."""
    groups = best.shape[1]
    sequence, row = len(sizes), len(best)
    most = doubts.max() if len(doubts) else 0
    for k in range(most):
        word = 0
        for s in range(len(sizes)):
            if doubts[s] <= k:
                word += sizes[s]
                continue
            sentences[sequence] = s
            sequence += 1
            turn = 0
            for _ in range(sizes[s]):
                changed = doubtful[word] and turn == k
                if doubtful[word]:
                    turn = turn + 1 if turn + 1 < most else 0
                for g in range(groups):
                    ids[row, g] = second[word, g] if changed else best[word, g]
                word += 1
                row += 1


def label_sequences(best: Longs, second: Longs, doubtful: BoolArray, sizes: IntArray, most: int) -> tuple[Longs, Longs]:
    """The sentence of each sequence, and the label numbers [words of all sequences, groups].

    First come the best labels of every sentence. Then, for a sentence with doubtful words, up to `most` sequences in
    which these take turns to have their second label.
    """
    everything = np.arange(len(sizes))
    doubts = _doubts(doubtful, sizes, most)
    if not doubts.any():
        return everything, best
    sentences = np.empty(len(sizes) + doubts.sum(), dtype=np.int64)
    ids = np.empty((len(best) + int((doubts * sizes).sum()), best.shape[1]), dtype=np.int64)
    sentences[: len(sizes)], ids[: len(best)] = everything, best
    _fill(np.ascontiguousarray(best), np.ascontiguousarray(second), doubtful, sizes, doubts, sentences, ids)
    return sentences, ids
