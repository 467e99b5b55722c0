"""Bits6-K (B6_K): six bits a word and pair of planes, one plane for each direction.

In each pair the first three bits are about arcs to the right: the word has a head there; it is
the farthest dependent of that head; it has dependents there. The last three say the same of arcs
to the left. A word without a head needs no null arc.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, finish
from arctag.encodings.bits import Bits
from arctag.encodings.labels import Arcs, Labels, OffsetArray
from arctag.encodings.rules import ONE_HEAD_EACH_WAY
from arctag.graph import IntArray
from arctag.kernel import kernel

HEAD, FARTHEST, HAS = 4, 2, 1  # of arcs to the left; shifted by 3 for arcs to the right


@kernel
def _encode(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, plane: IntArray, k: int
) -> IntArray:
    total, longest = sizes.sum(), sizes.max() if len(sizes) else 0
    bits = np.zeros((total, k), dtype=np.int32)
    far = np.zeros((k, 2, longest + 1), dtype=np.int32)  # the farthest dependent of each word, by plane and side
    first = -1
    for s in range(len(sizes)):
        start, end = starts[s], starts[s + 1]
        for i in range(start, end):  # dependents grow: to the right the last is farthest, to the left the first
            head, dependent = heads[i], dependents[i]
            if plane[i] < 0:
                continue
            if head < dependent:
                far[plane[i], 1, head] = dependent
            elif far[plane[i], 0, head] == 0:
                far[plane[i], 0, head] = dependent
        for i in range(start, end):
            head, dependent, p = heads[i], dependents[i], plane[i]
            if p < 0:
                continue
            side = 1 if head < dependent else 0
            mark = HEAD | FARTHEST if far[p, side, head] == dependent else HEAD
            bits[first + dependent, p] |= mark << (3 * side)
            if head > 0:
                bits[first + head, p] |= HAS << (3 * side)
        for i in range(start, end):
            if plane[i] >= 0:
                far[plane[i], :, heads[i]] = 0
        first += sizes[s]
    return bits


@kernel
def _decode(
    bits: IntArray, sizes: IntArray, k: int, repairs: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """One pass a plane: rightwards with the root below the stack, leftwards with nothing below it."""
    longest = sizes.max() if len(sizes) else 0
    stack = np.empty(longest + 1, dtype=np.int32)
    words = np.empty(2 * bits.size, dtype=np.int64)
    heads = np.empty(2 * bits.size, dtype=np.int32)
    count, first = 0, -1
    for s in range(len(sizes)):
        n = sizes[s]
        for p in range(k):
            for side in range(2):
                top = 0
                for step in range(1, n + 1):
                    w = n + 1 - step if side == 0 else step
                    label = bits[first + w, p] >> (3 * side)
                    if label & HEAD:
                        if top > 0 or side == 1:
                            words[count] = first + w
                            heads[count] = stack[top - 1] if top > 0 else 0
                            count += 1
                            if label & FARTHEST and top > 0:
                                top -= 1
                        else:
                            repairs[s] += 1
                    elif label & FARTHEST:
                        repairs[s] += 1
                    if label & HAS:
                        stack[top] = w
                        top += 1
                repairs[s] += top
        first += n
    return words[:count], heads[:count]


@dataclass(frozen=True)
class Bits6(Bits):
    """Six bits for each pair of planes, one head a plane: '110001'. At most 64^K labels."""

    example: ClassVar[str] = "110001"
    heads: ClassVar[int] = ONE_HEAD_EACH_WAY

    def encode_all(self, arcs: Arcs) -> Labels:
        bits = _encode(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, self._assign(arcs), self.k)
        return Labels.from_matrix(bits, arcs.sizes)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        bits, repairs = labels.fixed_width(self.k, 64)
        words, heads = _decode(bits, labels.sizes, self.k, repairs)
        return finish(labels.sizes, words, heads, repairs)
