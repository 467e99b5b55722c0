"""Places of words among the nodes of a sentence: files count words, tables count nodes, and some of those are empty."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arctag.cells import Bytes, Flags, Longs, Positions, Spans
from arctag.encodings.labels import offsets_of
from arctag.kernel import kernel

_DOT = 46


class Places(NamedTuple):
    """The nodes of many sentences."""

    nodes: Longs
    """Where the nodes of each sentence begin."""
    words: Longs
    """Where the words of each sentence begin."""
    is_word: Flags
    """Of each node, whether it is a word."""

    @classmethod
    def of(cls, nodes: Longs, ids: Spans) -> Places:
        """Of nodes with these ids."""
        is_word = _are_words(*ids)
        return cls(nodes, offsets_of(is_word)[nodes], is_word)

    @property
    def alike(self) -> bool:
        """Whether there are no empty nodes, so that words and nodes have the same numbers."""
        return bool(self.words[-1] == self.nodes[-1])

    @property
    def owners(self) -> Longs:
        """The sentence of each node."""
        return np.repeat(np.arange(len(self.nodes) - 1), np.diff(self.nodes))

    def of_words(self, owners: Longs, words: Longs) -> Longs:
        """The places of words, counted from 1 in their sentences; 0 and less stay as they are."""
        if self.alike:
            return words
        nodes = np.flatnonzero(self.is_word)
        found = nodes[np.where(words > 0, self.words[owners] + words - 1, 0)] - self.nodes[owners] + 1
        return np.where(words > 0, found, words)

    def words_at(self, owners: Longs, places: Longs) -> Longs:
        """The reverse: the numbers of the words at some places."""
        if self.alike:
            return places
        before = offsets_of(self.is_word)
        found = before[np.where(places > 0, self.nodes[owners] + places, 0)] - self.words[owners]
        return np.where(places > 0, found, places)


@kernel
def _are_words(data: Bytes, starts: Positions, ends: Positions) -> Flags:
    out = np.ones(len(starts), dtype=np.bool_)
    for i in range(len(starts)):
        for k in range(starts[i], ends[i]):
            if data[k] == _DOT:
                out[i] = False
                break
    return out
