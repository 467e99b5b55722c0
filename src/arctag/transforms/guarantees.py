"""Guarantees for a parsed graph: every word attached, at least one top, every word below the root, no cycle.

Each guarantee changes as little as possible: a cycle loses its least probable arc, a word without a head is
attached to the most probable top, and of words that cannot be reached from the root only as many are
attached as make all of them reachable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from arctag.errors import UnknownName
from arctag.graph import Graph, Relations
from arctag.transforms.acyclic import Acyclic

GUARANTEES = {
    "attached": "every word has a head",
    "top": "there is a root",
    "connected": "every word can be reached from the root",
    "acyclic": "no cycles",
}
"""Guarantee → what it means."""


@dataclass(frozen=True)
class Weighted:
    """An arc and its probability."""

    head: int
    dependent: int
    probability: float


def check_names(names: Collection[str]) -> None:
    """`UnknownName` for a guarantee that does not exist."""
    for name in names:
        if name not in GUARANTEES:
            raise UnknownName("guarantee", name, GUARANTEES)


def ensure(n: int, arcs: list[Weighted], names: Collection[str]) -> tuple[list[Weighted], list[Weighted]]:
    """The arcs to keep, and those to add (with probability 0), so that the guarantees hold."""
    kept = without_cycles(n, arcs) if "acyclic" in names else list(arcs)
    if not n or not set(names) - {"acyclic"}:
        return kept, []
    below = _below(n, kept)
    loose = entries(below) if "connected" in names else _headless(below) if "attached" in names else []
    tops = [arc for arc in kept if arc.head == 0]
    added: list[Weighted] = []
    if not tops:
        tops = added = [Weighted(0, (loose or _likely_tops(below))[0], 0.0)]
    if loose:
        head = max(tops, key=lambda arc: arc.probability).dependent
        above = _above(head, kept)  # below the centre, these would close a cycle
        added = added + [Weighted(0 if word in above else head, word, 0.0) for word in loose if word != head]
    return kept, added


def guaranteed(graph: Graph, names: Collection[str], relation: Callable[[int], Relations]) -> tuple[Graph, int]:
    """The graph with arcs removed and added so that the guarantees hold, and the number of these changes.

    `relation` gives the relations of an added arc from its head.
    """
    probabilities = [0.0] * len(graph) if graph.probabilities is None else graph.probabilities.tolist()
    weighted = [Weighted(arc.head, arc.dependent, p) for arc, p in zip(graph, probabilities, strict=True)]
    kept, added = ensure(graph.n, weighted, names)
    changes = len(weighted) - len(kept) + len(added)
    if not changes:
        return graph, 0
    known = {(arc.head, arc.dependent): arc.relations for arc in graph}
    arcs = sorted([*kept, *added], key=lambda arc: (arc.dependent, arc.head))
    heads, dependents = (
        np.array(column, dtype=np.int32) for column in ([a.head for a in arcs], [a.dependent for a in arcs])
    )
    relations = tuple(known.get((arc.head, arc.dependent)) or relation(arc.head) for arc in arcs)
    new = np.array([arc.probability for arc in arcs], dtype=np.float32)
    return Graph.trusted(graph.n, heads, dependents, relations, new), changes


def entries(below: list[list[int]]) -> list[int]:
    """The fewest words to attach so that every word is below the root, the likeliest top first.

    Takes the dependents of the root and of each word.
    """
    reached = bytearray(len(below))
    _reach(0, below, reached)
    seen, tried = bytearray(reached), []
    for word in _likely_tops(below):
        if not seen[word]:
            _reach(word, below, seen)
            tried.append(word)
    needed = []
    for word in reversed(tried):  # none of them leads to one that was tried later
        if not reached[word]:
            _reach(word, below, reached)
            needed.append(word)
    return needed[::-1]


def _reach(start: int, below: list[list[int]], reached: bytearray) -> None:
    """Mark the words that a path leads to; those marked already are not visited again."""
    reached[start], waiting = 1, [start]
    while waiting:
        for word in below[waiting.pop()]:
            if not reached[word]:
                reached[word] = 1
                waiting.append(word)


def _below(n: int, arcs: list[Weighted]) -> list[list[int]]:
    """The dependents of the root and of each word."""
    below: list[list[int]] = [[] for _ in range(n + 1)]
    for arc in arcs:
        below[arc.head].append(arc.dependent)
    return below


def _likely_tops(below: list[list[int]]) -> list[int]:
    """All words: those without a head first, then those with most dependents, then the first of them."""
    has_head = {word for words in below for word in words}
    return sorted(range(1, len(below)), key=lambda word: (word in has_head, -len(below[word]), word))


def _headless(below: list[list[int]]) -> list[int]:
    has_head = {word for words in below for word in words}
    return [word for word in _likely_tops(below) if word not in has_head]


def _above(word: int, arcs: list[Weighted]) -> set[int]:
    """The words from which arcs lead to this one, over any number of others."""
    heads: dict[int, list[int]] = {}
    for arc in arcs:
        heads.setdefault(arc.dependent, []).append(arc.head)
    above, waiting = {word}, [word]
    while waiting:
        for head in heads.get(waiting.pop(), ()):
            if head not in above:
                above.add(head)
                waiting.append(head)
    return above


def without_cycles(n: int, arcs: list[Weighted]) -> list[Weighted]:
    """The arcs without those that close a cycle with more probable ones."""
    graph = Acyclic(n)
    order = sorted(arcs, key=lambda arc: (arc.probability, arc.dependent, arc.head), reverse=True)
    kept = {(arc.head, arc.dependent) for arc in order if graph.add(arc.head, arc.dependent)}
    return [arc for arc in arcs if (arc.head, arc.dependent) in kept]
