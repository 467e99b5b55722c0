"""Where on its word each arc stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from arctag.draw.edges import Edge

Floats = npt.NDArray[np.float64]


def attachments(n: int, edges: Sequence[Edge], slot: float) -> tuple[Floats, Floats, list[int]]:
    """Where the head's and the dependent's leg stand, from the middle of the word; and the legs per word.

    From left to right: arcs to the left, short before long; the root's; arcs to the right, long
    before short; loops. Long arcs lie higher, so that no leg has to pass through a neighbour's deck.
    """
    ends: list[list[tuple[tuple[int, int, int], int, int]]] = [[] for _ in range(n + 1)]
    for i, edge in enumerate(edges):
        if not edge.root:
            ends[edge.head].append((_place(edge, i, edge.head, edge.dependent), i, 0))
        ends[edge.dependent].append((_place(edge, i, edge.dependent, edge.head), i, 1))
    offsets = np.zeros((2, len(edges)))
    for legs in ends:
        for position, (_, i, side) in enumerate(sorted(legs)):
            offsets[side, i] = (position - (len(legs) - 1) / 2) * slot
    return offsets[0], offsets[1], [len(legs) for legs in ends[1:]]


def _place(edge: Edge, i: int, here: int, there: int) -> tuple[int, int, int]:
    """The sorting key of a leg at the word `here`; of two arcs with the same ends the later is the outer."""
    if edge.root:
        return 1, 0, i
    if there < here:
        return 0, edge.span, i
    if there > here:
        return 2, -edge.span, -i
    return 3, 0, i
