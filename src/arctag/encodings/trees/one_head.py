"""One head for each word out of decoded arcs: labels of graphs, read as those of trees, may give several or none."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import Arcs, OffsetArray
from arctag.graph import IntArray
from arctag.kernel import kernel


@kernel
def _leftmost(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, repairs: npt.NDArray[np.int64]
) -> IntArray:
    result = np.full(sizes.sum(), -1, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        for i in range(starts[s], starts[s + 1]):
            word = dependents[i]
            if i > starts[s] and dependents[i - 1] == word:
                repairs[s] += 1
            if result[first + word] < 0 and heads[i] != word:
                result[first + word] = heads[i]
        first += sizes[s]
    return result


def leftmost_heads(arcs: Arcs, repairs: npt.NDArray[np.int64]) -> IntArray:
    """The leftmost head of each word that is not the word itself, -1 where there is none; each other is a repair."""
    return _leftmost(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, repairs)
