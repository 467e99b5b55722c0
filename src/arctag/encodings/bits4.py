"""Bits4-K (B4_K): four bits a word and plane; every word has exactly one head in every plane.

In each plane the bits say: the head is to the left; the word is the farthest dependent of its
head on that side; the word has dependents to its left; and to its right. A word without a head
in some plane gets a *null arc* from the word before it, which crosses nothing. A null arc cannot
be distinguished from a real one by the bits; `Labels.artificial` marks it, and a tagger learns it as a
relation of its own, as the paper does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, finish
from arctag.encodings.bits import Bits
from arctag.encodings.labels import Arcs, Labels, OffsetArray
from arctag.encodings.rules import ONE_HEAD
from arctag.errors import UnknownName
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

HEAD_LEFT, FARTHEST, HAS_LEFT, HAS_RIGHT = 8, 4, 2, 1


@kernel
def _encode(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, plane: IntArray,
    k: int, next_for_first: bool,
) -> tuple[IntArray, BoolArray]:  # fmt: skip
    total, longest = sizes.sum(), sizes.max() if len(sizes) else 0
    bits = np.zeros((total, k), dtype=np.int32)
    artificial = np.ones((total, k), dtype=np.bool_)
    head_of = np.empty((k, longest + 2), dtype=np.int32)
    far = np.empty(longest + 2, dtype=np.int32)  # the farthest dependent of each word on the side looked at
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        for p in range(k):
            for w in range(1, n + 1):
                head_of[p, w] = w - 1
            if next_for_first and n > 1:
                head_of[p, 1] = 2
        for i in range(starts[s], starts[s + 1]):
            if plane[i] >= 0:
                head_of[plane[i], dependents[i]] = heads[i]
                artificial[first + dependents[i], plane[i]] = False
        for p in range(k):
            far[: n + 1] = 0
            for w in range(1, n + 1):  # rightwards: the last one seen is the farthest
                if head_of[p, w] < w:
                    far[head_of[p, w]] = w
            for w in range(1, n + 1):
                if far[w] > 0:
                    bits[first + w, p] |= HAS_RIGHT
                if head_of[p, w] < w:
                    bits[first + w, p] |= HEAD_LEFT
                    if far[head_of[p, w]] == w:
                        bits[first + w, p] |= FARTHEST
            far[: n + 1] = 0
            for w in range(n, 0, -1):
                if head_of[p, w] > w:
                    far[head_of[p, w]] = w
            for w in range(1, n + 1):
                if far[w] > 0:
                    bits[first + w, p] |= HAS_LEFT
                if head_of[p, w] > w and far[head_of[p, w]] == w:
                    bits[first + w, p] |= FARTHEST
        first += n
    return bits, artificial


@kernel
def _decode(
    bits: IntArray, artificial: BoolArray, sizes: IntArray, k: int, repairs: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """Two passes a plane: arcs to the right with the root below the stack, then arcs to the left."""
    longest = sizes.max() if len(sizes) else 0
    stack = np.empty(longest + 1, dtype=np.int32)
    words = np.empty(bits.size, dtype=np.int64)
    heads = np.empty(bits.size, dtype=np.int32)
    count, first = 0, -1
    for s in range(len(sizes)):
        n = sizes[s]
        for p in range(k):
            top = 0
            for w in range(1, n + 1):
                label = bits[first + w, p]
                if label & HEAD_LEFT:
                    head = stack[top - 1] if top > 0 else 0
                    if not artificial[first + w, p]:
                        words[count], heads[count] = first + w, head
                        count += 1
                    if label & FARTHEST and top > 0:
                        top -= 1
                if label & HAS_RIGHT:
                    stack[top] = w
                    top += 1
            repairs[s] += top
            top = 0
            for w in range(n, 0, -1):
                label = bits[first + w, p]
                if not label & HEAD_LEFT:
                    if top == 0:
                        repairs[s] += 1
                    else:
                        if not artificial[first + w, p]:
                            words[count], heads[count] = first + w, stack[top - 1]
                            count += 1
                        if label & FARTHEST:
                            top -= 1
                if label & HAS_LEFT:
                    stack[top] = w
                    top += 1
            repairs[s] += top
        first += n
    return words[:count], heads[:count]


@dataclass(frozen=True)
class Bits4(Bits):
    """Four bits a plane, one head a plane, null arcs where there is none: '1101'. At most 16^K labels."""

    first_null: Literal["next", "root"] = "next"
    """Where the first word's null arc comes from: the second word, as in the published label
    counts, or the root, as the text of the paper says (fewer labels, the same coverage)."""

    example: ClassVar[str] = "1101"
    heads: ClassVar[int] = ONE_HEAD

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.first_null not in ("next", "root"):
            raise UnknownName("first null arc", self.first_null, ("next", "root"))

    def encode_all(self, arcs: Arcs) -> Labels:
        bits, artificial = _encode(
            arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, self._assign(arcs), self.k, self.first_null == "next"
        )
        return Labels.from_matrix(bits, arcs.sizes, artificial)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        bits, repairs = labels.fixed_width(self.k, 16)
        known = labels.artificial is not None and labels.artificial.size == bits.size
        artificial = labels.artificial.reshape(bits.shape) if known else np.zeros(bits.shape, np.bool_)  # type: ignore[union-attr]
        words, heads = _decode(bits, artificial, labels.sizes, self.k, repairs)
        decoded = finish(labels.sizes, words, heads, np.zeros_like(repairs))
        return DecodedBatch(decoded.arcs, repairs)  # planes may repeat a null arc: no fault
