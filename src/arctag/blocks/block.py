"""`Block`: some thousand sentences of one file, as its bytes and arrays of where things are in them.

Nothing is a Python object until it is asked for: sentences, graphs and strings are made from the arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arctag.blocks.arcs import BlockArcs, sorted_arcs
from arctag.blocks.conllu_kernel import read_column
from arctag.blocks.forms import Forms
from arctag.cells import Bytes, Longs, Numbers, Positions, Spans
from arctag.columns import Header, bad_dep, find_column, no_column
from arctag.encodings.labels import Arcs, offsets_of
from arctag.errors import FormatError
from arctag.graph import Graph
from arctag.sentence import Row, Sentence

_BLANK = np.frombuffer(b"_", dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class TableRows:
    """The rows of a table whose text makes a block: what text has no room for."""

    first: int
    """The number of the first row in its file."""
    documents: Sequence[str | None]
    """The document of each sentence."""
    scores: Sequence[float | None]
    """The score of each sentence."""
    layers: Mapping[str, BlockArcs]
    """Further graphs of all sentences."""
    tags: Mapping[str, Sequence[str]]
    """Further tags of all nodes."""

    def part(self, start: int, stop: int, nodes: slice) -> TableRows:
        """Those of some of the sentences, which have these nodes."""
        return TableRows(
            self.first + start, self.documents[start:stop], self.scores[start:stop],
            {name: graphs.part(start, stop) for name, graphs in self.layers.items()},
            {name: tags[nodes] for name, tags in self.tags.items()},
        )  # fmt: skip

    @cached_property
    def more(self) -> bool:
        """Whether there is more than documents."""
        return bool(self.layers or self.tags) or any(score is not None for score in self.scores)

    def fields(self, i: int, nodes: slice) -> dict[str, object]:
        """The fields of a sentence."""
        if not self.more:
            return {"document": self.documents[i]}
        return {
            "document": self.documents[i],
            "score": self.scores[i],
            "further_graphs": {name: (graphs, i) for name, graphs in self.layers.items()},
            "further": {name: tags[nodes] for name, tags in self.tags.items()},
        }


@dataclass(frozen=True, eq=False)
class Block:
    """Sentences of one file. Cell c is `data[cells[c] + 1 : cells[c + 1]]`; line l begins with cell `lines[l]`."""

    format: str
    """The name of the format."""
    source: str
    """How the file is named in messages."""
    line: int
    """The number of the first line in the file."""
    data: Bytes
    """The text in UTF-8; lines end with a single line feed."""
    cells: Positions
    """Where cells end: tabs and line ends, -1 before them."""
    lines: Positions
    """The first cell of each line, and the number of cells at the end."""
    first: Longs
    """Of each sentence, its first comment, or its first row where it has none; this and what follows are lines."""
    rows: Longs
    """Of each sentence, its first row."""
    ends: Longs
    """Of each sentence, the line after its last row."""
    nexts: Longs
    """Of each sentence, the line after the empty lines that follow it."""
    nodes: Longs
    """The nodes of sentence s are those from `nodes[s]` to `nodes[s + 1] - 1`; a damaged one has none."""
    node_lines: Longs
    """The line of each node."""
    empty_nodes: Numbers
    """Of each sentence, how many of its nodes are empty ones."""
    graphs: BlockArcs
    """The arcs; none where they were not read."""
    tree_heads: Numbers
    """HEAD of each node, -1 where there is none; all are -1 where graphs were not read."""
    faults: Mapping[int, FormatError]
    """The sentences that could not be read, and why."""
    header: Header | None = None
    """The columns of a CoNLL-U Plus file."""
    fresh: bool = False
    """Whether the sentences were made of words: nothing in them is annotated."""
    words_only: bool = False
    """Whether the graphs were left out in reading."""
    table: TableRows | None = None
    """What is known beside the text, where the sentences are the rows of a table."""

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Sentence]:
        """A view of each sentence."""
        return Sentence.views(self)

    @property
    def arcs(self) -> Arcs:
        """The arcs, as encodings see them."""
        return self.graphs.arcs

    def part(self, start: int, stop: int) -> Block:
        """Some of the sentences."""
        cut, nodes = slice(start, stop), self.nodes[start : stop + 1]
        inside = slice(nodes[0], nodes[-1])
        return replace(
            self, first=self.first[cut], rows=self.rows[cut], ends=self.ends[cut], nexts=self.nexts[cut],
            nodes=nodes - nodes[0], node_lines=self.node_lines[inside], empty_nodes=self.empty_nodes[cut],
            graphs=self.graphs.part(start, stop), tree_heads=self.tree_heads[inside],
            faults={i - start: fault for i, fault in self.faults.items() if start <= i < stop},
            table=self.table and self.table.part(start, stop, inside),
        )  # fmt: skip

    def spans(self, column: int) -> Spans:
        """The cells of a column of all nodes, counted from 0."""
        return self.cells_of(self.node_lines, column)

    def cells_of(self, lines: Longs, column: int) -> Spans:
        """The cells of a column in some lines; '_' where the file has no such column."""
        place = column if self.header is None else self.header.places[column]
        if place < 0:
            return Spans(_BLANK, np.zeros(len(lines), np.int64), np.ones(len(lines), np.int64))
        cells = self.lines[lines] + place
        return Spans(self.data, self.cells[cells] + 1, self.cells[cells + 1])

    def graphs_in(self, name: str) -> BlockArcs:
        """The graphs of all sentences in a column, by its name, written there as in DEPS."""
        number = find_column(name, self.format, self.header)
        if number is None:
            raise no_column(self.source, name, self.format, self.header)
        if number not in self._graphs_in:
            self._graphs_in[number] = self._read_graphs(number, name)
        return self._graphs_in[number]

    def _read_graphs(self, number: int, name: str) -> BlockArcs:
        cells = self.spans(number)
        starts, heads, dependents, first, last, in_order, node, part, end = read_column(
            self.nodes, *self.spans(0), *cells
        )
        if node >= 0:
            sentence = int(np.searchsorted(self.nodes, node, side="right")) - 1
            words = self.size_of(sentence) - self._empties[sentence]
            found, expected = bad_dep(cells.data[part:end].tobytes().decode("utf-8", "surrogateescape"), words)
            line = self.line_number(int(self.node_lines[node]))
            raise FormatError(self.source, line, f"{found} in column {name}", expected)
        arcs = Arcs(np.diff(self.nodes).astype(np.int32), starts, heads, dependents)
        return sorted_arcs(arcs, Spans(cells.data, first, last), in_order)

    def column(self, number: int) -> list[str]:
        """The texts of a column of all nodes."""
        if number not in self._columns:
            self._columns[number] = self.spans(number).texts()
        return self._columns[number]

    @cached_property
    def _forms(self) -> tuple[Numbers, list[str]]:
        return self.spans(1).numbered()

    def forms_of(self, i: int) -> Forms:
        """The words of a sentence, by number."""
        numbers, names = self._forms
        return Forms(numbers[self._bounds[i] : self._bounds[i + 1]], names)

    @cached_property
    def has_collapsed_nodes(self) -> bool:
        """Whether comments may hold empty nodes, as `empty_nodes.collapse` writes them."""
        return b"# empty_" in self.data.tobytes()

    @cached_property
    def has_trees(self) -> list[bool]:
        """Of each sentence, whether a node has something in columns 6 or 7, which are HEAD and DEPREL in CoNLL-U."""
        filled = ~(self.spans(6).equal(b"_") & self.spans(7).equal(b"_"))
        flags: list[bool] = (np.diff(offsets_of(filled)[self.nodes]) > 0).tolist()
        return flags

    @cached_property
    def _columns(self) -> dict[int, list[str]]:
        return {}

    @cached_property
    def _graphs_in(self) -> dict[int, BlockArcs]:
        return {}

    @cached_property
    def _empties(self) -> list[int]:
        counts: list[int] = self.empty_nodes.tolist()
        return counts

    @cached_property
    def _bounds(self) -> list[int]:
        """`nodes` as a list: looking up single places of an array is slow."""
        bounds: list[int] = self.nodes.tolist()
        return bounds

    # What the view of a sentence asks for

    def fields_of(self, i: int) -> dict[str, object]:
        """What a table has beside the text of a sentence."""
        if self.table is None:
            return {}
        return self.table.fields(i, slice(self._bounds[i], self._bounds[i + 1]))

    def column_of(self, i: int, number: int) -> list[str]:
        """The texts of a column of a sentence."""
        return self.column(number)[self._bounds[i] : self._bounds[i + 1]]

    def size_of(self, i: int) -> int:
        """The number of nodes of a sentence."""
        return self._bounds[i + 1] - self._bounds[i]

    def has_empty(self, i: int) -> bool:
        """Whether a sentence has empty nodes."""
        return self._empties[i] > 0

    def graph_of(self, i: int) -> Graph:
        """The graph of a sentence."""
        return self.graphs.graph(i)

    def rows_of(self, i: int) -> list[Row]:
        """The columns of the rows of a sentence; a damaged one has those of the file."""
        rows = self.lines_of(i)
        return rows if self.header is None or i in self.faults else list(map(self.header.standard, rows))

    def lines_of(self, i: int) -> list[Row]:
        """The same as they stand in the file."""
        if self.rows[i] == self.ends[i]:  # comments at the end of a file that breaks off
            return []
        return [line.split("\t") for line in self.text_of(int(self.rows[i]), int(self.ends[i])).split("\n")]

    def comments_of(self, i: int) -> tuple[str, ...]:
        """The comments of a sentence; empty lines between them do not count."""
        lines = self.text_of(int(self.first[i]), int(self.rows[i])).split("\n")
        return tuple(filter(None, lines))

    def blanks_of(self, i: int) -> int:
        """The number of empty lines after a sentence."""
        return int(self.nexts[i] - self.ends[i])

    def source_of(self, i: int) -> str:
        """The file and the line of the first row of a sentence."""
        if self.table is not None:
            return f"{self.source}:{self.table.first + i}"
        rows = int(self.rows[i])
        return f"{self.source}:{self.line_number(rows if rows < self.ends[i] else rows - 1)}"

    def line_number(self, line: int) -> int:
        """The number of a line of the block in its file; in a table, of the row that it is in."""
        if self.table is not None:
            return self.table.first + int(np.searchsorted(self.first, line, side="right")) - 1
        return self.line + line

    def start_of(self, line: int) -> int:
        """The position of the first byte of a line, or of the end of the block."""
        return int(self.cells[self.lines[line]]) + 1

    def text_of(self, start: int, stop: int) -> str:
        """The text of some lines, without the last line end."""
        text = self.data[self.start_of(start) : max(self.start_of(stop) - 1, 0)].tobytes()
        return text.decode("utf-8", "surrogateescape")
