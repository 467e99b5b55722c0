"""Bits4 from the definition: every word has one head in every plane, a null arc if no real one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from arctag.encodings.base import DecodedBatch, SimpleEncoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.labels import Arcs, LabelRow, Labels
from arctag.graph import Graph
from arctag.testing.oracles.planes import Arc, bit_planes, fit, one_head_conflict


@dataclass(frozen=True)
class SlowBits4(SimpleEncoding):
    """A row has one number a plane, whose four bits are b0 (the highest) to b3."""

    k: int = 2
    first_null: Literal["next", "root"] = "next"

    @property
    def name(self) -> str:
        """Not in the registry."""
        return f"oracle-bits4-{self.k}"

    def encode_one(self, n: int, arcs: list[Arc]) -> list[LabelRow]:
        """Four bits of every word in every plane, null arcs added."""
        heads = [self._heads(n, plane) for plane in self._planes(arcs)]
        return [tuple(_bits(word, head_of) for head_of in heads) for word in range(1, n + 1)]

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[Arc], int]:
        """All arcs, null arcs among them: bits alone cannot tell."""
        planes, repairs = self._decode_planes(rows)
        return sorted({arc for plane in planes for arc in plane}), repairs

    def encode_all(self, arcs: Arcs) -> Labels:
        """Besides the labels, mark the planes where a word's arc is a null arc."""
        labels = super().encode_all(arcs)
        marks = []
        for graph in arcs.graphs():
            planes = self._planes(list(graph.arc_set()))
            for word in range(1, graph.n + 1):
                marks += [all(dependent != word for _, dependent in plane) for plane in planes]
        return Labels(labels.values, labels.offsets, labels.sizes, np.array(marks, dtype=np.bool_))

    def decode_all(self, labels: Labels) -> DecodedBatch:
        """Leave out the arcs that are marked as null arcs, where the marks are known and fit."""
        words = int(labels.sizes.sum())
        if labels.artificial is None or labels.artificial.size != words * self.k:
            return super().decode_all(labels)
        graphs, repairs = [], []
        for part in labels.sentences():
            planes, needed = self._decode_planes(list(part))
            null = np.asarray(part.artificial).reshape(len(part), self.k)
            real = {arc for number, plane in enumerate(planes) for arc in plane if not null[arc[1] - 1, number]}
            graphs.append(Graph(len(part), [(head, dependent, "_") for head, dependent in real]))
            repairs.append(needed)
        return DecodedBatch(Arcs.of(graphs), np.array(repairs, dtype=np.int64))

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return Bits4(self.k).format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return Bits4(self.k).parse(text)

    def _planes(self, arcs: list[Arc]) -> list[list[Arc]]:
        return bit_planes(arcs, self.k, one_head_conflict)

    def _heads(self, n: int, plane: list[Arc]) -> dict[int, int]:
        """The head of every word: in the plane, else the word before it (for word 1: see `first_null`)."""
        heads = {word: word - 1 for word in range(1, n + 1)}
        if self.first_null == "next" and n > 1:
            heads[1] = 2
        heads.update({dependent: head for head, dependent in plane})
        return heads

    def _decode_planes(self, rows: list[LabelRow]) -> tuple[list[list[Arc]], int]:
        """The arcs of each plane: right arcs in a pass rightwards, left arcs in a pass leftwards."""
        planes: list[list[Arc]] = []
        repairs = sum(len(row) != self.k or min(row) < 0 for row in rows)
        words = range(1, len(rows) + 1)
        for number in range(self.k):
            bits = {word: f"{fit(rows[word - 1], self.k)[number] & 15:04b}" for word in words}
            right, right_repairs = _one_pass(words, bits, "1", 3, [0])
            left, left_repairs = _one_pass(words[::-1], bits, "0", 2, [])
            planes.append(right + left)
            repairs += right_repairs + left_repairs
        return planes, repairs


def _bits(word: int, head_of: dict[int, int]) -> int:
    """The four bits of a word in a plane, as a number."""
    head = head_of[word]
    siblings = [other for other in head_of if head_of[other] == head and (other > head) == (word > head)]
    farthest = all(abs(other - head) <= abs(word - head) for other in siblings)
    left = any(head_of[other] == word for other in head_of if other < word)
    right = any(head_of[other] == word for other in head_of if other > word)
    return int(f"{head < word:b}{farthest:b}{left:b}{right:b}", 2)


def _one_pass(
    order: Iterable[int], bits: dict[int, str], way: str, has_dependents: int, bottom: list[int]
) -> tuple[list[Arc], int]:
    """Match words whose b0 is `way` with the nearest open head; the farthest dependent closes it."""
    arcs: list[Arc] = []
    stack = list(bottom)
    repairs = 0
    for word in order:
        if bits[word][0] == way:
            if stack:
                arcs.append((stack[-1], word))
                if bits[word][1] == "1" and len(stack) > len(bottom):
                    stack.pop()
            else:
                repairs += 1
        if bits[word][has_dependents] == "1":
            stack.append(word)
    return arcs, repairs + len(stack) - len(bottom)
