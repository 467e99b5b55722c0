"""Labels made of transitions: what the encodings after transition systems share.

A transition-based parser reads the words from left to right, and its transitions make the arcs. A word's label is
the sequence of transitions from the one that reads it up to the one that reads the next word (Gómez-Rodríguez,
Strzyz and Vilares 2020). Where a system has one way of reading only, SHIFT, it goes without saying. The root lies on
the stack from the start and is never taken off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from arctag.encodings.base import bad_label
from arctag.encodings.labels import LabelRow, Labels, OffsetArray
from arctag.encodings.trees.base import Repairs, TreeEncoding
from arctag.encodings.trees.lifting import lifted
from arctag.graph import IntArray

# these stand in label files, and compiled loops know them: never change them
SHIFT, RIGHT_ARC, LEFT_ARC, REDUCE = 0, 1, 2, 3
LETTERS = "SRLD"
"""The letter of each transition, by its code."""
EMPTY = "."


class StackTransitions(TreeEncoding):
    """An encoding after a system with a stack: projective trees, a row is the codes of its transitions."""

    LABEL: ClassVar[re.Pattern[str]]
    """What a label looks like."""
    EXAMPLE: ClassVar[str]
    KERNELS: ClassVar[
        tuple[
            Callable[[IntArray, IntArray], tuple[IntArray, OffsetArray]],
            Callable[[IntArray, OffsetArray, IntArray, Repairs], IntArray],
        ]
    ]
    """The loops that encode projective trees, and decode labels."""

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        values, offsets = self.KERNELS[0](sizes, lifted(sizes, heads))
        return Labels(values, offsets, sizes)

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        repairs = np.zeros(len(labels.sizes), dtype=np.int64)
        return self.KERNELS[1](labels.values, labels.offsets, labels.sizes, repairs), repairs

    def format(self, row: Sequence[int]) -> str:
        """A letter for each transition, '.' for none."""
        return "".join(letter_of(code) for code in row) or EMPTY

    def parse(self, text: str) -> LabelRow:
        if not self.LABEL.fullmatch(text):
            raise bad_label(self.name, text, self.EXAMPLE)
        return tuple(LETTERS.index(letter) for letter in text if letter != EMPTY)


def letter_of(code: int) -> str:
    """The letter of a transition; '?' for a code that no transition has."""
    return LETTERS[code] if 0 <= code < len(LETTERS) else "?"
