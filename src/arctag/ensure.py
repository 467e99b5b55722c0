"""Guarantees for a parsed graph: every word attached, at least one top, no cycle.

Each guarantee changes as little as it can: the least probable arc of a cycle goes, a word without
a head is attached where the graph already has its centre.
"""

from __future__ import annotations

from dataclasses import dataclass

from arctag.errors import UnknownName

GUARANTEES = ("attached", "top", "acyclic")


@dataclass(frozen=True)
class Weighted:
    """An arc and its probability."""

    head: int
    dependent: int
    probability: float


def check_names(names: tuple[str, ...]) -> None:
    """`UnknownName` for a guarantee that does not exist."""
    for name in names:
        if name not in GUARANTEES:
            raise UnknownName("guarantee", name, GUARANTEES)


def ensure(n: int, arcs: list[Weighted], names: tuple[str, ...]) -> tuple[list[Weighted], list[Weighted]]:
    """The arcs to keep, and those to add (with probability 0), so that the guarantees hold."""
    kept = without_cycles(n, arcs) if "acyclic" in names else list(arcs)
    added: list[Weighted] = []
    if not n:
        return kept, added
    tops = [arc for arc in kept if arc.head == 0]
    if not tops and ("top" in names or "attached" in names):
        top = Weighted(0, _centre(n, kept), 0.0)
        added.append(top)
        tops = [top]
    if "attached" in names:
        head = max(tops, key=lambda arc: arc.probability).dependent
        has_head = {arc.dependent for arc in (*kept, *added)}
        above = _above(head, kept)  # below the centre, these would close a cycle
        headless = (word for word in range(1, n + 1) if word not in has_head)
        added.extend(Weighted(0 if word in above else head, word, 0.0) for word in headless)
    return kept, added


def _above(word: int, arcs: list[Weighted]) -> set[int]:
    """The words from which arcs lead to this one, over any number of others."""
    heads: dict[int, list[int]] = {}
    for arc in arcs:
        heads.setdefault(arc.dependent, []).append(arc.head)
    found, waiting = {word}, [word]
    while waiting:
        for head in heads.get(waiting.pop(), ()):
            if head not in found:
                found.add(head)
                waiting.append(head)
    return found


def _centre(n: int, arcs: list[Weighted]) -> int:
    """The word that looks most like a top: headless if there is one, then with most dependents, then first."""
    has_head = {arc.dependent for arc in arcs}
    dependents = [0] * (n + 1)
    for arc in arcs:
        dependents[arc.head] += 1
    return max(range(1, n + 1), key=lambda word: (word not in has_head, dependents[word], -word))


def without_cycles(n: int, arcs: list[Weighted]) -> list[Weighted]:
    """Leave out each arc that closes a cycle with more probable ones."""
    below = [0] * (n + 1)  # the dependents of each word, as bits
    kept: set[tuple[int, int]] = set()
    has_head: set[int] = set()
    for arc in sorted(arcs, key=lambda arc: (arc.probability, arc.dependent, arc.head), reverse=True):
        if arc.head == arc.dependent or (arc.head in has_head and _reaches(below, arc.dependent, arc.head)):
            continue
        below[arc.head] |= 1 << arc.dependent
        has_head.add(arc.dependent)
        kept.add((arc.head, arc.dependent))
    return [arc for arc in arcs if (arc.head, arc.dependent) in kept]


def _reaches(below: list[int], start: int, goal: int) -> bool:
    """Whether arcs lead from one word to another."""
    seen = waiting = 1 << start
    while waiting and not seen >> goal & 1:
        word = waiting.bit_length() - 1
        new = below[word] & ~seen
        seen |= new
        waiting = waiting ^ 1 << word | new
    return bool(seen >> goal & 1)
