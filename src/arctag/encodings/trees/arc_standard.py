"""Arc-standard: SHIFT reads a word; LEFT-ARC and RIGHT-ARC join the two topmost words of the stack.

LEFT-ARC: the top heads the word below it, which is removed. RIGHT-ARC: the word below heads the top, which is
removed. Words are joined as soon as possible; a word gets its head to the left when it has all its own dependents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from arctag.encodings.labels import OffsetArray
from arctag.encodings.trees.base import Repairs
from arctag.encodings.trees.transitions import LEFT_ARC, RIGHT_ARC, StackTransitions
from arctag.graph import IntArray
from arctag.kernel import kernel


@kernel
def _encode(sizes: IntArray, heads: IntArray) -> tuple[IntArray, OffsetArray]:
    """Each word gets its head by one transition, so there are as many transitions as words."""
    longest = sizes.max() if len(sizes) else 0
    values = np.empty(len(heads), dtype=np.int32)
    offsets = np.zeros(len(heads) + 1, dtype=np.int64)
    stack = np.zeros(longest + 1, dtype=np.int32)
    missing = np.empty(longest + 1, dtype=np.int32)  # how many dependents to its right a word still lacks
    at, first = 0, -1  # the row of word w is first + w
    for s in range(len(sizes)):
        n = sizes[s]
        missing[: n + 1] = 0
        for word in range(1, n + 1):
            if heads[first + word] < word:
                missing[heads[first + word]] += 1
        top = 0
        for word in range(1, n + 1):
            top += 1
            stack[top] = word
            while top > 0:
                last, below = stack[top], stack[top - 1]
                if below > 0 and heads[first + below] == last:
                    values[at] = LEFT_ARC
                    stack[top - 1] = last
                elif heads[first + last] == below and missing[last] == 0:
                    values[at] = RIGHT_ARC
                    missing[below] -= 1
                else:
                    break
                at += 1
                top -= 1
            offsets[first + word + 1] = at
        first += n
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
            top += 1
            stack[top] = word
            for i in range(offsets[first + word], offsets[first + word + 1]):
                if values[i] == LEFT_ARC and top > 1:
                    heads[first + stack[top - 1]] = stack[top]
                    stack[top - 1] = stack[top]
                    top -= 1
                elif values[i] == RIGHT_ARC and top > 0:
                    heads[first + stack[top]] = stack[top - 1]
                    top -= 1
                else:
                    repairs[s] += 1
        first += sizes[s]
    return heads


@dataclass(frozen=True)
class ArcStandard(StackTransitions):
    """The transitions of arc-standard after a word is read: 'LR'. Covers every projective tree."""

    LABEL = re.compile(r"[LR]+|\.")
    EXAMPLE = "LR"
    KERNELS = _encode, _decode

    @property
    def name(self) -> str:
        return "arcstandard"
