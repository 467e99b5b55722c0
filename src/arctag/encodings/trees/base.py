"""`TreeEncoding`: what the encodings for trees have in common.

A tree is an array of heads, one for each word; 0 is the root, an ordinary node to the left of the first word. Any
number of words may be below it.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, Encoding
from arctag.encodings.labels import Arcs, Labels, offsets_of
from arctag.encodings.trees.repair import repaired
from arctag.errors import InputError
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

NO_HEAD = -1
"""In place of a head: the labels give none."""
Repairs = npt.NDArray[np.int64]


class NotATree(InputError):
    """A graph that is no tree was given to an encoding for trees."""

    def __init__(self, sentence: int, what: str, message: str = "") -> None:
        super().__init__(message or f"sentence {sentence + 1} is no tree: {what}")
        self.sentence = sentence
        """Its number in the batch, from 0."""
        self.what = what

    def named(self, name: str) -> NotATree:
        """The error for users, who know the sentence by this name."""
        return NotATree(self.sentence, self.what, f"{name}: no tree, and this encoding is for trees only: {self.what}")


class TreeEncoding(Encoding):
    """An encoding of trees. Each arc comes back, or the word has another head: see `covers`."""

    trees_only = True

    @abstractmethod
    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        """One label row per word, from the head of each."""

    @abstractmethod
    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        """The head of each word, `NO_HEAD` where there is none, and the repairs of each sentence; perhaps no tree."""

    def encode_all(self, arcs: Arcs) -> Labels:
        return self.encode_trees(arcs.sizes, tree_heads(arcs))

    def decode_all(self, labels: Labels) -> DecodedBatch:
        heads, repairs = self.decode_heads(labels)
        heads = repaired(labels.sizes, heads, repairs)
        return DecodedBatch(as_arcs(labels.sizes, heads), repairs)

    def covers_all(self, arcs: Arcs) -> BoolArray:
        covered: BoolArray = self.decode_all(self.encode_all(arcs)).arcs.heads == arcs.heads
        return covered


def tree_heads(arcs: Arcs) -> IntArray:
    """The head of each word; `NotATree` where a word has none or several, or where heads run in a circle."""
    words = np.repeat(offsets_of(arcs.sizes)[:-1], np.diff(arcs.starts)) + arcs.dependents - 1
    counts = np.bincount(words, minlength=int(arcs.sizes.sum()))
    if np.any(counts != 1):
        word = int(np.argmax(counts != 1))
        heads = arcs.heads[words == word].tolist()
        found = "no head" if not heads else f"{len(heads)} heads ({', '.join(map(str, heads))})"
        raise _not_a_tree(arcs.sizes, word, f"has {found}")
    loop = _first_on_a_cycle(arcs.sizes, arcs.heads)
    if loop >= 0:
        raise _not_a_tree(arcs.sizes, loop, "is on a cycle")
    return arcs.heads


def are_trees(arcs: Arcs) -> bool:
    """Whether all graphs are trees."""
    try:
        tree_heads(arcs)
    except NotATree:
        return False
    return True


def as_arcs(sizes: IntArray, heads: IntArray) -> Arcs:
    """Trees as arcs, one for each word."""
    starts = offsets_of(sizes)
    dependents = np.arange(1, len(heads) + 1) - np.repeat(starts[:-1], sizes)
    return Arcs(sizes, starts, heads, dependents.astype(np.int32))


def _not_a_tree(sizes: IntArray, word: int, what: str) -> NotATree:
    starts = offsets_of(sizes)
    sentence = int(np.searchsorted(starts, word, side="right")) - 1
    return NotATree(sentence, f"word {word - int(starts[sentence]) + 1} {what}")


@kernel
def _first_on_a_cycle(sizes: IntArray, heads: IntArray) -> int:
    """The first word, over all sentences, whose heads lead back to it; -1 if none do."""
    longest = sizes.max() if len(sizes) else 0
    seen = np.zeros(longest + 1, dtype=np.int64)  # the walk on which a word was first met
    first, walk = 0, 0
    for s in range(len(sizes)):
        n = sizes[s]
        seen[: n + 1] = 0
        start = walk
        for word in range(1, n + 1):
            walk += 1
            at = word
            while at > 0 and seen[at] <= start:
                seen[at] = walk
                at = heads[first + at - 1]
            if at > 0 and seen[at] == walk:
                return first + at - 1
        first += n
    return -1
