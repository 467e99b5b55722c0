"""Arc-eager: SHIFT or RIGHT-ARC reads a word; LEFT-ARC and REDUCE take the top off the stack before the next read.

RIGHT-ARC: the top of the stack heads the word that is read. LEFT-ARC: the next word heads the top, which has no head
yet and is removed. REDUCE: the top, which has a head, is removed. Arcs are made as soon as possible, and REDUCE only
comes where the next word is to be joined with a word below the top; so none comes after the last word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from arctag.encodings.labels import OffsetArray
from arctag.encodings.trees.base import Repairs
from arctag.encodings.trees.transitions import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT, StackTransitions
from arctag.graph import IntArray
from arctag.kernel import kernel


@kernel
def _encode(sizes: IntArray, heads: IntArray) -> tuple[IntArray, OffsetArray]:
    """A word is read once and taken off once at most, so there are at most two transitions a word."""
    longest = sizes.max() if len(sizes) else 0
    values = np.empty(2 * len(heads), dtype=np.int32)
    offsets = np.empty(len(heads) + 1, dtype=np.int64)
    stack = np.zeros(longest + 1, dtype=np.int32)
    missing = np.empty(longest + 2, dtype=np.int32)  # how many dependents to its left a word still lacks
    at, first = 0, -1  # the row of word w is first + w
    for s in range(len(sizes)):
        n = sizes[s]
        missing[: n + 1] = 0
        for word in range(1, n + 1):
            if heads[first + word] > word:
                missing[heads[first + word]] += 1
        top = 0
        for word in range(1, n + 1):
            head = heads[first + word]
            # a head to the left, and dependents to the left, are on the stack: what lies above them goes
            while stack[top] != head and (head < word or missing[word] > 0):
                if heads[first + stack[top]] == word:
                    values[at] = LEFT_ARC
                    missing[word] -= 1
                else:
                    values[at] = REDUCE
                at += 1
                top -= 1
            offsets[first + word] = at
            values[at] = RIGHT_ARC if stack[top] == head else SHIFT
            at += 1
            top += 1
            stack[top] = word
        first += n
    offsets[len(heads)] = at
    return values[:at], offsets


@kernel
def _decode(values: IntArray, offsets: OffsetArray, sizes: IntArray, repairs: Repairs) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    heads = np.full(sizes.sum(), -1, dtype=np.int32)
    stack = np.zeros(longest + 1, dtype=np.int32)
    first = -1
    for s in range(len(sizes)):
        top = 0
        for word in range(1, sizes[s] + 1):
            start, end = offsets[first + word], offsets[first + word + 1]
            if start < end and (values[start] == SHIFT or values[start] == RIGHT_ARC):
                if values[start] == RIGHT_ARC:
                    heads[first + word] = stack[top]
                start += 1
            else:
                repairs[s] += 1
            top += 1
            stack[top] = word
            for i in range(start, end):
                attached = top > 0 and heads[first + stack[top]] >= 0
                if values[i] == LEFT_ARC and top > 0 and not attached and word < sizes[s]:
                    heads[first + stack[top]] = word + 1
                    top -= 1
                elif values[i] == REDUCE and attached:
                    top -= 1
                else:
                    repairs[s] += 1
        first += sizes[s]
    return heads


@dataclass(frozen=True)
class ArcEager(StackTransitions):
    """How arc-eager reads a word and what follows: 'SL', 'RDD'. Covers every projective tree."""

    LABEL = re.compile("[SR][LD]*")
    EXAMPLE = "RDL"
    KERNELS = _encode, _decode

    @property
    def name(self) -> str:
        return "arceager"
