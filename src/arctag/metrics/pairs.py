"""Gold and system arcs sentence by sentence, for breakdowns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from arctag.cells import Longs, Numbers
from arctag.graph import Graph, Relations
from arctag.metrics.aligned import Aligned
from arctag.metrics.matching import per_group
from arctag.metrics.protocol import Pair, Triple


class LabelledArcs(NamedTuple):
    """The arcs of one side, in the numbers of its own words."""

    places: Longs
    """The gold sentence where each is counted, in order."""
    heads: Longs
    dependents: Longs
    relations: Numbers
    """The relations of each, as a number in a list."""


def pairs(
    both: Aligned, graphs: Iterable[Graph], gold: LabelledArcs, system: LabelledArcs, names: Sequence[Relations]
) -> Iterator[Pair]:
    """Each gold graph with the arcs of both sides in its sentence, in gold numbers."""
    heads, dependents = both.numbers[system.heads], both.numbers[system.dependents]
    # the length in gold words if gold has both ends, else in the system's own words
    in_gold = (heads > 0) & (dependents > 0)
    lengths = np.where(in_gold, abs(heads - dependents), abs(system.heads - system.dependents))
    wanted = _triples(gold.heads, gold.dependents, gold.relations, names, abs(gold.heads - gold.dependents))
    found = _triples(heads, dependents, system.relations, names, lengths)
    count = len(both.gold.sizes)
    counts = (per_group(places, count).tolist() for places in (gold.places, system.places))
    for graph, ours_here, theirs_here in zip(graphs, *counts, strict=True):
        yield Pair(graph, _next(wanted, ours_here), _next(found, theirs_here))


def _triples(
    heads: Longs, dependents: Longs, relations: Numbers, names: Sequence[Relations], lengths: Longs
) -> Iterator[list[tuple[Triple, int]]]:
    """Of each arc, its dependencies with their length."""
    arcs = zip(heads.tolist(), dependents.tolist(), relations.tolist(), lengths.tolist(), strict=True)
    for head, dependent, number, length in arcs:
        yield [((head, dependent, relation), length) for relation in names[number]]


def _next(arcs: Iterator[list[tuple[Triple, int]]], count: int) -> dict[Triple, int]:
    """The dependencies of the next arcs."""
    return dict(chain.from_iterable(islice(arcs, count)))
