"""`ArcLists`: the arcs in a column of a record batch, checked and sorted by their words."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa

from arctag.blocks.arcs import BlockArcs, sorted_arcs
from arctag.cells import Longs, Spans
from arctag.encodings.labels import Arcs, offsets_of
from arctag.formats.columnar.rows import Rows
from arctag.formats.columnar.schema import GRAPH, NUMBERS, STRINGS
from arctag.formats.columnar.strings import spans_of
from arctag.graph import FloatArray


class ArcLists:
    """Arcs as their words and heads, with a relation each; those of a word are in the order in which they came."""

    def __init__(self, rows: Rows, *path: str) -> None:
        self.rows, self.path = rows, path
        heads, starts = rows.lists(NUMBERS, *path, "head")
        dependents, relations = self._beside(NUMBERS, "dependent", starts), self._beside(STRINGS, "relation", starts)
        probabilities = self._beside(GRAPH.field("probability").type, "probability", starts)
        self.owners = np.repeat(np.arange(len(rows)), np.diff(starts))
        self.heads, self.dependents = self._places(heads, "head", 0), self._places(dependents, "dependent", 1)
        self.relations = rows.checked(spans_of(relations), self.owners, *path, "relation")
        self._probabilities = probabilities
        self._sort()

    def _beside(self, kind: pa.DataType, name: str, starts: Longs) -> pa.Array:
        """The values of a list that has as many as the list of heads; probabilities may be missing."""
        values, own = self.rows.lists(kind, *self.path, name)
        if name == "probability" and not len(values):
            return pa.nulls(int(starts[-1]), pa.float32())
        wrong = np.flatnonzero(np.diff(own) != np.diff(starts))
        if len(wrong):
            row, column = int(wrong[0]), ".".join((*self.path, name))
            counts = own[row + 1] - own[row], starts[row + 1] - starts[row]
            raise self.rows.error(row, f"{counts[0]} values in column {column}", f"{counts[1]}, one for each head")
        return values

    def _places(self, values: pa.Array, name: str, least: int) -> Longs:
        """Numbers of nodes, from 1; 0 is the root."""
        places = np.asarray(values.fill_null(-1)).astype(np.int64)
        wrong = np.flatnonzero((places < least) | (places > self.rows.sizes[self.owners]))
        if len(wrong):
            row, found = int(self.owners[wrong[0]]), values[int(wrong[0])].as_py()
            column = ".".join((*self.path, name))
            expected = f"a number from {least} to {self.rows.sizes[row]}"
            raise self.rows.error(row, f"{found} in column {column}", expected)
        return places

    def _sort(self) -> None:
        words = self.words
        if np.all(words[1:] >= words[:-1]):
            return
        order = np.argsort(words, kind="stable")
        self.owners, self.heads, self.dependents = self.owners[order], self.heads[order], self.dependents[order]
        self.relations = Spans(self.relations.data, self.relations.starts[order], self.relations.ends[order])
        self._probabilities = self._probabilities.take(pa.array(order))

    @property
    def words(self) -> Longs:
        """The dependents, as nodes of all sentences, from 0."""
        words: Longs = self.rows.nodes[self.owners] + self.dependents - 1
        return words

    @property
    def sources(self) -> Longs:
        """The heads in the same way; -1 is the root."""
        return np.where(self.heads > 0, self.rows.nodes[self.owners] + self.heads - 1, -1)

    @cached_property
    def probabilities(self) -> FloatArray | None:
        """The probability of each; None if there are none."""
        if self._probabilities.null_count == len(self._probabilities):
            return None
        return np.asarray(self._probabilities.fill_null(float("nan"))).astype(np.float32)

    @cached_property
    def graphs(self) -> BlockArcs:
        """The same as graphs: arcs between the same two words become one."""
        starts = offsets_of(np.bincount(self.owners, minlength=len(self.rows)))
        arcs = Arcs(
            self.rows.sizes.astype(np.int32), starts, self.heads.astype(np.int32), self.dependents.astype(np.int32)
        )
        in_order = np.all((np.diff(self.words) > 0) | (np.diff(self.heads) > 0))
        plain = sorted_arcs(arcs, self.relations, bool(in_order))
        return BlockArcs(plain.arcs, (plain.numbers, plain.names), self.of_graphs)

    @property
    def of_graphs(self) -> FloatArray | None:
        """The probabilities of the arcs of graphs."""
        if self.probabilities is None:
            return None
        order = np.lexsort((self.heads, self.words))
        words, heads = self.words[order], self.heads[order]
        new = np.ones(len(order), dtype=np.bool_)
        new[1:] = (np.diff(words) != 0) | (np.diff(heads) != 0)
        return self.probabilities[order][new]
