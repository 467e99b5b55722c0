"""What the graphs of a treebank always have, and arcs for parsed graphs that lack it, for many sentences at once.

A parser keeps the arcs that are probable enough. Where that leaves a graph without a top, a word without a head, or
words that cannot be reached from the root, arcs are added, those that the parser finds best:

- top: the top of the tree, if the parser has predicted one, else the most probable root arc.
- attached: for a word without a head, that of the tree: better than its most probable arc, which fell below the
  threshold.
- connected: the tree is gone through from the root down, and a word that is not reached gets its arc of the tree.

Without a predicted tree, the best one over the proposed arcs takes its place. `guarantees` does with kept arcs alone,
and can take some away. All sentences are handled as one graph: 0 is the root that they share, and words follow from 1.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.encodings.cycles import cyclic
from arctag.encodings.labels import Arcs, OffsetArray, offsets_of
from arctag.encodings.sorting import sorted_arcs
from arctag.errors import InputError
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel
from arctag.transforms.guarantees import check_names
from arctag.transforms.spanning_tree import Doubles, spanning_trees

_LEAST = 1e-30  # a probability of which the logarithm is taken


class Completion(NamedTuple):
    """What to add to the arcs of a batch."""

    kept: BoolArray
    """Which of the proposed arcs are to be kept besides."""
    extra: Arcs
    """Arcs that were not proposed."""


def held(arcs: Arcs, least: float = 1.0) -> tuple[str, ...]:
    """The guarantees that every graph of a treebank keeps, or at least this share of them; none if there are no words.

    Dropping empty nodes takes the last head from some words: ask about the graphs before that, or for a lesser share.
    """
    if not arcs.sizes.any():
        return ()
    heads, dependents = _as_one(arcs)
    words = int(arcs.sizes.sum())
    owner = np.repeat(np.arange(len(arcs)), arcs.sizes)
    broken = {
        "attached": _of_sentences(np.bincount(dependents, minlength=words + 1)[1:] == 0, owner, len(arcs)),
        "top": _without_top(arcs),
        "connected": _of_sentences(~_reached(heads, dependents, words), owner, len(arcs)),
        "acyclic": cyclic(arcs),
    }
    return tuple(name for name, some in broken.items() if 1 - np.mean(some) >= least)


def _of_sentences(words: BoolArray, owner: OffsetArray, count: int) -> BoolArray:
    """Of each sentence, whether any of its words is marked."""
    return np.bincount(owner[words], minlength=count) > 0


def completed(
    kept: Arcs, proposed: Arcs, probabilities: npt.ArrayLike, heads: IntArray | None, names: Collection[str]
) -> Completion:
    """The arcs to add to those that are kept, so that the guarantees hold: `attached`, `top`, `connected`.

    The proposed arcs, with a probability each, may contain the kept ones or not. `heads` are those of a tree, for each
    word of all sentences, or None. Any of the three includes `top`, and `connected` includes all; `acyclic` adds
    nothing: `guarantees` takes cycles away.
    """
    check_names(names)
    if not np.array_equal(kept.sizes, proposed.sizes):
        raise InputError("the kept and the proposed arcs are not of the same sentences")
    probable = _checked_probabilities(probabilities, proposed)
    graph = _Growing(*_as_one(kept))
    if wanted := set(names) - {"acyclic"}:
        tree = _likely_tree(proposed, probable) if heads is None else _checked_tree(heads, kept.sizes)
        graph.add(*_tops(kept, proposed, probable, tree, predicted=heads is not None))
        if wanted & {"attached", "connected"}:
            graph.add(*_heads_of_headless(graph, tree))
        if "connected" in wanted:
            words = np.flatnonzero(_entries(graph.heads, graph.dependents, tree)) + 1
            graph.add(tree[words - 1], words)
    count = len(kept.heads)
    return _divided(graph.heads[count:], graph.dependents[count:], proposed)


class _Growing:
    """The arcs of a batch so far, those that are added behind the others."""

    def __init__(self, heads: OffsetArray, dependents: OffsetArray) -> None:
        self.heads, self.dependents = heads, dependents

    def add(self, heads: OffsetArray, dependents: OffsetArray) -> None:
        self.heads = np.concatenate([self.heads, heads])
        self.dependents = np.concatenate([self.dependents, dependents])


def _as_one(arcs: Arcs) -> tuple[OffsetArray, OffsetArray]:
    """Heads and dependents as nodes of the one graph."""
    before = np.repeat(offsets_of(arcs.sizes)[:-1], np.diff(arcs.starts))
    return np.where(arcs.heads > 0, arcs.heads + before, 0), arcs.dependents + before


def _without_top(arcs: Arcs) -> BoolArray:
    """Which sentences have words, but no arc from the root."""
    sentences = np.repeat(np.arange(len(arcs)), np.diff(arcs.starts))[arcs.heads == 0]
    lacking: BoolArray = (np.bincount(sentences, minlength=len(arcs)) == 0) & (arcs.sizes > 0)
    return lacking


def _tops(
    kept: Arcs, proposed: Arcs, probable: Doubles, tree: OffsetArray, predicted: bool
) -> tuple[OffsetArray, OffsetArray]:
    """A root arc for each sentence without one."""
    lacking = _without_top(kept)
    tops = np.zeros(len(kept), dtype=np.int64)
    words = np.flatnonzero(tree == 0)[::-1]  # of several tops the first is assigned last, and stays
    tops[np.repeat(np.arange(len(kept)), kept.sizes)[words]] = words + 1
    if not predicted:
        sentences = np.repeat(np.arange(len(proposed)), np.diff(proposed.starts))
        best = _best(sentences, probable, (proposed.heads == 0) & lacking[sentences])
        tops[sentences[best]] = _as_one(proposed)[1][best]
    return np.zeros(np.count_nonzero(lacking), dtype=np.int64), tops[lacking]


def _heads_of_headless(graph: _Growing, tree: OffsetArray) -> tuple[OffsetArray, OffsetArray]:
    """The arc of the tree for each word without a head."""
    words = np.flatnonzero(np.bincount(graph.dependents, minlength=len(tree) + 1)[1:] == 0) + 1
    return tree[words - 1], words


def _best(groups: OffsetArray, values: Doubles, eligible: BoolArray) -> OffsetArray:
    """The place of the highest value of each group; of equal ones the first."""
    places = np.flatnonzero(eligible)
    places = places[np.lexsort((-values[places], groups[places]))]
    return places[np.diff(groups[places], prepend=-1) > 0]


def _divided(heads: OffsetArray, dependents: OffsetArray, proposed: Arcs) -> Completion:
    """Added arcs, those that were proposed and those that were not."""
    width = int(proposed.sizes.sum()) + 1
    proposed_heads, proposed_dependents = _as_one(proposed)
    known, added = proposed_dependents * width + proposed_heads, dependents * width + heads
    places = np.searchsorted(known, added)
    extra = np.append(known, -1)[places] != added
    kept = np.zeros(len(known), dtype=np.bool_)
    kept[places[~extra]] = True
    words = dependents[extra] - 1
    first = np.repeat(offsets_of(proposed.sizes)[:-1], proposed.sizes)[words]
    local = np.where(heads[extra] > 0, heads[extra] - first, 0).astype(np.int32)
    none = np.zeros(len(proposed), dtype=np.int64)
    return Completion(kept, Arcs(proposed.sizes, *sorted_arcs(proposed.sizes, words, local, none)))


def _checked_probabilities(probabilities: npt.ArrayLike, proposed: Arcs) -> Doubles:
    """As an array; what is not a number is improbable."""
    values = np.array(probabilities, dtype=np.float64)
    if values.shape != proposed.heads.shape:
        raise InputError(f"{values.size} probabilities for {proposed.heads.size} proposed arcs")
    values[np.isnan(values)] = 0
    return values


def _likely_tree(proposed: Arcs, probable: Doubles) -> OffsetArray:
    """The best tree over the proposed arcs."""
    return _tree_as_one(spanning_trees(proposed, np.log(np.maximum(probable, _LEAST))).heads, proposed.sizes)


def _checked_tree(heads: IntArray, sizes: IntArray) -> OffsetArray:
    """`InputError` for heads that are not a tree."""
    words = int(sizes.sum())
    if len(heads) != words:
        raise InputError(f"{len(heads)} heads of a tree for {words} words")
    if np.any((heads < 0) | (heads > np.repeat(sizes, sizes))):
        raise InputError("a head of the tree is not a word of its sentence")
    tree = _tree_as_one(heads, sizes)
    reached = _reached(tree, np.arange(1, words + 1), words)
    if not reached.all():
        sentence = np.searchsorted(offsets_of(sizes), np.argmin(reached), side="right")
        raise InputError(
            f"the heads of sentence {sentence} are not a tree: not every word can be reached from the root"
        )
    return tree


def _tree_as_one(heads: IntArray, sizes: IntArray) -> OffsetArray:
    return np.where(heads > 0, heads + np.repeat(offsets_of(sizes)[:-1], sizes), 0)


@kernel
def _reached(heads: OffsetArray, dependents: OffsetArray, words: int) -> BoolArray:
    """Which words can be reached from the root."""
    starts, below = _by_head(heads, dependents, words)
    reached, waiting = np.zeros(words + 1, dtype=np.bool_), np.empty(words + 1, dtype=np.int64)
    _reach(0, starts, below, reached, waiting)
    return reached[1:]


@kernel
def _entries(heads: OffsetArray, dependents: OffsetArray, tree: OffsetArray) -> BoolArray:
    """The words that need their arc of the tree, so that all can be reached from the root; the uppermost come first."""
    words = len(tree)
    starts, below = _by_head(heads, dependents, words)
    reached, waiting = np.zeros(words + 1, dtype=np.bool_), np.empty(words + 1, dtype=np.int64)
    _reach(0, starts, below, reached, waiting)
    entries = np.zeros(words, dtype=np.bool_)
    tree_starts, tree_below = _by_head(tree, np.arange(1, words + 1), words)
    order = np.zeros(words + 1, dtype=np.int64)  # the root, the words below it, those below them, and so on
    count = 1
    for i in range(words + 1):
        node = order[i]
        for k in range(tree_starts[node], tree_starts[node + 1]):
            word = tree_below[k]
            order[count] = word
            count += 1
            if not reached[word]:
                entries[word - 1] = True
                _reach(word, starts, below, reached, waiting)
    return entries


@kernel
def _by_head(heads: OffsetArray, dependents: OffsetArray, words: int) -> tuple[OffsetArray, OffsetArray]:
    """The dependents of the root, of the first word, and so on; and where those of each start."""
    starts = np.zeros(words + 2, dtype=np.int64)
    for head in heads:
        starts[head + 1] += 1
    for node in range(words + 1):
        starts[node + 1] += starts[node]
    places, below = starts.copy(), np.empty(len(heads), dtype=np.int64)
    for i in range(len(heads)):
        below[places[heads[i]]] = dependents[i]
        places[heads[i]] += 1
    return starts, below


@kernel
def _reach(start: int, starts: OffsetArray, below: OffsetArray, reached: BoolArray, waiting: OffsetArray) -> None:
    """Mark the words that a path leads to; those marked already are not visited again."""
    reached[start] = True
    waiting[0] = start
    count = 1
    while count:
        count -= 1
        node = waiting[count]
        for k in range(starts[node], starts[node + 1]):
            if not reached[below[k]]:
                reached[below[k]] = True
                waiting[count] = below[k]
                count += 1
