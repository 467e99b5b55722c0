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
    """Leave out the least probable arc of each cycle, until there is none."""
    kept = [arc for arc in arcs if arc.head != arc.dependent]
    while cycle := _find_cycle(n, kept):
        kept.remove(min(cycle, key=lambda arc: (arc.probability, arc.dependent, arc.head)))
    return kept


def _find_cycle(n: int, arcs: list[Weighted]) -> list[Weighted]:
    """The arcs of some cycle; none if there is none."""
    out: list[list[Weighted]] = [[] for _ in range(n + 1)]
    for arc in arcs:
        out[arc.head].append(arc)
    state = [0] * (n + 1)  # 0 not seen, 1 on the way, 2 done
    for start in range(n + 1):
        if state[start]:
            continue
        way: list[Weighted] = []
        stack = [(start, iter(out[start]))]
        state[start] = 1
        while stack:
            word, rest = stack[-1]
            step = next(rest, None)
            if step is None:
                state[word] = 2
                stack.pop()
                if way:
                    way.pop()
            elif state[step.dependent] == 1:
                way.append(step)
                begin = next(i for i, a in enumerate(way) if a.head == step.dependent)
                return way[begin:]
            elif state[step.dependent] == 0:
                state[step.dependent] = 1
                way.append(step)
                stack.append((step.dependent, iter(out[step.dependent])))
    return []
