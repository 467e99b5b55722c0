"""Covington's system: a word that is read is held against each word to its left, the nearest first, the root last.

LEFT-ARC: the word that was read heads the one to its left. RIGHT-ARC: the one to its left heads it. NO-ARC: neither;
also where the two cannot be joined, because they have heads. Each transition goes one word further to the left. A
row holds two numbers for each arc: how many NO-ARCs come before it, and its code; those after the last arc are left
out. Arcs may cross, so every tree is covered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arctag.encodings.base import bad_label
from arctag.encodings.labels import LabelRow, Labels, OffsetArray
from arctag.encodings.trees.base import Repairs, TreeEncoding
from arctag.encodings.trees.transitions import EMPTY, LEFT_ARC, LETTERS, RIGHT_ARC, letter_of
from arctag.graph import IntArray
from arctag.kernel import kernel

_ARC = re.compile(r"(N(?:[2-9]|[1-9][0-9]{1,8})?)?([LR])")
_LABEL = re.compile(f"(?:{_ARC.pattern})+")


@kernel
def _encode(sizes: IntArray, heads: IntArray) -> tuple[IntArray, OffsetArray]:
    """The dependents to the left of a word form a chain, the nearest first, complete when the word is read."""
    longest = sizes.max() if len(sizes) else 0
    values = np.empty(2 * len(heads), dtype=np.int32)
    offsets = np.zeros(len(heads) + 1, dtype=np.int64)
    nearest = np.empty(longest + 1, dtype=np.int32)
    farther = np.empty(longest + 1, dtype=np.int32)
    at, first = 0, -1  # the row of word w is first + w
    for s in range(len(sizes)):
        n = sizes[s]
        nearest[: n + 1] = 0
        for word in range(1, n + 1):
            head = heads[first + word]
            if head > word:
                farther[word] = nearest[head]
                nearest[head] = word
                head = -1
            dependent = nearest[word]
            left = word - 1
            while dependent > 0 or head >= 0:
                if dependent > head:
                    values[at], values[at + 1] = left - dependent, LEFT_ARC
                    left = dependent - 1
                    dependent = farther[dependent]
                else:
                    values[at], values[at + 1] = left - head, RIGHT_ARC
                    left = head - 1
                    head = -1
                at += 2
            offsets[first + word + 1] = at
        first += n
    return values[:at], offsets


@kernel
def _highest(above: IntArray, word: int) -> int:
    """The last word on the way up from a word; ways are made shorter as they are walked."""
    while above[word] != word:
        above[word] = above[above[word]]
        word = above[word]
    return word


@kernel
def _decode(values: IntArray, offsets: OffsetArray, sizes: IntArray, repairs: Repairs) -> IntArray:
    longest = sizes.max() if len(sizes) else 0
    heads = np.full(sizes.sum(), -1, dtype=np.int32)
    above = np.empty(longest + 1, dtype=np.int32)  # a word above each word, itself where it has no head
    first = -1
    for s in range(len(sizes)):
        for word in range(sizes[s] + 1):
            above[word] = word
        for word in range(1, sizes[s] + 1):
            start, end = offsets[first + word], offsets[first + word + 1]
            left = word - 1
            for i in range(start, end - 1, 2):
                skipped, code = int(values[i]), values[i + 1]
                if skipped < 0 or (code != LEFT_ARC and code != RIGHT_ARC):
                    repairs[s] += 1
                    continue
                left -= skipped
                head, dependent = (left, word) if code == RIGHT_ARC else (word, left)
                possible = left >= 0 and dependent > 0 and heads[first + dependent] < 0
                if possible and _highest(above, head) != dependent:
                    heads[first + dependent] = head
                    above[dependent] = head
                else:
                    repairs[s] += 1
                left -= 1
            repairs[s] += (end - start) % 2
        first += sizes[s]
    return heads


@dataclass(frozen=True)
class Covington(TreeEncoding):
    """The arcs of a word with words to its left and the NO-ARCs before each: 'LN3R'. Covers every tree."""

    @property
    def name(self) -> str:
        return "covington"

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        values, offsets = _encode(sizes, heads)
        return Labels(values, offsets, sizes)

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        repairs = np.zeros(len(labels.sizes), dtype=np.int64)
        return _decode(labels.values, labels.offsets, labels.sizes, repairs), repairs

    def format(self, row: Sequence[int]) -> str:
        """'N3' for three NO-ARCs, 'N' for one, 'L' or 'R' for an arc; '.' where there is no arc."""
        pairs = zip(row[::2], row[1::2], strict=False)
        return "".join(_no_arcs(skipped) + letter_of(code) for skipped, code in pairs) or EMPTY

    def parse(self, text: str) -> LabelRow:
        if text == EMPTY:
            return ()
        if not _LABEL.fullmatch(text):
            raise bad_label(self.name, text, "LN3R")
        return tuple(value for skipped, letter, _ in split(text) for value in (skipped, LETTERS.index(letter)))


def split(text: str) -> list[tuple[int, str, str]]:
    """'LN3R' → for each arc how many NO-ARCs come before it, its letter, and its part of the text."""
    return [(_count(match[1] or ""), match[2], match[0]) for match in _ARC.finditer(text)]


def _no_arcs(count: int) -> str:
    return "" if count == 0 else "N" if count == 1 else f"N{count}"


def _count(no_arcs: str) -> int:
    """'N3' → 3."""
    return int(no_arcs[1:] or 1) if no_arcs else 0
