"""Very long sentences: a network reads them in overlapping windows, whose words are then put together again.

This bounds what a sentence needs: memory in every layer, and a step of a BiLSTM for each word. Words that are hundreds
of others away tell a network nothing; arcs may still join any two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from arctag.backends.inputs.protocol import Inputs, Tokens
from arctag.layers.types import Arrays, Longs

LONGEST = 1_024
"""The most words of a sentence that is read in one go."""
_WINDOW, _MARGIN = 128, 16  # words of a window, and those at either end that only give context
_AT_A_TIME = 8_192  # words, about


class Prepared(NamedTuple):
    """A batch as the arrays that a network reads, one part after another; a single part, unless sentences are long."""

    lengths: Longs
    """The words of each sentence."""
    parts: list[Arrays]
    kept: list[Longs]
    """Of each part, the words that are not context, numbered from 0; empty for a single part, of which all are kept."""


def prepare(inputs: Inputs, batch: Sequence[Tokens]) -> Prepared:
    """The arrays of a batch."""
    lengths = np.array([len(tokens.words) for tokens in batch], dtype=np.int64)
    if lengths.max(initial=0) <= LONGEST:
        return Prepared(lengths, [inputs.arrays(batch)], [])
    parts = list(_parts(batch))
    return Prepared(lengths, [inputs.arrays(tokens) for tokens, _ in parts], [kept for _, kept in parts])


def windows(count: int) -> Iterator[tuple[int, int, int, int]]:
    """The windows of a sentence: the start of each, the words to keep (first, last), the end."""
    if count <= LONGEST:
        yield 0, 0, count, count
        return
    step = _WINDOW - 2 * _MARGIN
    for first in range(0, count, step):
        last = min(first + step, count)
        yield max(0, first - _MARGIN), first, last, min(last + _MARGIN, count)


def _parts(batch: Sequence[Tokens]) -> Iterator[tuple[list[Tokens], Longs]]:
    """Sentences and windows to be read together, and the words of them to keep."""
    some: list[Tokens] = []
    kept: list[Longs] = []
    words = 0
    for tokens in batch:
        for start, first, last, stop in windows(len(tokens.words)):
            some.append(Tokens(tokens.words[start:stop], tokens.tags[start:stop]))
            kept.append(np.arange(first - start, last - start) + words)
            words += stop - start
            if words >= _AT_A_TIME:
                yield some, np.concatenate(kept)
                some, kept, words = [], [], 0
    if some:
        yield some, np.concatenate(kept)
