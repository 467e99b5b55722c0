"""What an encoding is: a frozen dataclass that turns graphs into label rows and back.

An `Encoding` implements its methods over batches; a `SimpleEncoding`, over a single sentence, in plain Python.
Start with the latter (see docs/extend.md).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import Arcs, LabelRow, Labels, offsets_of
from arctag.encodings.sorting import sorted_arcs
from arctag.encodings.upos import tag_numbers
from arctag.errors import InputError
from arctag.graph import BoolArray, Graph, IntArray


@dataclass(frozen=True)
class Decoded:
    """A decoded graph, and how many repairs its labels needed (0: they were well-formed)."""

    graph: Graph
    repairs: int


@dataclass(frozen=True, eq=False)
class DecodedBatch:
    """The decoded arcs of many sentences, and the repairs of each."""

    arcs: Arcs
    repairs: npt.NDArray[np.int64]

    def __iter__(self) -> Iterator[Decoded]:
        for graph, repairs in zip(self.arcs.graphs(), self.repairs.tolist(), strict=True):
            yield Decoded(graph, repairs)


class Encoding(ABC):
    """Graphs as one label per word. Implementations are frozen dataclasses."""

    trees_only: ClassVar[bool] = False
    """Whether it encodes trees and no other graphs."""
    needs_tags: ClassVar[bool] = False
    """Whether its labels depend on the tags of words."""

    @property
    def factors(self) -> tuple[int, ...]:
        """How many values each column of a row can take, where all are bounded; else nothing."""
        return ()

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which the registry finds it: 'bits6-4'."""

    @abstractmethod
    def encode_all(self, arcs: Arcs) -> Labels:
        """One label row per word; arcs that the encoding does not cover are left out."""

    @abstractmethod
    def decode_all(self, labels: Labels) -> DecodedBatch:
        """The arcs behind the labels. Never raises: ill-formed labels are repaired, and counted."""

    @abstractmethod
    def covers_all(self, arcs: Arcs) -> BoolArray:
        """Which arcs survive encoding and decoding."""

    @abstractmethod
    def format(self, row: Sequence[int]) -> str:
        """A label for people, without spaces: '></', '0110'."""

    @abstractmethod
    def parse(self, text: str) -> LabelRow:
        """The row of a formatted label; `InputError` if it is none."""

    def encode(self, graph: Graph, tags: IntArray | Sequence[str] | None = None) -> Labels:
        """One label row per word; the tags (UPOS) are those of the words, by name or number."""
        numbers = tags if tags is None or isinstance(tags, np.ndarray) else tag_numbers(tags)
        return self.encode_all(Arcs.of([graph], numbers))

    def decode(self, labels: Labels) -> Decoded:
        """The graph behind the labels of one sentence; never raises."""
        return next(iter(self.decode_all(labels)))

    def covers(self, graph: Graph) -> BoolArray:
        """Which arcs of the graph survive, in the order of its arcs."""
        return self.covers_all(Arcs.of([graph]))


class SimpleEncoding(Encoding):
    """An encoding written in plain Python, one sentence at a time."""

    @abstractmethod
    def encode_one(self, n: int, arcs: list[tuple[int, int]]) -> list[LabelRow]:
        """The labels of a sentence of n words with these (head, dependent) arcs."""

    @abstractmethod
    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[tuple[int, int]], int]:
        """The (head, dependent) arcs behind the rows, and the number of repairs."""

    def encode_all(self, arcs: Arcs) -> Labels:
        rows: list[LabelRow] = []
        for graph in arcs.graphs():
            pairs = list(zip(graph.heads.tolist(), graph.dependents.tolist(), strict=True))
            rows.extend(self.encode_one(graph.n, pairs))
        return Labels.from_rows(rows, arcs.sizes.tolist())

    def decode_all(self, labels: Labels) -> DecodedBatch:
        words: list[int] = []
        heads: list[int] = []
        repairs = np.zeros(len(labels.sizes), dtype=np.int64)
        for i, (part, first) in enumerate(zip(labels.sentences(), offsets_of(labels.sizes).tolist(), strict=False)):
            arcs, repairs[i] = self.decode_one(list(part))
            for head, dependent in arcs:
                if 0 <= head <= len(part) and 1 <= dependent <= len(part):
                    heads.append(head)
                    words.append(first + dependent - 1)
                else:
                    repairs[i] += 1
        return finish(labels.sizes, np.array(words, np.int64), np.array(heads, np.int32), repairs)

    def covers_all(self, arcs: Arcs) -> BoolArray:
        back = self.decode_all(self.encode_all(arcs)).arcs
        covered = np.zeros(len(arcs.heads), dtype=np.bool_)
        for i, (before, after) in enumerate(zip(arcs.graphs(), back.graphs(), strict=True)):
            kept = after.arc_set()
            pairs = zip(before.heads.tolist(), before.dependents.tolist(), strict=True)
            covered[arcs.starts[i] : arcs.starts[i + 1]] = [pair in kept for pair in pairs]
        return covered


def finish(
    sizes: IntArray, words: npt.NDArray[np.int64], heads: IntArray, repairs: npt.NDArray[np.int64]
) -> DecodedBatch:
    """Sort decoded arcs and drop repeated ones, each a repair.

    `words[i]` is the dependent of arc i, counted from 0 over the whole batch.
    """
    starts, sorted_heads, dependents = sorted_arcs(sizes, words, heads, repairs)
    return DecodedBatch(Arcs(sizes, starts, sorted_heads, dependents), repairs)


def bad_label(name: str, text: str, example: str) -> InputError:
    """The error of `parse`."""
    return InputError(f"{text!r} is not a label of {name}; one looks like {example!r}")
