"""Labels of many sentences, as a label file has them, and the graphs that they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.block import Block
from arctag.cells import Numbers
from arctag.encodings import Arcs, DecodedBatch, Encoding, Labels
from arctag.encodings.labels import OffsetArray, offsets_of
from arctag.encodings.upos import OTHER
from arctag.graph import BoolArray, IntArray, Relations
from arctag.sentence import Sentence

_UNLABELLED: Relations = ("_",)
T = TypeVar("T")


@dataclass(frozen=True)
class Column(Generic[T]):
    """A column of all words, in which each distinct cell has a number."""

    numbers: Numbers
    """The number of each word's cell."""
    texts: Sequence[str]
    """Each cell as it stands in the file; the first is that of words that have none."""
    values: Sequence[Sequence[T]]
    """What is in each cell."""


class Labelled(NamedTuple):
    """A sentence of a label file; where it is there is not kept."""

    block: LabelBlock
    number: int

    @property
    def sentence(self) -> Sentence:
        """The words, without a graph."""
        return Sentence.of_block(self.block.words, self.number).replace(source="")

    @property
    def encoding(self) -> Encoding:
        """What its labels are of."""
        return self.block.encoding

    @property
    def texts(self) -> list[str]:
        """The labels of its words, as they stand in the file."""
        return [self.block.rows.texts[cell] for cell in self._cells(self.block.rows)]

    @property
    def nulls(self) -> list[set[int]]:
        """Of each word, the planes that hold a null arc."""
        return [set(self.block.nulls.values[cell]) for cell in self._cells(self.block.nulls)]

    @property
    def tags(self) -> list[str] | None:
        """The tags of its words; None where the encoding needs none."""
        if self.block.tags is None:
            return None
        return [self.block.tags.texts[cell] for cell in self._cells(self.block.tags)]

    def _cells(self, column: Column[Any]) -> list[int]:
        start, stop = self.block.words.nodes[self.number : self.number + 2]
        numbers: list[int] = column.numbers[start:stop].tolist()
        return numbers

    def decoded(self) -> Decoded:
        """The same sentence decoded, together with all others of its block."""
        return Decoded(self.sentence.with_arcs(self.block.graphs, self.number), self.block.repairs[self.number])


class Decoded(NamedTuple):
    """A sentence with the graph that its labels stand for."""

    sentence: Sentence
    repairs: int
    """That its labels needed."""


@dataclass(frozen=True, eq=False)
class LabelBlock:
    """Sentences that have labels of the same encoding."""

    encoding: Encoding
    words: Block
    """The sentences, without graphs."""
    rows: Column[int]
    relations: Column[Relations]
    """The relations of the arcs of each word."""
    nulls: Column[int]
    """The planes of each word that hold a null arc."""
    tags: Column[int] | None = None
    """The tag of each word, for an encoding that needs it."""

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.words)

    def __iter__(self) -> Iterator[Labelled]:
        """A view of each sentence."""
        return map(Labelled, repeat(self), range(len(self)))

    @cached_property
    def labels(self) -> Labels:
        """The labels of all words."""
        distinct = Labels.from_rows(self.rows.values)
        values, offsets = _taken(distinct.values, distinct.offsets, self.rows.numbers)
        sizes = np.diff(self.words.nodes).astype(np.int32)
        return Labels(values, offsets, sizes, self._marks(offsets), self._tags())

    def _tags(self) -> IntArray | None:
        """The number of each word's tag."""
        if self.tags is None:
            return None
        numbers = [cell[0] if cell else OTHER for cell in self.tags.values]
        return np.array(numbers, dtype=np.int32)[self.tags.numbers]

    def _marks(self, offsets: OffsetArray) -> BoolArray | None:
        """Which values are planes that hold a null arc."""
        if not any(self.nulls.values):
            return None
        planes, starts = _joined(self.nulls.values, self.nulls.numbers)
        counts = np.diff(starts)
        known = (planes > 0) & (planes <= np.repeat(np.diff(offsets), counts))
        marks = np.zeros(offsets[-1], dtype=np.bool_)
        marks[(np.repeat(offsets[:-1], counts) + planes - 1)[known]] = True
        return marks

    @cached_property
    def graphs(self) -> BlockArcs:
        """The graphs that the labels stand for."""
        arcs = self._decoded.arcs
        return BlockArcs(arcs, self._named(arcs))

    @cached_property
    def repairs(self) -> list[int]:
        """How many repairs the labels of each sentence needed."""
        repairs: list[int] = self._decoded.repairs.tolist()
        return repairs

    @cached_property
    def _decoded(self) -> DecodedBatch:
        return self.encoding.decode_all(self.labels)

    def _named(self, arcs: Arcs) -> tuple[Numbers, list[Relations]]:
        """The relations of each arc: those of its word, in order; an arc without one is labelled '_'."""
        known: dict[Relations, int] = {_UNLABELLED: 0}
        numbered = [[known.setdefault(names, len(known)) for names in cell] for cell in self.relations.values]
        relations, starts = _joined(numbered, self.relations.numbers)
        words = words_of(arcs)
        places = starts[words] + np.arange(len(words)) - np.searchsorted(words, words)  # of arcs among those of a word
        has_one = places < starts[words + 1]
        numbers = np.zeros(len(words), dtype=np.int32)
        numbers[has_one] = relations[places[has_one]]
        return numbers, list(known)


def words_of(arcs: Arcs) -> OffsetArray:
    """The dependent of each arc, counted from 0 over all sentences."""
    words: OffsetArray = np.repeat(offsets_of(arcs.sizes)[:-1] - 1, np.diff(arcs.starts)) + arcs.dependents
    return words


def _taken(values: IntArray, offsets: OffsetArray, numbers: Numbers) -> tuple[IntArray, OffsetArray]:
    """The parts of an array with these numbers, one after another, and where each begins."""
    sizes = np.diff(offsets)[numbers]
    starts = offsets_of(sizes)
    return values[np.repeat(offsets[numbers] - starts[:-1], sizes) + np.arange(starts[-1])], starts


def _joined(parts: Sequence[Sequence[int]], numbers: Numbers) -> tuple[IntArray, OffsetArray]:
    """The same for lists."""
    values = np.array([value for part in parts for value in part], dtype=np.int32)
    return _taken(values, offsets_of([len(part) for part in parts]), numbers)
