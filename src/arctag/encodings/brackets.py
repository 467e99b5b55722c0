r"""Brackets-K (B_K): every arc puts a bracket on both its words, a set of brackets for each plane.

A right arc is `/` at its head and `>` at its dependent, a left arc `<` at its dependent and `\` at
its head. A row holds, for each plane, how many of `\`, `>`, `<` and `/` the word has. Decoding
keeps one stack for each direction; at the bottom of the right one lies the root, never popped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, Encoding, bad_label, finish
from arctag.encodings.labels import Arcs, LabelRow, Labels, OffsetArray
from arctag.encodings.planes import assign
from arctag.encodings.rules import BY_DEPENDENT, MANY_HEADS, Crossing, Planes, Rule, check_options
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

SYMBOLS = "\\></"


@kernel
def _encode(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, plane: IntArray, k: int
) -> IntArray:
    total = sizes.sum()
    counts = np.zeros((total, 4 * k), dtype=np.int32)
    first = -1  # the row of word w is first + w
    for s in range(len(sizes)):
        for i in range(starts[s], starts[s + 1]):
            head, dependent, base = heads[i], dependents[i], 4 * plane[i]
            if base < 0:
                continue
            if head < dependent:
                counts[first + dependent, base + 1] += 1
                if head > 0:
                    counts[first + head, base + 3] += 1
            else:
                counts[first + dependent, base + 2] += 1
                counts[first + head, base] += 1
        first += sizes[s]
    return counts


@kernel
def _pop(left: IntArray, top: int, wanted: int) -> tuple[int, int, bool]:
    """Take brackets off the topmost word; give the new top, how many were taken, whether there was one."""
    if top == 0:
        return 0, 0, False
    taken = min(left[top - 1], wanted)
    left[top - 1] -= taken
    return (top - 1 if left[top - 1] == 0 else top), taken, True


@kernel
def _decode(
    counts: IntArray, sizes: IntArray, k: int, repairs: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """A stack entry is a word and how many of its brackets are still open."""
    longest = sizes.max() if len(sizes) else 0
    word, left = np.empty((2, longest), dtype=np.int32), np.empty((2, longest), dtype=np.int32)
    # each step below either empties a stack entry or uses up a word's brackets: at most 2 * 2 * k a word
    out_words = np.empty(len(counts) * 4 * k, dtype=np.int64)
    out_heads = np.empty(len(counts) * 4 * k, dtype=np.int32)
    count, first = 0, -1
    for s in range(len(sizes)):
        for base in range(0, 4 * k, 4):
            rights, lefts = 0, 0
            for w in range(1, sizes[s] + 1):
                row = first + w
                wanted = int(counts[row, base + 1])
                while wanted > 0:
                    head = word[0, rights - 1] if rights > 0 else 0
                    rights, taken, there = _pop(left[0], rights, wanted)
                    if not there:
                        taken = wanted  # the root serves a word once
                    out_words[count] = row
                    out_heads[count] = head
                    count += 1
                    repairs[s] += taken - 1
                    wanted -= taken
                wanted = int(counts[row, base])
                while wanted > 0:
                    dependent = word[1, lefts - 1] if lefts > 0 else 0
                    lefts, taken, there = _pop(left[1], lefts, wanted)
                    if not there:
                        repairs[s] += wanted
                        break
                    out_words[count] = first + dependent
                    out_heads[count] = w
                    count += 1
                    repairs[s] += taken - 1
                    wanted -= taken
                if counts[row, base + 2] > 0:
                    word[1, lefts], left[1, lefts] = w, counts[row, base + 2]
                    lefts += 1
                if counts[row, base + 3] > 0:
                    word[0, rights], left[0, rights] = w, counts[row, base + 3]
                    rights += 1
            for i in range(rights):
                repairs[s] += left[0, i]
            for i in range(lefts):
                repairs[s] += left[1, i]
        first += sizes[s]
    return out_words[:count], out_heads[:count]


@dataclass(frozen=True)
class Brackets(Encoding):
    r"""Brackets for both ends of each arc, in K planes: '></'. Labels are not bounded in number."""

    k: int = 2
    crossing: Crossing = "relaxed"
    planes: Planes = "greedy"

    def __post_init__(self) -> None:
        check_options(self.k, self.planes, self.crossing)

    @property
    def name(self) -> str:
        return f"brackets-{self.k}"

    def _assign(self, arcs: Arcs) -> IntArray:
        return assign(arcs, Rule(BY_DEPENDENT, MANY_HEADS, self.crossing, self.planes), self.k)

    def encode_all(self, arcs: Arcs) -> Labels:
        counts = _encode(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, self._assign(arcs), self.k)
        return Labels.from_matrix(counts, arcs.sizes)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        counts, repairs = labels.fixed_width(4 * self.k)
        words, heads = _decode(counts, labels.sizes, self.k, repairs)
        return finish(labels.sizes, words, heads, repairs)

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return self._assign(arcs) >= 0

    def format(self, row: Sequence[int]) -> str:
        """Symbols in the paper's order, a star for each plane after the first; '.' for no bracket."""
        planes = range(len(row) // 4)
        return "".join((SYMBOLS[i] + "*" * p) * row[4 * p + i] for i in range(4) for p in planes) or "."

    def parse(self, text: str) -> LabelRow:
        row = [0] * (4 * self.k)
        for part in _split_symbols(text if text != "." else ""):
            plane = len(part) - 1
            if part[0] not in SYMBOLS or plane >= self.k:
                raise bad_label(self.name, text, "></")
            row[4 * plane + SYMBOLS.index(part[0])] += 1
        return tuple(row)


def _split_symbols(text: str) -> list[str]:
    """'>>*/' → '>', '>*', '/'."""
    parts: list[str] = []
    for character in text:
        if character == "*" and parts:
            parts[-1] += "*"
        else:
            parts.append(character)
    return parts
