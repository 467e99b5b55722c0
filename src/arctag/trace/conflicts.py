"""Why an encoding leaves an arc out: what it is in conflict with, plane by plane."""

from __future__ import annotations

import numpy as np

from arctag.encodings.base import Encoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.trees.bits import TreeBits4, TreeBits7
from arctag.encodings.trees.brackets import TreeBrackets
from arctag.encodings.trees.transitions import StackTransitions
from arctag.trace.steps import PlacedArc
from arctag.trace.wording import arrow, named

Planar = Brackets | Bits4 | Bits6
PlanarTree = TreeBrackets | TreeBits4 | TreeBits7


class Refusals:
    """The arcs that an encoding covers, and so what stands in the way of the others."""

    def __init__(self, encoding: Encoding, covered: list[PlacedArc]) -> None:
        self.encoding = encoding = _of_graphs(encoding)
        count = encoding.k if isinstance(encoding, Planar) else 0
        self._planes = [_Plane([arc for arc in covered if arc.plane == plane]) for plane in range(1, count + 1)]

    def why(self, head: int, dependent: int) -> str:
        """Why this arc is not covered, in words."""
        if isinstance(self.encoding, StackTransitions):
            return f"it crosses another arc, so {named(dependent)} is attached to a word above {named(head)}"
        if not isinstance(self.encoding, Planar):
            return f"{self.encoding.name} has no room for it"
        if head == dependent:
            return "no plane holds an arc from a word to itself"
        reasons = []
        for number, plane in enumerate(self._planes, 1):
            reason = plane.conflict(self.encoding, head, dependent)
            if not reason:
                return _unlucky(self.encoding, number)
            reasons.append(f"plane {number}: {reason}")
        return "; ".join(reasons)


def _of_graphs(encoding: Encoding) -> Encoding:
    """The encoding of graphs whose planes one for trees has; other encodings as they are."""
    match encoding:
        case TreeBrackets() | TreeBits4():
            return encoding.graphs
        case TreeBits7():
            return Bits4(2)
        case _:
            return encoding


class _Plane:
    """The arcs of a plane as arrays, since each refused arc is held against all of them."""

    def __init__(self, arcs: list[PlacedArc]) -> None:
        self.heads, self.dependents, _ = np.array(arcs, dtype=np.int64).reshape(-1, 3).T
        self.lefts, self.rights = np.minimum(self.heads, self.dependents), np.maximum(self.heads, self.dependents)

    def conflict(self, encoding: Planar, head: int, dependent: int) -> str:
        """What keeps an arc out of this plane; empty if nothing does."""
        same_way = (self.heads < self.dependents) == (head < dependent)
        if not isinstance(encoding, Brackets):
            rival = (self.dependents == dependent) & (same_way | isinstance(encoding, Bits4))
            for i in np.flatnonzero(rival)[:1]:
                side = "" if isinstance(encoding, Bits4) else f" to its {'left' if head < dependent else 'right'}"
                return f"{named(dependent)} has a head{side} there already, {named(int(self.heads[i]))}"
        left, right = min(head, dependent), max(head, dependent)
        crossed = (self.lefts < left) & (left < self.rights) & (self.rights < right)
        crossed |= (left < self.lefts) & (self.lefts < right) & (right < self.rights)
        if not (isinstance(encoding, Brackets) and encoding.crossing == "strict"):
            crossed &= same_way
        for i in np.flatnonzero(crossed)[:1]:
            return f"it crosses {arrow(int(self.heads[i]), int(self.dependents[i]))}"
        return ""


def _unlucky(encoding: Planar, plane: int) -> str:
    """The arc would fit, but arcs stay where they were put when the smaller planes are given up."""
    if encoding.planes == "best":
        return f"there is room in plane {plane}, but the graph is too tangled to search for the best planes"
    return f"there is room in plane {plane}, but it was put into a plane that is not kept (planes 'best' looks further)"
