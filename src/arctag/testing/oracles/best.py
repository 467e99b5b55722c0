"""The most arcs that K planes can hold, by brute force over every graph of n words at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.encodings.conflicts import Conflict
from arctag.testing.graphs import all_arcs


def most_covered(n: int, k: int, conflict: Conflict) -> npt.NDArray[np.int64]:
    """For each graph of `every_graph(n)`: the most of its arcs that fit k planes without conflict.

    A graph is a set of arcs, hence a number. It fits k planes if it is the union of k sets without
    conflict; if it does not fit, some arc must go, and the best is the best of the graphs with one
    arc less, which have smaller numbers.
    """
    fits = _union_of(_without_conflict(n, conflict), k)
    best = np.zeros(len(fits), dtype=np.int64)
    arcs = range(len(all_arcs(n)))
    for graph in range(len(fits)):
        best[graph] = graph.bit_count() if fits[graph] else max(best[graph & ~(1 << i)] for i in arcs if graph >> i & 1)
    return best


def _without_conflict(n: int, conflict: Conflict) -> npt.NDArray[np.bool_]:
    """For each graph, whether no two of its arcs conflict."""
    arcs = all_arcs(n)
    graphs = np.arange(1 << len(arcs))
    free = np.ones(len(graphs), dtype=np.bool_)
    for i, one in enumerate(arcs):
        for j, other in enumerate(arcs[:i]):
            if conflict(one, other):
                free &= ~((graphs >> i & 1) & (graphs >> j & 1)).astype(np.bool_)
    return free


def _union_of(free: npt.NDArray[np.bool_], k: int) -> npt.NDArray[np.bool_]:
    """For each graph, whether it is the union of k graphs marked `free` (parts of free graphs are free)."""
    bits = [1 << i for i in range(len(free).bit_length() - 1)]
    graphs = np.arange(len(free))
    largest = [g for g in np.flatnonzero(free).tolist() if not any(free[g | bit] for bit in bits if not g & bit)]
    fits = free
    for _ in range(k - 1):
        union = np.zeros_like(free)
        for graph in largest:
            union[np.flatnonzero(fits) | graph] = True
        for bit in bits:  # part of what fits, fits
            union[graphs & ~bit] |= union[graphs | bit]
        fits = union
    return fits
