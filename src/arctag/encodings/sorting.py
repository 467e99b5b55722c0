"""Arcs in order, by counting: decoded ones by dependent and head, those to encode by their left ends."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import Arcs, OffsetArray, offsets_of
from arctag.graph import IntArray
from arctag.kernel import kernel

_MANY = 32  # heads of a word; it has hardly ever more than its planes


@kernel
def _bucket(words: npt.NDArray[np.int64], heads: IntArray, total: int) -> tuple[OffsetArray, IntArray]:
    """Group heads by word, by counting; each goes to its place among those of its word that came before.

    No general sort: numba would take a second to compile one.
    """
    ends = np.zeros(total + 1, dtype=np.int64)
    for word in words:
        ends[word + 1] += 1
    for i in range(total):
        ends[i + 1] += ends[i]
    fill = ends[:-1].copy()
    grouped = np.empty(len(heads), dtype=np.int32)
    for i in range(len(heads)):
        word, head = words[i], heads[i]
        place = fill[word]
        while place > ends[word] and grouped[place - 1] > head:
            grouped[place] = grouped[place - 1]
            place -= 1
        grouped[place] = head
        fill[word] += 1
    return ends, grouped


@kernel
def _unique(
    sizes: IntArray,
    ends: OffsetArray,
    grouped: IntArray,
    repairs: npt.NDArray[np.int64],
    starts: OffsetArray,
    out_heads: IntArray,
    out_dependents: IntArray,
) -> int:
    """Copy each group without repetitions; count those as repairs of their sentence."""
    word, count = 0, 0
    for sentence in range(len(sizes)):
        starts[sentence] = count
        for dependent in range(1, sizes[sentence] + 1):
            previous = -1
            for i in range(ends[word], ends[word + 1]):
                if grouped[i] == previous:
                    repairs[sentence] += 1
                    continue
                previous = grouped[i]
                out_heads[count] = previous
                out_dependents[count] = dependent
                count += 1
            word += 1
    starts[len(sizes)] = count
    return count


def sorted_arcs(
    sizes: IntArray, words: npt.NDArray[np.int64], heads: IntArray, repairs: npt.NDArray[np.int64]
) -> tuple[OffsetArray, IntArray, IntArray]:
    """Arcs sorted by (sentence, dependent, head), each once; `repairs` is increased in place."""
    if np.bincount(words, minlength=1).max() > _MANY:  # then in order from the start, so that none has far to go
        order = np.argsort(heads, kind="stable")
        words, heads = words[order], heads[order]
    ends, grouped = _bucket(words, heads, int(offsets_of(sizes)[-1]))
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    out_heads, out_dependents = np.empty_like(grouped), np.empty_like(grouped)
    count = _unique(sizes, ends, grouped, repairs, starts, out_heads, out_dependents)
    return starts, out_heads[:count], out_dependents[:count]


@kernel
def _by_left_end(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, longest_first: bool
) -> IntArray:
    """Two passes a sentence: by right end, then by left end, each keeping what stands in order."""
    longest = sizes.max() if len(sizes) else 0
    order = np.arange(len(heads)).astype(np.int32)
    before, ends = np.empty_like(order), np.empty_like(order)
    place = np.empty(longest + 2, dtype=np.int64)
    for s in range(len(sizes)):
        n, start, end = sizes[s], starts[s], starts[s + 1]
        for turn in range(2):
            place[: n + 2] = 0
            for i in range(start, end):
                head, dependent = heads[order[i]], dependents[order[i]]
                if turn == 1:
                    ends[i] = min(head, dependent)
                else:
                    ends[i] = n - max(head, dependent) if longest_first else max(head, dependent)
                before[i] = order[i]
                place[ends[i] + 1] += 1
            place[0] = start
            for word in range(n + 1):
                place[word + 1] += place[word]
            for i in range(start, end):
                order[place[ends[i]]] = before[i]
                place[ends[i]] += 1
    return order


def by_left_end(arcs: Arcs, longest_first: bool = False) -> IntArray:
    """The numbers of the arcs, those of each sentence by left end; where that is the same, by length."""
    return _by_left_end(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, longest_first)
