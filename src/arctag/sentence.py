"""`Sentence`: the words of one sentence, every column and comment of its file, and its graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from arctag.errors import InputError
from arctag.graph import Graph

if TYPE_CHECKING:
    from arctag.blocks.block import Block, BlockArcs

Row = list[str]
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
_UNPARSED = {"edited": False, "score": None, "repairs": 0, "changes": 0}
_FIELDS = frozenset({"rows", "graph", "format", "comments", "blanks", "source", "error", *_UNPARSED})
_NO_COLUMNS: Mapping[int, Sequence[str]] = {}
_AS_READ = {**_UNPARSED, "replaced": frozenset[str](), "arcs": None, "columns": _NO_COLUMNS}
_NO_VIEW = {"block": None, "number": 0, "replaced": frozenset[str](), "arcs": None, "columns": _NO_COLUMNS}
_GRAPH = frozenset({"graph", "edited", "repairs"})


class Sentence:
    """One sentence of a treebank, or of tokenized text.

    Rows and comments are the text of the file and are never changed: `with_graph` gives a new sentence, and a
    writer then replaces only the columns that hold the graph. `replace` gives one with other fields.

    Word i of the graph is the i-th *node*: a word (`7`) or an empty node (`8.1`), in the order of the file.
    Ranges (`3-4`) are rows but not nodes.

    A sentence that was read is a view of a block of its file: what is below is made when it is first asked for.
    """

    format: str
    """The name of the format that the rows are in (see `arctag.formats.FORMATS`)."""
    edited: bool
    """Whether the graph was set after reading, so that the rows no longer show it."""
    error: str
    """Why it could not be read; empty if it could. Such a sentence is written as it was."""
    score: float | None
    """The mean log-probability of the labels that a parser predicted."""
    repairs: int
    """The number of repairs that the predicted labels needed."""
    changes: int
    """The number of arcs that guarantees added or removed."""
    block: Block | None
    """The block that it is a view of, if it is one."""
    number: int
    """Its number there."""
    replaced: frozenset[str]
    """The fields that are no longer as the block has them."""
    arcs: tuple[BlockArcs, int] | None
    """The arcs of many sentences that the graph is made of, and its number there, if it was set so."""
    columns: Mapping[int, Sequence[str]]
    """Columns, counted from 0, that nodes have in place of those of the block."""

    def __init__(
        self,
        rows: list[Row],
        graph: Graph,
        format: str = "conllu",
        comments: tuple[str, ...] = (),
        blanks: int = 1,
        edited: bool = False,
        source: str = "",
        error: str = "",
        score: float | None = None,
        repairs: int = 0,
        changes: int = 0,
    ) -> None:
        """A sentence of rows and a graph over those that are nodes."""
        self.__dict__.update(
            rows=rows, graph=graph, format=format, comments=comments, blanks=blanks, edited=edited, source=source,
            error=error, score=score, repairs=repairs, changes=changes, **_NO_VIEW,
        )  # fmt: skip

    @classmethod
    def views(cls, block: Block) -> Iterator[Sentence]:
        """A view of each sentence of a block."""
        fields = {**_AS_READ, "block": block, "format": block.format, "error": ""}
        return (cls._view(fields, block, number) for number in range(len(block)))

    @classmethod
    def of_block(cls, block: Block, number: int) -> Sentence:
        """The view of one sentence of a block."""
        return cls._view({**_AS_READ, "block": block, "format": block.format, "error": ""}, block, number)

    @classmethod
    def _view(cls, fields: dict[str, Any], block: Block, number: int) -> Sentence:
        new = cls.__new__(cls)
        values = new.__dict__
        values.update(fields)
        values["number"] = number
        if number in block.faults:
            values["error"] = str(block.faults[number])
        return new

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a sentence cannot be changed: sentence.replace({name}=…) gives another one")

    def replace(self, **fields: Any) -> Sentence:
        """The same sentence with other values in some fields, the parameters of `Sentence`."""
        if unknown := fields.keys() - _FIELDS:
            raise TypeError(f"a sentence has no field {min(unknown)!r}")
        new = Sentence.__new__(Sentence)
        if "rows" in fields:  # what is derived from rows must be derived anew
            new.__dict__.update({name: getattr(self, name) for name in _FIELDS if name not in fields})
            new.__dict__.update(_NO_VIEW)
        else:
            new.__dict__.update(self.__dict__, replaced=self.replaced.union(fields))
            for name in ("id", "text"):  # from the comments
                new.__dict__.pop(name, None)
        if "graph" in fields:
            new.__dict__["arcs"] = None
        new.__dict__.update(fields)
        return new

    __replace__ = replace

    def detached(self) -> Sentence:
        """The same sentence without its block, which a view keeps in memory: for the few of many that are kept."""
        new = Sentence.__new__(Sentence)
        new.__dict__.update(self.__getstate__(), graph=self.graph.copy())
        return new

    def __getstate__(self) -> dict[str, Any]:
        """For another process: without the block."""
        return {name: getattr(self, name) for name in _FIELDS} | _NO_VIEW

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @cached_property
    def rows(self) -> list[Row]:
        """The columns of each line that is not a comment."""
        assert self.block is not None
        rows = self.block.rows_of(self.number)
        if self.columns:
            for i, row in enumerate(row for row in rows if "-" not in row[0]):
                for number, column in self.columns.items():
                    row[number] = column[i]
        return rows

    @cached_property
    def graph(self) -> Graph:
        """The arcs between the nodes."""
        if self.arcs is not None:
            arcs, number = self.arcs
            return arcs.graph(number)
        assert self.block is not None
        return self.block.graph_of(self.number)

    @cached_property
    def comments(self) -> tuple[str, ...]:
        """Comment lines, `#` included."""
        assert self.block is not None
        return self.block.comments_of(self.number)

    @cached_property
    def blanks(self) -> int:
        """Empty lines after the sentence; the last one of a file may have none or several."""
        assert self.block is not None
        return self.block.blanks_of(self.number)

    @cached_property
    def source(self) -> str:
        """Where it was read from (`file:line`), for messages."""
        assert self.block is not None
        return self.block.source_of(self.number)

    @classmethod
    def from_words(
        cls,
        words: Sequence[str],
        graph: Graph | None = None,
        *,
        tags: Sequence[str] | None = None,
        sent_id: str | None = None,
    ) -> Sentence:
        """A sentence from words and, if given, a graph and tags, in CoNLL-U columns."""
        if isinstance(words, str):  # a sequence too, but of characters
            raise InputError(f"{words!r:.50} is a string, not a list of words: split it first")
        check_id(sent_id or "")
        if graph is not None and graph.n != len(words):
            raise InputError(f"{len(words)} words but a graph of {graph.n}")
        if tags is not None and len(tags) != len(words):
            raise InputError(f"{len(words)} words but {len(tags)} tags")
        rows = []
        for i, word in enumerate(words):
            if not word or any(c in word for c in "\t\n\r"):
                raise InputError(f"word {i + 1} ({word!r}) is empty or holds a tab or line break")
            rows.append([str(i + 1), word, "_", tags[i] if tags else "_", "_", "_", "_", "_", "_", "_"])
        comments = (f"# sent_id = {sent_id}",) if sent_id else ()
        return cls(rows, graph or Graph(len(words)), comments=comments, edited=graph is not None)

    @cached_property
    def node_rows(self) -> list[Row]:
        """The rows that are nodes of the graph: all but the ranges."""
        if self.rows and self.rows[-1][0] == str(len(self.rows)):  # no range, no empty node
            return self.rows
        return [row for row in self.rows if "-" not in row[0]]

    def column(self, number: int) -> list[str]:
        """A column of the nodes, counted from 0."""
        if number in self.columns:
            return list(self.columns[number])
        if self.block is not None and not self.error:
            return self.block.column_of(self.number, number)
        return [row[number] for row in self.node_rows]

    @property
    def ids(self) -> list[str]:
        """The ids of the nodes in the file: '1', '2', …, '8.1'."""
        return self.column(0)

    @property
    def words(self) -> list[str]:
        """The forms of the nodes."""
        return self.column(1)

    @property
    def forms(self) -> Sequence[str]:
        """The same, as numbers into the distinct words of a block where that is at hand."""
        if self.block is not None and not self.error and 1 not in self.columns:
            return self.block.forms_of(self.number)
        return self.words

    @property
    def tags(self) -> list[str]:
        """Universal tags (CoNLL-U) or the tag column (SDP)."""
        return self.column(3)

    @property
    def empty(self) -> list[bool]:
        """For each node, whether it is an empty node."""
        return [self.format == "conllu" and "." in name for name in self.ids]

    @property
    def size(self) -> int:
        """The number of nodes."""
        if self.block is not None and not self.error:
            return self.block.size_of(self.number)
        return len(self.node_rows)

    @property
    def has_empty(self) -> bool:
        """Whether the sentence has empty nodes."""
        if self.block is not None and not self.error:
            return self.block.has_empty(self.number)
        return self.node_rows is not self.rows and any(self.empty)

    @cached_property
    def id(self) -> str:
        """The sentence id from the comments, else `source`."""
        for comment in self.comments:
            if match := _SENT_ID.match(comment):
                return match[1].strip()
        if self.format == "sdp" and self.comments and not self.comments[-1].startswith("#SDP"):
            return self.comments[-1].lstrip("#").strip()
        return self.source or "?"

    @cached_property
    def text(self) -> str:
        """The text: the `# text` comment, else the words with spaces between them."""
        for comment in self.comments:
            if match := _TEXT.match(comment):
                return match[1]
        if not self.has_empty:
            return " ".join(self.words)
        return " ".join(word for word, empty in zip(self.words, self.empty, strict=True) if not empty)

    def with_graph(self, graph: Graph, **fields: Any) -> Sentence:
        """The same sentence with another graph over the same nodes; `fields` are set as well."""
        if graph.n != self.size:
            raise InputError(f"{self.id}: a graph of {graph.n} words for {self.size} nodes")
        return self.replace(graph=graph, edited=True, **fields)

    def with_arcs(self, arcs: BlockArcs, number: int, repairs: int = 0) -> Sentence:
        """The same as `with_graph` with one of many graphs, which is made when it is asked for."""
        if arcs.sizes[number] != self.size:
            raise InputError(f"{self.id}: a graph of {arcs.sizes[number]} words for {self.size} nodes")
        new = Sentence.__new__(Sentence)
        replaced = self.replaced | _GRAPH if self.replaced else _GRAPH
        new.__dict__.update(self.__dict__, arcs=(arcs, number), edited=True, repairs=repairs, replaced=replaced)
        new.__dict__.pop("graph", None)
        return new

    def with_columns(self, columns: Mapping[int, Sequence[str]]) -> Sentence:
        """The same sentence with other cells in some columns of its nodes, counted from 0."""
        if any(len(column) != self.size for column in columns.values()):
            raise InputError(f"{self.id}: a column of another length than its {self.size} nodes")
        if self.block is None:
            cells = zip(*columns.values(), strict=True)
            changed = (row if "-" in row[0] else _with_cells(row, columns.keys(), next(cells)) for row in self.rows)
            return self.replace(rows=list(changed))
        new = self.replace()
        new.__dict__.pop("rows", None)
        new.__dict__.pop("node_rows", None)
        new.__dict__.update(columns={**self.columns, **columns}, replaced=self.replaced | {"columns"})
        return new

    def __repr__(self) -> str:
        return f"<Sentence {self.id}: {self.size} words, {len(self.graph)} arcs>"


def check_id(sent_id: str) -> None:
    """Refuse an id that does not fit into one line."""
    if "\n" in sent_id or "\r" in sent_id:
        raise InputError(f"the id {sent_id!r:.50} holds a line break")


def _with_cells(row: Row, columns: Iterable[int], cells: Sequence[str]) -> Row:
    new = list(row)
    for column, cell in zip(columns, cells, strict=True):
        new[column] = cell
    return new
