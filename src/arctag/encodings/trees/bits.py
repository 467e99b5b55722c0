"""Treebits4 and treebits7: four bits a word for trees in one plane, seven for two (Gómez-Rodríguez et al. 2023).

Arcs that point the same way must not cross in a plane. A word whose arc fits none gets the word before it as its
head, in the first plane: that arc crosses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from arctag.encodings.base import bad_label
from arctag.encodings.bits4 import Bits4
from arctag.encodings.labels import LabelRow, Labels
from arctag.encodings.planes import assign
from arctag.encodings.rules import BY_LEFT_END, ONE_HEAD, Rule
from arctag.encodings.trees.base import Repairs, TreeEncoding, as_arcs
from arctag.encodings.trees.graph_labels import GraphLabels
from arctag.graph import IntArray
from arctag.kernel import kernel

HEAD_LEFT, SECOND_PLANE, FARTHEST = 64, 32, 16
HAS_LEFT, HAS_RIGHT = 8, 4  # in the first plane; those of the second are two bits lower


@kernel
def _encode(sizes: IntArray, heads: IntArray, plane: IntArray) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    bits = np.zeros(len(heads), dtype=np.int32)
    far_left = np.zeros((2, longest + 1), dtype=np.int32)  # the farthest dependents of each word, in each plane
    far_right = np.zeros((2, longest + 1), dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        far_left[:, : n + 1] = 0
        far_right[:, : n + 1] = 0
        for w in range(1, n + 1):
            p = plane[first + w]
            head = heads[first + w] if p >= 0 else w - 1
            p = max(p, 0)
            if head < w:  # the last one seen is the farthest
                far_right[p, head] = w
            elif far_left[p, head] == 0:
                far_left[p, head] = w
        for w in range(1, n + 1):
            p = plane[first + w]
            head = heads[first + w] if p >= 0 else w - 1
            p = max(p, 0)
            label = HEAD_LEFT if head < w else 0
            if p == 1:
                label |= SECOND_PLANE
            if (far_right[p, head] if head < w else far_left[p, head]) == w:
                label |= FARTHEST
            for q in range(2):
                if far_left[q, w] > 0:
                    label |= HAS_LEFT >> 2 * q
                if far_right[q, w] > 0:
                    label |= HAS_RIGHT >> 2 * q
            bits[first + w] = label
        first += n
    return bits


@kernel
def _decode(bits: IntArray, sizes: IntArray, repairs: Repairs) -> IntArray:
    """Two passes a plane: arcs to the right with the root below the stack, then arcs to the left."""
    longest = sizes.max() if len(sizes) else 0
    stack = np.empty(longest + 1, dtype=np.int32)
    heads = np.full(len(bits), -1, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        n = sizes[s]
        for p in range(2):
            here = SECOND_PLANE * p
            top = 0
            for w in range(1, n + 1):
                label = bits[first + w]
                if label & HEAD_LEFT and label & SECOND_PLANE == here:
                    heads[first + w] = stack[top - 1] if top > 0 else 0
                    if label & FARTHEST and top > 0:
                        top -= 1
                if label & (HAS_RIGHT >> 2 * p):
                    stack[top] = w
                    top += 1
            repairs[s] += top
            top = 0
            for w in range(n, 0, -1):
                label = bits[first + w]
                if not label & HEAD_LEFT and label & SECOND_PLANE == here:
                    if top == 0:
                        repairs[s] += 1
                    else:
                        heads[first + w] = stack[top - 1]
                        if label & FARTHEST:
                            top -= 1
                if label & (HAS_LEFT >> 2 * p):
                    stack[top] = w
                    top += 1
            repairs[s] += top
        first += n
    return heads


@dataclass(frozen=True)
class TreeBits4(GraphLabels):
    """Head to the left, farthest dependent of its head, dependents to the left, to the right: '1101'. 16 labels."""

    example: ClassVar[str] = "1101"

    @property
    def name(self) -> str:
        return "treebits4"

    @property
    def graphs(self) -> Bits4:
        return Bits4(1, first_null="root")


@dataclass(frozen=True)
class TreeBits7(TreeEncoding):
    """Head to the left, second plane, farthest dependent, dependents on each side in each plane: '1010101'."""

    @property
    def name(self) -> str:
        return "treebits7"

    @property
    def factors(self) -> tuple[int, ...]:
        return (128,)

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        plane = assign(as_arcs(sizes, heads), Rule(BY_LEFT_END, ONE_HEAD, first_stays=True), 2)
        return Labels.from_matrix(_encode(sizes, heads, plane).reshape(-1, 1), sizes)

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        bits, repairs = labels.fixed_width(1, 128)
        return _decode(bits.reshape(-1), labels.sizes, repairs), repairs

    def format(self, row: Sequence[int]) -> str:
        return f"{row[0] % 128:07b}" if row else "0000000"

    def parse(self, text: str) -> LabelRow:
        if not re.fullmatch("[01]{7}", text):
            raise bad_label(self.name, text, "1010101")
        return (int(text, 2),)
