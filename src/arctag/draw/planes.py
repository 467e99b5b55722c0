"""Planes of a graph that is to be drawn.

Small graphs are done in plain Python: the kernels of `encodings.planes` take seconds to compile when they are first
used, which would delay the first picture.
"""

from __future__ import annotations

from arctag.encodings.conflicts import greedy_planes, relaxed_conflict, strict_conflict
from arctag.encodings.rules import Crossing
from arctag.graph import Graph

_FEW = 150  # arcs


def planes_of(graph: Graph, crossing: Crossing) -> list[int]:
    """The greedy plane of every arc; a self-loop gets plane 0."""
    if len(graph) > _FEW:
        from arctag.encodings.planes import assign_planes

        return [int(plane) for plane in assign_planes(graph, crossing)]
    arcs = [(arc.head, arc.dependent) for arc in graph]
    planes = greedy_planes(arcs, strict_conflict if crossing == "strict" else relaxed_conflict)
    number = {arc: i for i, plane in enumerate(planes) for arc in plane}
    return [number.get(arc, 0) for arc in arcs]
