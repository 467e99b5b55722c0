"""Planes of a graph that is to be drawn.

Small graphs are done in plain Python, from the definition: the kernels of `encodings.planes` take seconds to compile
when they are first used, and someone who has just installed Arctag is waiting for a picture.
"""

from __future__ import annotations

from arctag.encodings.rules import Crossing
from arctag.graph import Graph

_FEW = 150  # arcs
_Arc = tuple[int, int]


def planes_of(graph: Graph, crossing: Crossing) -> list[int]:
    """The greedy plane of every arc; a self-loop gets plane 0."""
    if len(graph) > _FEW:
        from arctag.encodings.planes import assign_planes

        return [int(plane) for plane in assign_planes(graph, crossing)]
    planes: list[list[_Arc]] = []
    found = []
    for head, dependent in zip(graph.heads.tolist(), graph.dependents.tolist(), strict=True):
        arc = (head, dependent)
        if head == dependent:
            found.append(0)
            continue
        fits = (i for i, plane in enumerate(planes) if not any(_conflict(arc, other, crossing) for other in plane))
        number = next(fits, len(planes))
        if number == len(planes):
            planes.append([])
        planes[number].append(arc)
        found.append(number)
    return found


def _conflict(one: _Arc, other: _Arc, crossing: Crossing) -> bool:
    left, right = min(one), max(one)
    other_left, other_right = min(other), max(other)
    crosses = left < other_left < right < other_right or other_left < left < other_right < right
    return crosses and (crossing == "strict" or (one[0] < one[1]) == (other[0] < other[1]))
