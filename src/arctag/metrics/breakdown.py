"""Precision, recall and F1 for groups of arcs, or for the arcs of groups of sentences.

An arc counts as the headline figure counts it: both words and the full relation must be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from arctag.errors import UnknownName
from arctag.metrics.base import Breakdown, Cell, Pair, Triple

Grouping = Callable[[Pair], Callable[[Triple, int], str]]
"""A sentence → what gives the group of each of its arcs (with its length)."""

_BINS = ((0, "self"), (1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"))
_LAST_BIN = "11+"
_ROOT_BIN = "root"


def by_relation(_: Pair) -> Callable[[Triple, int], str]:
    """Group arcs by their relation."""
    return lambda arc, _: arc[2]


def by_length(_: Pair) -> Callable[[Triple, int], str]:
    """Group arcs by their length in words; root arcs have none."""
    return lambda arc, length: _ROOT_BIN if arc[0] == 0 else _bin(length)


def _bin(length: int) -> str:
    return next((name for most, name in _BINS if length <= most), _LAST_BIN)


def by_planes(pair: Pair) -> Callable[[Triple, int], str]:
    """Group arcs by how many planes the gold graph of their sentence needs."""
    from arctag.encodings.planes import count_planes  # only this grouping needs it

    planes = str(count_planes(pair.graph))
    return lambda *_: planes


def by_cyclic(pair: Pair) -> Callable[[Triple, int], str]:
    """Group arcs by whether the gold graph of their sentence has a cycle."""
    cyclic = "cyclic" if pair.graph.cyclic else "acyclic"
    return lambda *_: cyclic


GROUPINGS: dict[str, Grouping] = {
    "relation": by_relation,
    "length": by_length,
    "planes": by_planes,
    "cyclic": by_cyclic,
}


def breakdown(pairs: Iterable[Pair], by: str) -> Breakdown:
    """Count gold, system and correct arcs for each group."""
    if by not in GROUPINGS:
        raise UnknownName("breakdown", by, GROUPINGS)
    gold: Counter[str] = Counter()
    system: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for pair in pairs:
        group = GROUPINGS[by](pair)
        gold.update(group(arc, length) for arc, length in pair.gold.items())
        system.update(group(arc, length) for arc, length in pair.system.items())
        correct.update(group(arc, length) for arc, length in pair.gold.items() if arc in pair.system)
    names = sorted(gold | system, key=lambda name: _order(by, name, gold[name]))
    return {name: Cell(gold[name], system[name], correct[name]) for name in names}


def _order(by: str, name: str, gold: int) -> tuple[int, str]:
    """Relations by frequency, the rest by what they mean."""
    if by == "relation":
        return -gold, name
    if by == "length":
        order = [*(bin_name for _, bin_name in _BINS), _LAST_BIN, _ROOT_BIN]
        return order.index(name), name
    return (int(name) if by == "planes" else 0), name
