"""Which graphs have a cycle, for many graphs at once."""

from __future__ import annotations

import numpy as np

from arctag.encodings.labels import Arcs, OffsetArray
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel


@kernel
def _cyclic(sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray) -> BoolArray:
    """Take away words without dependents until none is left: those on a cycle stay."""
    longest = sizes.max() if len(sizes) else 0
    left = np.empty(longest + 1, dtype=np.int32)  # dependents of each word that are still there
    first = np.empty(longest + 2, dtype=np.int64)  # the first arc into each word
    free = np.empty(longest + 1, dtype=np.int32)
    cyclic = np.empty(len(sizes), dtype=np.bool_)
    for s in range(len(sizes)):
        n = sizes[s]
        left[: n + 1] = 0
        arc = starts[s]
        for word in range(n + 1):
            first[word] = arc
            while arc < starts[s + 1] and dependents[arc] == word:
                left[heads[arc]] += 1
                arc += 1
        first[n + 1] = arc
        count = 0
        for word in range(n + 1):
            if left[word] == 0:
                free[count] = word
                count += 1
        removed = 0
        while removed < count:
            word = free[removed]
            removed += 1
            for i in range(first[word], first[word + 1]):
                left[heads[i]] -= 1
                if left[heads[i]] == 0:
                    free[count] = heads[i]
                    count += 1
        cyclic[s] = removed <= n
    return cyclic


def cyclic(arcs: Arcs) -> BoolArray:
    """Which graphs have a word that can be reached from itself (a self-loop counts)."""
    return _cyclic(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents)
