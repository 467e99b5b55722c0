"""`Block`: some thousand sentences of one file, as its bytes and arrays of where things are in them.

Nothing is a Python object until it is asked for: sentences, graphs and strings are made from the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from arctag.blocks.forms import Forms
from arctag.cells import Bytes, Longs, Numbers, Positions, Spans
from arctag.encodings.labels import Arcs, offsets_of
from arctag.errors import FormatError
from arctag.graph import FloatArray, Graph, Relations
from arctag.sentence import Row, Sentence


class BlockArcs:
    """The arcs of many sentences, sorted by (sentence, dependent, head); their relations are numbered when needed."""

    def __init__(
        self,
        arcs: Arcs,
        relations: Spans | tuple[Numbers, Sequence[Relations]],
        probabilities: FloatArray | None = None,
    ) -> None:
        """The relation of each arc is a span of bytes, or a number into a list of names."""
        self.arcs = arcs
        self.probabilities = probabilities
        self._relations = relations

    @cached_property
    def _numbered(self) -> tuple[Numbers, Sequence[Relations]]:
        if not isinstance(self._relations, Spans):
            return self._relations
        numbers, texts = self._relations.numbered()
        return numbers, [_single(text) for text in texts]

    @property
    def numbers(self) -> Numbers:
        """The number of each arc's relations."""
        return self._numbered[0]

    @property
    def names(self) -> Sequence[Relations]:
        """The relations behind each number."""
        return self._numbered[1]

    @cached_property
    def sizes(self) -> list[int]:
        """The number of words of each sentence."""
        sizes: list[int] = self.arcs.sizes.tolist()
        return sizes

    def graph(self, i: int) -> Graph:
        """The graph of a sentence."""
        arcs = self.arcs
        cut = slice(arcs.starts[i], arcs.starts[i + 1])
        probable = None if self.probabilities is None else self.probabilities[cut]
        numbers, names = self._numbered
        return Graph.numbered(self.sizes[i], arcs.heads[cut], arcs.dependents[cut], numbers[cut], names, probable)

    @classmethod
    def gathered(cls, chosen: Sequence[tuple[BlockArcs, int]]) -> BlockArcs:
        """The arcs of sentences from several places, in order."""
        sources = list({id(some): some for some, _ in chosen}.values())
        place = {id(some): i for i, some in enumerate(sources)}
        which = np.array([place[id(some)] for some, _ in chosen], dtype=np.int64)
        sentences = np.array([i for _, i in chosen], dtype=np.int64)
        before = offsets_of([len(some.arcs.heads) for some in sources])
        rows = offsets_of([len(some.arcs.starts) for some in sources])[which] + sentences
        all_starts = np.concatenate([some.arcs.starts + before[i] for i, some in enumerate(sources)])
        starts = offsets_of(all_starts[rows + 1] - all_starts[rows])
        arcs = np.repeat(all_starts[rows] - starts[:-1], np.diff(starts)) + np.arange(starts[-1])
        sizes = np.array([some.sizes[i] for some, i in chosen], dtype=np.int32)
        heads, dependents = (
            np.concatenate([getattr(some.arcs, side) for some in sources])[arcs] for side in ("heads", "dependents")
        )
        numbers, names = joined_numbers([(some.numbers, some.names) for some in sources])
        return cls(Arcs(sizes, starts, heads, dependents), (numbers[arcs], names))

    def part(self, start: int, stop: int) -> BlockArcs:
        """Those of some of the sentences."""
        starts = self.arcs.starts[start : stop + 1]
        cut = slice(starts[0], starts[-1])
        arcs = Arcs(self.arcs.sizes[start:stop], starts - starts[0], self.arcs.heads[cut], self.arcs.dependents[cut])
        return BlockArcs(arcs, (self.numbers[cut], self.names))


def joined_numbers(parts: Iterable[tuple[Numbers, Sequence[Relations]]]) -> tuple[Numbers, Sequence[Relations]]:
    """Numbers into several lists of names, one after another, as numbers into one list."""
    known: dict[Relations, int] = {}
    maps: dict[int, Numbers] = {}  # many share their names
    joined = [np.zeros(0, np.int32)]
    for numbers, names in parts:
        if id(names) not in maps:
            maps[id(names)] = np.array([known.setdefault(tuple(n), len(known)) for n in names], np.int32)
        joined.append(maps[id(names)][numbers])
    return np.concatenate(joined), list(known)


@lru_cache(maxsize=100_000)
def _single(name: str) -> Relations:
    """One tuple for each name, shared by all arcs that have it."""
    return (name,)


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
        )  # fmt: skip

    def spans(self, column: int) -> Spans:
        """The cells of a column of all nodes, counted from 0."""
        cells = self.lines[self.node_lines] + column
        return Spans(self.data, self.cells[cells] + 1, self.cells[cells + 1])

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
    def _empties(self) -> list[int]:
        counts: list[int] = self.empty_nodes.tolist()
        return counts

    @cached_property
    def _bounds(self) -> list[int]:
        """`nodes` as a list: looking up single places of an array is slow."""
        bounds: list[int] = self.nodes.tolist()
        return bounds

    # What the view of a sentence asks for

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
        """The columns of the rows of a sentence."""
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
        rows = int(self.rows[i])
        return f"{self.source}:{self.line_number(rows if rows < self.ends[i] else rows - 1)}"

    def line_number(self, line: int) -> int:
        """The number of a line of the block in its file."""
        return self.line + line

    def start_of(self, line: int) -> int:
        """The position of the first byte of a line, or of the end of the block."""
        return int(self.cells[self.lines[line]]) + 1

    def text_of(self, start: int, stop: int) -> str:
        """The text of some lines, without the last line end."""
        text = self.data[self.start_of(start) : max(self.start_of(stop) - 1, 0)].tobytes()
        return text.decode("utf-8", "surrogateescape")
