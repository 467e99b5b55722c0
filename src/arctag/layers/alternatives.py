"""The label sequences of a batch: the best labels of each sentence, and some with the second labels of doubtful words.

They are decoded all at once, like the sentences of a larger batch.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import offsets_of
from arctag.graph import BoolArray, IntArray

Longs = npt.NDArray[np.int64]


def label_sequences(best: Longs, second: Longs, doubtful: BoolArray, sizes: IntArray, most: int) -> tuple[Longs, Longs]:
    """The sentence of each sequence, and the label numbers [words of all sequences, groups].

    First come the best labels of every sentence. Then, for a sentence with doubtful words, up to `most` sequences in
    which these take turns to have their second label.
    """
    everything = np.arange(len(sizes))
    if not most or not doubtful.any():
        return everything, best
    first = offsets_of(sizes)[:-1]
    before = offsets_of(doubtful)
    turn = (before[:-1] - np.repeat(before[first], sizes)) % most  # of a doubtful word, among those of its sentence
    doubts = np.diff(before[offsets_of(sizes)])
    later = [np.flatnonzero(doubts > k) for k in range(most)]
    sentences = np.concatenate([everything, *later])
    turns = np.repeat(np.arange(-1, most), [len(everything), *map(len, later)])  # -1: no word's
    lengths = sizes[sentences]
    ends = offsets_of(lengths)
    words = np.repeat(first[sentences] - ends[:-1], lengths) + np.arange(ends[-1])
    turn[~doubtful] = most  # no word's either
    changed = np.flatnonzero(turn.take(words) == np.repeat(turns, lengths))
    ids = best.take(words, axis=0)
    ids[changed] = second.take(words.take(changed), axis=0)
    return sentences, ids
