"""Which arcs gold and system share, in flat arrays, and which relations those have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.blocks.arcs import BlockArcs, joined_numbers
from arctag.cells import Longs, Numbers
from arctag.encodings.labels import Arcs
from arctag.graph import Relations
from arctag.metrics.protocol import Counts


class Dependencies:
    """The arcs of the sentences of a file, with words numbered over the whole file from 1; head 0 is the root."""

    def __init__(self, arcs: Arcs, first: Longs) -> None:
        """Arcs of sentences, with so many words before each."""
        counts = np.diff(arcs.starts)
        before = np.repeat(first[:-1], counts)
        self.places = np.repeat(np.arange(len(counts)), counts)
        """The sentence of each arc."""
        self.heads = in_file(arcs.heads, before)
        self.dependents: Longs = arcs.dependents + before
        self._width = int(first[-1]) + 1

    def shared(self, system: Dependencies) -> tuple[Longs, Longs]:
        """The arcs that a system has for the same words, too, whatever their relations: their places on both sides."""
        return shared(*(side.dependents * side._width + side.heads for side in (self, system)))


def in_file(heads: Longs | Numbers, before: Longs) -> Longs:
    """Heads numbered over the whole file, given how many words come before their sentences."""
    numbers: Longs = np.where(heads > 0, heads + before, 0)
    return numbers


def shared(gold: Longs, system: Longs) -> tuple[Longs, Longs]:
    """The places of the keys that both have; each side has its keys in order, and each key once."""
    places = np.searchsorted(gold, system)
    found = np.flatnonzero(np.append(gold, -1)[places] == system)
    return places[found], found


def same_relations(gold: Relations, system: Relations) -> int:
    """How many relations are the same."""
    return len(set(gold) & set(system))


class BothRelations(NamedTuple):
    """The relations of the arcs of both sides, numbered alike."""

    gold: Numbers
    system: Numbers
    names: Sequence[Relations]

    @classmethod
    def of(cls, gold: BlockArcs, system: BlockArcs) -> BothRelations:
        """Number the relations of two sides."""
        numbers, names = joined_numbers((side.numbers, side.names) for side in (gold, system))
        count = len(gold.numbers)
        return cls(numbers[:count], numbers[count:], names)

    def in_common(self, count: Callable[[Relations, Relations], int], gold: Longs, system: Longs) -> Counts:
        """What `count` gives for the relations of each of these gold and system arcs; called once for the same two."""
        ours, theirs, names = self.gold[gold], self.system[system], self.names
        counts = np.array([count(relations, relations) for relations in names], dtype=np.int64)[ours]
        differ = np.flatnonzero(ours != theirs)
        pairs, inverse = np.unique(ours[differ] * np.int64(len(names)) + theirs[differ], return_inverse=True)
        values = [count(names[pair // len(names)], names[pair % len(names)]) for pair in pairs.tolist()]
        counts[differ] = np.array(values, dtype=np.int64)[inverse]
        return counts


def per_group(groups: npt.NDArray[np.integer], count: int, weights: npt.ArrayLike | None = None) -> Counts:
    """How many things are in each of so many groups, or the sum of their weights."""
    return np.bincount(groups, weights, minlength=count).astype(np.int64)
