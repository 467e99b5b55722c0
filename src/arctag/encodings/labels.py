"""`Labels` and `Arcs`: many sentences at once, as flat arrays. One sentence is a batch of one.

Working on whole files in one call is what makes encodings fast; the per-sentence face
(`Encoding.encode`, `Encoding.decode`) is built on top of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.cells import Spans
from arctag.errors import InputError
from arctag.graph import BoolArray, Graph, IntArray

OffsetArray = npt.NDArray[np.int64]
LabelRow = tuple[int, ...]


def offsets_of(sizes: npt.ArrayLike) -> OffsetArray:
    """Where each part starts when parts of these sizes stand one after another; the end comes last."""
    counts = np.asarray(sizes, dtype=np.int64)
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


@dataclass(frozen=True, eq=False)
class Labels:
    """One row of integers per word, for one or many sentences."""

    values: IntArray
    """All rows, one after another."""
    offsets: OffsetArray
    """Row i is values[offsets[i]:offsets[i + 1]]."""
    sizes: IntArray
    """The number of words of each sentence."""
    artificial: BoolArray | None = None
    """Parallel to `values`: marks the planes whose incoming arc is a null arc (4k-bit only).

    It is not part of the label. A tagger learns it as a relation of its own, as the paper does."""
    tags: IntArray | None = None
    """The number of each word's tag in `UPOS`, for encodings that need it; without tags all words count as X."""

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], sizes: Sequence[int] | None = None) -> Labels:
        """Labels from plain lists; without `sizes` all rows belong to one sentence."""
        lengths = [len(rows)] if sizes is None else list(sizes)
        if sum(lengths) != len(rows):
            raise InputError(f"{len(rows)} label rows for sentences of {sum(lengths)} words")
        flat = [value for row in rows for value in row]
        try:
            values = np.array(flat, dtype=np.int64)
        except OverflowError:  # beyond 64 bits
            values = np.array([min(max(value, -(2**31)), 2**31 - 1) for value in flat], dtype=np.int64)
        return cls(
            np.clip(values, -(2**31), 2**31 - 1).astype(np.int32),
            offsets_of([len(row) for row in rows]),
            np.array(lengths, dtype=np.int32),
        )

    @classmethod
    def from_matrix(cls, matrix: IntArray, sizes: IntArray, artificial: BoolArray | None = None) -> Labels:
        """Labels whose rows all have the same width."""
        rows, width = matrix.shape
        offsets = np.arange(0, (rows + 1) * width, width, dtype=np.int64) if width else np.zeros(rows + 1, np.int64)
        return cls(matrix.reshape(-1), offsets, sizes, None if artificial is None else artificial.reshape(-1))

    def __len__(self) -> int:
        """The number of rows (words)."""
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> LabelRow:
        if not -len(self) <= i < len(self):
            raise IndexError(f"label {i} of {len(self)}")
        i %= len(self)
        return tuple(self.values[self.offsets[i] : self.offsets[i + 1]].tolist())

    def __iter__(self) -> Iterator[LabelRow]:
        values, offsets = self.values.tolist(), self.offsets.tolist()
        for start, end in zip(offsets, offsets[1:], strict=False):
            yield tuple(values[start:end])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Labels):
            return NotImplemented
        return (
            np.array_equal(self.values, other.values)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.sizes, other.sizes)
        )

    __hash__ = None  # type: ignore[assignment]  # equality looks at arrays

    def __repr__(self) -> str:
        return f"Labels({list(self)})" if len(self) <= 20 else f"<Labels of {len(self)} words>"

    def distinct(self) -> int:
        """How many different rows there are."""
        places = self.offsets * self.values.itemsize
        rows = Spans(np.ascontiguousarray(self.values).view(np.uint8), places[:-1], places[1:])
        return len(rows.distinct()[1])

    def sentences(self) -> Iterator[Labels]:
        """The labels of each sentence on its own."""
        words = offsets_of(self.sizes)
        for i in range(len(self.sizes)):
            first, last = words[i], words[i + 1]
            start, end = self.offsets[first], self.offsets[last]
            yield Labels(
                self.values[start:end],
                self.offsets[first : last + 1] - start,
                self.sizes[i : i + 1],
                None if self.artificial is None else self.artificial[start:end],
                None if self.tags is None else self.tags[first:last],
            )

    def fixed_width(self, width: int, values: int = 2**31) -> tuple[IntArray, npt.NDArray[np.int64]]:
        """The rows as a matrix of this width, and the repairs each sentence needed for that.

        A row of another length is cut or filled with zeros, a value below 0 or not below `values`
        becomes zero.
        """
        lengths = np.diff(self.offsets)
        repairs = np.zeros(len(self.sizes), dtype=np.int64)
        sound = not len(self.values) or (self.values.min() >= 0 and self.values.max() < values)
        if sound and np.all(lengths == width):
            return self.values.reshape(len(self), width), repairs
        matrix = np.zeros((len(self), width), dtype=np.int32)
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        for i, row in enumerate(self):
            part = [value if 0 <= value < values else 0 for value in row[:width]]
            matrix[i, : len(part)] = part
            repairs[owner[i]] += (len(row) != width) + sum(not 0 <= value < values for value in row)
        return matrix, repairs


@dataclass(frozen=True, eq=False)
class Arcs:
    """The arcs of one or many graphs, without relations: what an encoding sees."""

    sizes: IntArray
    """The number of words of each sentence."""
    starts: OffsetArray
    """The arcs of sentence s are heads[starts[s]:starts[s + 1]], sorted by (dependent, head)."""
    heads: IntArray
    dependents: IntArray
    tags: IntArray | None = None
    """The number of each word's tag in `UPOS`, for encodings that need it; without tags all words count as X."""

    @classmethod
    def of(cls, graphs: Iterable[Graph], tags: IntArray | None = None) -> Arcs:
        """Join the arcs of graphs; the tags are those of all words."""
        graphs = list(graphs)
        none = np.zeros(0, dtype=np.int32)
        return cls(
            np.array([graph.n for graph in graphs], dtype=np.int32),
            offsets_of([len(graph.heads) for graph in graphs]),
            np.concatenate([graph.heads for graph in graphs]) if graphs else none,
            np.concatenate([graph.dependents for graph in graphs]) if graphs else none,
            tags,
        )

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.sizes)

    def graphs(self) -> Iterator[Graph]:
        """The graphs, with '_' for every relation."""
        for i, n in enumerate(self.sizes.tolist()):
            start, end = self.starts[i], self.starts[i + 1]
            yield Graph.trusted(n, self.heads[start:end], self.dependents[start:end])
