"""Precision, recall and F1 for groups of arcs, or for the arcs of groups of sentences.

An arc counts as the headline figure counts it: both words and the full relation must be right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from arctag.errors import UnknownName
from arctag.metrics.protocol import Pair, Triple
from arctag.metrics.results import Breakdown, Cell

Groups = Callable[[Pair], Callable[[Triple, int], str]]
"""A sentence → what gives the group of each of its arcs (with its length)."""


@dataclass(frozen=True)
class Grouping:
    """How arcs are grouped, and in which order the groups are shown."""

    groups: Groups
    order: Callable[[str, int], int]
    """Sorts groups by name and number of gold arcs; equal ones are sorted by name."""


_BINS = ((0, "self"), (1, "1"), (2, "2"), (5, "3-5"), (10, "6-10"))
_LAST_BIN = "11+"
_ROOT_BIN = "root"
_BIN_NAMES = [*(name for _, name in _BINS), _LAST_BIN, _ROOT_BIN]


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
    "relation": Grouping(by_relation, lambda _, gold: -gold),
    "length": Grouping(by_length, lambda name, _: _BIN_NAMES.index(name)),
    "planes": Grouping(by_planes, lambda name, _: int(name)),
    "cyclic": Grouping(by_cyclic, lambda *_: 0),
}
"""What `by` may name."""


def breakdown(pairs: Iterable[Pair], by: str) -> Breakdown:
    """Count gold, system and correct arcs for each group."""
    if by not in GROUPINGS:
        raise UnknownName("breakdown", by, GROUPINGS)
    grouping = GROUPINGS[by]
    gold: Counter[str] = Counter()
    system: Counter[str] = Counter()
    correct: Counter[str] = Counter()
    for pair in pairs:
        group = grouping.groups(pair)
        gold.update(group(arc, length) for arc, length in pair.gold.items())
        system.update(group(arc, length) for arc, length in pair.system.items())
        correct.update(group(arc, length) for arc, length in pair.gold.items() if arc in pair.system)
    names = sorted(gold | system, key=lambda name: (grouping.order(name, gold[name]), name))
    return {name: Cell(gold[name], system[name], correct[name]) for name in names}
