"""`Oracle`: an encoding that encodes by its definition and decodes step by step, as `arctag.trace` explains it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arctag.encodings.base import DecodedBatch, Encoding, SimpleEncoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.conflicts import Arc
from arctag.encodings.labels import Arcs, LabelRow, Labels
from arctag.encodings.trees.base import NO_HEAD, Repairs, TreeEncoding, as_arcs
from arctag.graph import Graph, IntArray
from arctag.testing.oracles.definitions import Definition, bits4_planes
from arctag.testing.oracles.sound_rows import sound_row
from arctag.testing.oracles.tree_definitions import TreeDefinition
from arctag.trace import Trace, trace
from arctag.trace.tree_repair import TREE


@dataclass(frozen=True)
class Oracle(SimpleEncoding):
    """A slow version of one of Arctag's encodings."""

    fast: Encoding
    definition: Definition

    @property
    def name(self) -> str:
        """Not in the registry."""
        return f"oracle-{self.fast.name}"

    def encode_one(self, n: int, arcs: list[Arc]) -> list[LabelRow]:
        """The labels by the definition."""
        return self.definition(n, arcs)

    def decode_one(
        self, rows: list[LabelRow], nulls: Sequence[Collection[int]] | None = None
    ) -> tuple[Iterable[Arc], int]:
        """The arcs of a trace, and its repairs with those that make the rows well-formed."""
        sound = [sound_row(self.fast, row) for row in rows]
        steps = trace(self.fast, [self.fast.format(row) for row, _ in sound], nulls=nulls)
        return steps.arcs, steps.repairs + sum(repairs for _, repairs in sound)

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return self.fast.format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return self.fast.parse(text)


@dataclass(frozen=True)
class Bits4Oracle(Oracle):
    """The same for bits4, which marks null arcs."""

    fast: Bits4

    def encode_all(self, arcs: Arcs) -> Labels:
        """Besides the labels, mark the planes where a word's arc is a null arc."""
        labels = super().encode_all(arcs)
        marks = []
        for graph in arcs.graphs():
            planes = bits4_planes(list(graph.arc_set()), self.fast.k)
            for word in range(1, graph.n + 1):
                marks += [all(dependent != word for _, dependent in plane) for plane in planes]
        return Labels(labels.values, labels.offsets, labels.sizes, np.array(marks, dtype=np.bool_))

    def decode_all(self, labels: Labels) -> DecodedBatch:
        """Leave out the arcs that are marked as null arcs, where the marks are known and fit."""
        if labels.artificial is None or labels.artificial.size != len(labels) * self.fast.k:
            return super().decode_all(labels)
        graphs, repairs = [], []
        for part in labels.sentences():
            null = np.asarray(part.artificial).reshape(len(part), self.fast.k)
            arcs, needed = self.decode_one(list(part), [(np.flatnonzero(row) + 1).tolist() for row in null])
            graphs.append(Graph(len(part), [(head, dependent, "_") for head, dependent in arcs]))
            repairs.append(needed)
        return DecodedBatch(Arcs.of(graphs), np.array(repairs, dtype=np.int64))


@dataclass(frozen=True)
class TreeOracle(TreeEncoding):
    """A slow version of one of Arctag's encodings for trees."""

    fast: TreeEncoding
    definition: TreeDefinition

    @property
    def name(self) -> str:
        """Not in the registry."""
        return f"oracle-{self.fast.name}"

    def encode_trees(self, sizes: IntArray, heads: IntArray) -> Labels:
        """The labels by the definition."""
        trees = np.split(heads, np.cumsum(sizes)[:-1])
        rows = [row for tree in trees for row in self.definition(tree.tolist())]
        return Labels.from_rows(rows, sizes.tolist())

    def decode_heads(self, labels: Labels) -> tuple[IntArray, Repairs]:
        """The heads before the last step of a trace, which makes a tree."""
        heads = [head for steps, _ in self._traces(labels) for head in _before_the_tree(steps)]
        return np.array(heads, dtype=np.int32), np.zeros(len(labels.sizes), dtype=np.int64)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        """The heads and repairs of a trace, with the repairs that make the rows well-formed."""
        traces = list(self._traces(labels))
        heads = [head for steps, _ in traces for head, _ in steps.arcs]
        repairs = [steps.repairs + unsound for steps, unsound in traces]
        arcs = as_arcs(labels.sizes, np.array(heads, dtype=np.int32))
        return DecodedBatch(arcs, np.array(repairs, dtype=np.int64))

    def _traces(self, labels: Labels) -> Iterator[tuple[Trace, int]]:
        """The trace of each sentence, and the repairs that make its rows well-formed."""
        for part in labels.sentences():
            sound = [sound_row(self.fast, row) for row in part]
            yield trace(self.fast, [self.fast.format(row) for row, _ in sound]), sum(count for _, count in sound)

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return self.fast.format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return self.fast.parse(text)


def _before_the_tree(steps: Trace) -> list[int]:
    """The leftmost head that the labels give each word; `NO_HEAD` where they give none."""
    heads = dict.fromkeys(range(1, steps.n + 1), NO_HEAD)
    arcs = [arc for step in steps.steps if step.sweep != TREE for arc in step.new_arcs]
    heads.update({arc.dependent: arc.head for arc in sorted(arcs, reverse=True) if arc.head != arc.dependent})
    return list(heads.values())
