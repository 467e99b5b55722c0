"""Absolute (A) and relative (R): a label is the sorted tuple of a word's heads, or of the offsets to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, Encoding, bad_label, finish
from arctag.encodings.labels import Arcs, LabelRow, Labels, OffsetArray
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel


@kernel
def _encode(
    arcs_starts: OffsetArray, sizes: IntArray, heads: IntArray, dependents: IntArray, relative: bool
) -> tuple[IntArray, OffsetArray]:
    """Arcs are sorted by dependent, so the values are the heads as they stand."""
    total = sizes.sum()
    offsets = np.zeros(total + 1, dtype=np.int64)
    values = np.empty(len(heads), dtype=np.int32)
    first = 0
    for sentence in range(len(sizes)):
        for i in range(arcs_starts[sentence], arcs_starts[sentence + 1]):
            values[i] = heads[i] - dependents[i] if relative else heads[i]
            offsets[first + dependents[i]] += 1
        first += sizes[sentence]
    for i in range(total):
        offsets[i + 1] += offsets[i]
    return values, offsets


@kernel
def _decode(
    values: IntArray, offsets: OffsetArray, sizes: IntArray, relative: bool, repairs: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    words = np.empty(len(values), dtype=np.int64)
    heads = np.empty(len(values), dtype=np.int32)
    word, count = 0, 0
    for sentence in range(len(sizes)):
        for dependent in range(1, sizes[sentence] + 1):
            for i in range(offsets[word], offsets[word + 1]):
                head = int(values[i]) + (dependent if relative else 0)
                if head < 0 or head > sizes[sentence]:
                    repairs[sentence] += 1
                    continue
                words[count] = word
                heads[count] = head
                count += 1
            word += 1
    return words[:count], heads[:count]


@dataclass(frozen=True)
class _Positional(Encoding):
    """What both share: everything but whether positions are relative."""

    @property
    def _relative(self) -> bool:
        return self.name == "relative"

    def encode_all(self, arcs: Arcs) -> Labels:
        values, offsets = _encode(arcs.starts, arcs.sizes, arcs.heads, arcs.dependents, self._relative)
        return Labels(values, offsets, arcs.sizes)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        repairs = np.zeros(len(labels.sizes), dtype=np.int64)
        words, heads = _decode(labels.values, labels.offsets, labels.sizes, self._relative, repairs)
        return finish(labels.sizes, words, heads, repairs)

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.ones(len(arcs.heads), dtype=np.bool_)

    def format(self, row: Sequence[int]) -> str:
        return f"({','.join(map(str, row))})"

    def parse(self, text: str) -> LabelRow:
        if not re.fullmatch(r"\((-?\d{1,9}(,-?\d{1,9})*)?\)", text):
            raise bad_label(self.name, text, "(-1,3)" if self._relative else "(2,6)")
        return tuple(int(part) for part in text[1:-1].split(",") if part)


@dataclass(frozen=True)
class Absolute(_Positional):
    """The positions of a word's heads: (2,6). Covers every graph; labels grow with the sentence."""

    @property
    def name(self) -> str:
        return "absolute"


@dataclass(frozen=True)
class Relative(_Positional):
    """The distances to a word's heads: (-1,3). Covers every graph."""

    @property
    def name(self) -> str:
        return "relative"
