"""PoS-relative positions from their definition: the words between a word and its head are counted one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arctag.encodings.base import DecodedBatch, SimpleEncoding
from arctag.encodings.conflicts import Arc
from arctag.encodings.labels import Arcs, LabelRow, Labels, offsets_of
from arctag.encodings.pos_relative import ROOT, PosRelative
from arctag.encodings.upos import OTHER, UPOS
from arctag.graph import Graph, IntArray
from arctag.testing.oracles.sound_rows import sound_row
from arctag.trace import trace


def pos_relative(n: int, arcs: list[Arc], tags: Sequence[int]) -> list[LabelRow]:
    """The label of a word has (t, k) for each head: its tag t, and how many words with t lie up to it, itself counted.

    To the left k is below 0.
    """
    rows = []
    for word in range(1, n + 1):
        heads = sorted(head for head, dependent in arcs if dependent == word)
        rows.append(tuple(number for head in heads for number in _pair(word, head, tags)))
    return rows


def _pair(word: int, head: int, tags: Sequence[int]) -> tuple[int, int]:
    if head == 0:
        return ROOT, -1
    tag = tags[head - 1]
    if head > word:
        return tag, sum(tags[other - 1] == tag for other in range(word + 1, head + 1))
    return tag, -sum(tags[other - 1] == tag for other in range(head, word))


@dataclass(frozen=True)
class PosOracle(SimpleEncoding):
    """The slow version of PoS-relative positions; it decodes step by step, as `arctag.trace` explains it."""

    fast: PosRelative

    needs_tags = True

    @property
    def name(self) -> str:
        """Not in the registry."""
        return f"oracle-{self.fast.name}"

    def encode_all(self, arcs: Arcs) -> Labels:
        """The labels by the definition."""
        rows: list[LabelRow] = []
        for graph, tags in zip(arcs.graphs(), _tags(arcs.tags, arcs.sizes), strict=True):
            rows += pos_relative(graph.n, list(graph.arc_set()), tags)
        labels = Labels.from_rows(rows, arcs.sizes.tolist())
        return Labels(labels.values, labels.offsets, labels.sizes, tags=arcs.tags)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        """The arcs of a trace, and its repairs with those that make the rows well-formed."""
        graphs, repairs = [], []
        for part, tags in zip(labels.sentences(), _tags(labels.tags, labels.sizes), strict=True):
            arcs, needed = self._decode(list(part), tags)
            graphs.append(Graph(len(part), [(head, dependent, "_") for head, dependent in arcs]))
            repairs.append(needed)
        return DecodedBatch(Arcs.of(graphs, labels.tags), np.array(repairs, dtype=np.int64))

    def encode_one(self, n: int, arcs: list[Arc]) -> list[LabelRow]:
        """Without tags."""
        return pos_relative(n, arcs, [OTHER] * n)

    def decode_one(self, rows: list[LabelRow]) -> tuple[list[Arc], int]:
        """Without tags."""
        return self._decode(rows, [OTHER] * len(rows))

    def _decode(self, rows: list[LabelRow], tags: Sequence[int]) -> tuple[list[Arc], int]:
        sound = [sound_row(self.fast, row) for row in rows]
        steps = trace(self.fast, [self.fast.format(row) for row, _ in sound], tags=[UPOS[tag] for tag in tags])
        return steps.arcs, steps.repairs + sum(repairs for _, repairs in sound)

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return self.fast.format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return self.fast.parse(text)


def _tags(tags: IntArray | None, sizes: IntArray) -> Iterator[list[int]]:
    """The tags of the words of each sentence; what is not in the table is X, as where there are none."""
    words = [OTHER] * int(sizes.sum()) if tags is None else tags.tolist()
    ends = offsets_of(sizes).tolist()
    for start, end in zip(ends, ends[1:], strict=False):
        yield [tag if 0 <= tag < len(UPOS) else OTHER for tag in words[start:end]]
