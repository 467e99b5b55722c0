"""`Sentence`: the words of one sentence, every column and comment of its file, and its graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from arctag import columns as names_of
from arctag.errors import FormatError, InputError
from arctag.graph import Graph
from arctag.sentence.layers import FurtherGraphs, Layers
from arctag.sentence.token import Token

if TYPE_CHECKING:
    from arctag.blocks.arcs import BlockArcs
    from arctag.blocks.block import Block

Row = list[str]
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")
_UNPARSED = {"edited": False, "score": None, "repairs": 0, "changes": 0, "head_probabilities": None}
_LAYERS = frozenset({"further_graphs", "further"})
_TEXT_FIELDS = ("rows", "graph", "format", "comments", "blanks", "source", "error", "header", "fresh", "document")
_FIELDS = frozenset({*_TEXT_FIELDS, *_UNPARSED, *_LAYERS})
_NO_COLUMNS: Mapping[int, Sequence[str]] = {}
_NO_ROWS: list[Row] = []
_NO_LAYERS: Mapping[str, Any] = {}
_AS_READ = {
    **_UNPARSED, "replaced": frozenset[str](), "arcs": None, "columns": _NO_COLUMNS, "before": _NO_ROWS,
    "further_graphs": _NO_LAYERS, "further": _NO_LAYERS, "document": None,
}  # fmt: skip
_NO_VIEW = {
    "block": None, "number": 0, "replaced": frozenset[str](), "arcs": None, "columns": _NO_COLUMNS, "before": _NO_ROWS,
}  # fmt: skip
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
    head_probabilities: Sequence[float] | None
    """The probability of each node's head in the tree, if a parser predicted it and was asked for probabilities."""
    fresh: bool
    """Whether it was made of words or running text, not read from a graph file: nothing in it is annotated."""
    document: str | None
    """The id of its document, where that is known otherwise than from comments (`# newdoc`)."""
    block: Block | None
    """The block that it is a view of, if it is one."""
    number: int
    """Its number there."""
    replaced: frozenset[str]
    """The fields that are no longer as the block has them."""
    arcs: tuple[BlockArcs, int] | None
    """The arcs of many sentences that the graph is made of, and its number there, if it was set so."""
    columns: Mapping[int, Sequence[str]]
    """Columns, counted from 0, that nodes have in place of those of the block, or of the rows before."""
    before: list[Row]
    """Without a block: the rows as they were without those columns."""
    header: names_of.Header | None
    """The names of its columns, if it was read as CoNLL-U Plus."""
    further_graphs: Mapping[str, tuple[BlockArcs, int] | Graph]
    """What `graphs` are made of."""
    further: Mapping[str, Sequence[str]]
    """Further tags of the nodes, by the name of their layer, beside the columns of the file."""

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
        header: names_of.Header | None = None,
        fresh: bool = False,
        document: str | None = None,
    ) -> None:
        """A sentence of rows and a graph over those that are nodes.

        With a header of CoNLL-U Plus, rows have the ten columns of CoNLL-U, then the further ones.
        """
        self.__dict__.update(
            rows=rows, graph=graph, format=format, comments=comments, blanks=blanks, edited=edited, source=source,
            error=error, score=score, repairs=repairs, changes=changes, header=header, fresh=fresh,
            further_graphs=_NO_LAYERS, further=_NO_LAYERS, document=document, head_probabilities=None, **_NO_VIEW,
        )  # fmt: skip

    @classmethod
    def views(cls, block: Block) -> Iterator[Sentence]:
        """A view of each sentence of a block."""
        return (cls._view(fields, block, number) for fields in [_fields(block)] for number in range(len(block)))

    @classmethod
    def of_block(cls, block: Block, number: int) -> Sentence:
        """The view of one sentence of a block."""
        return cls._view(_fields(block), block, number)

    @classmethod
    def _view(cls, fields: dict[str, Any], block: Block, number: int) -> Sentence:
        new = cls.__new__(cls)
        values = new.__dict__
        values.update(fields)
        values["number"] = number
        if block.table is not None:
            values.update(block.fields_of(number))
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
            if _node_count(fields["rows"]) != self.size:  # whose further layers fit no more
                new.__dict__.update(further_graphs=_NO_LAYERS, further=_NO_LAYERS, head_probabilities=None)
        else:
            new.__dict__.update(self.__dict__, replaced=self.replaced.union(fields))
            for name in ("id", "text", "graphs"):  # from the comments, and the layers
                new.__dict__.pop(name, None)
        if "graph" in fields:
            new.__dict__["arcs"] = None
        new.__dict__.update(fields)
        return new

    __replace__ = replace

    def detached(self) -> Sentence:
        """The same sentence without its block, which a view keeps in memory: for the few of many that are kept."""
        new = Sentence.__new__(Sentence)
        copies = {name: graph.copy() for name, graph in self.graphs.items()}
        new.__dict__.update(self.__getstate__(), graph=self.graph.copy(), further_graphs=copies)
        return new

    def __getstate__(self) -> dict[str, Any]:
        """For another process: without the block."""
        return {name: getattr(self, name) for name in _FIELDS} | _NO_VIEW | {"further_graphs": dict(self.graphs)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    @cached_property
    def rows(self) -> list[Row]:
        """The columns of each line that is not a comment."""
        rows = self.block.rows_of(self.number) if self.block is not None else list(map(list, self.before))
        if self.columns:
            nodes = [row for row in rows if "-" not in row[0]]
            for number, column in self.columns.items():
                for row, cell in zip(nodes, column, strict=True):
                    row[number] = cell
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
    def graphs(self) -> Mapping[str, Graph]:
        """Further graphs over the same nodes, by the name of their layer; each is made when it is asked for."""
        return FurtherGraphs(self.further_graphs)

    @property
    def tree(self) -> Graph:
        """The basic tree, HEAD and DEPREL, as a graph; `InputError` if there is none (`"tree" in sentence.layers`)."""
        if self.error:
            raise InputError(self.error)
        if not self.universal:
            raise InputError(f"{self.source or self.id}: there is no tree in {self.format} files")
        heads, relations, words = self.column(names_of.HEAD), self.column(names_of.DEPREL), [0]
        words += [node for node, empty in enumerate(self.empty, 1) if not empty]
        arcs = [(words[int(head)], i, relations[i - 1]) for i, head in enumerate(heads, 1) if head != "_"]
        if not arcs:
            raise InputError(f"{self.source or self.id}: there is no tree: HEAD is empty")
        return Graph(len(heads), arcs)

    @property
    def layers(self) -> Mapping[str, list[str] | Graph]:
        """What the sentence is annotated with, by name: `upos`, `lemma`, … are cells, `tree`, `graph`, `dm`, … graphs.

        Layers that are empty are left out.
        """
        return Layers(self)

    @property
    def tokens(self) -> list[Token]:
        """The nodes one by one, with their columns: words and empty nodes, in the order of the file."""
        return [Token(self, number) for number in range(1, self.size + 1)]

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
        return cls(rows, graph or Graph(len(words)), comments=comments, edited=graph is not None, fresh=True)

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
        if self.error:  # whose rows may lack some
            return [row[number] if number < len(row) else "_" for row in self.node_rows]
        return [row[number] for row in self.node_rows]

    def cells(self, name: str) -> list[str]:
        """The cells of the nodes in a column, by its name in CoNLL-U (Plus), whatever its case.

        `MWE` is short for `PARSEME:MWE`; `MISC:Key` is the value of that key in MISC. '_' stands for nothing.
        """
        column, _, key = name.partition(":")
        if column.upper() == "MISC" and key and self.universal:
            return [names_of.misc_value(cell, key) for cell in self.column(names_of.MISC)]
        tags = list(self.further)
        if (place := names_of.find_name(name, tags)) is not None:
            return list(self.further[tags[place]])
        number = names_of.find_column(name, self.format, self.header, self.columns)
        if number is None:
            raise names_of.no_column(self.source or self.id, name, self.format, self.header, self.further)
        return self.column(number)

    def graph_in(self, name: str) -> Graph:
        """The graph of a layer, or in a column with this name, written there as in DEPS (`4:nsubj|6:nsubj:xsubj`)."""
        if name in self.further_graphs:
            return self.graphs[name]
        cells, ids = self.cells(name), self.ids
        nodes = {"0": 0, **{id: node for node, id in enumerate(ids, 1)}}
        triples: list[tuple[int, int, str]] = []
        for dependent, cell in enumerate(cells, 1):
            try:
                triples.extend((head, dependent, relation) for head, relation in names_of.heads_in(cell, nodes))
            except ValueError as error:
                found, expected = error.args
                raise FormatError(*self._line_of(ids[dependent - 1]), f"{found} in column {name}", expected) from None
        return Graph(len(ids), triples)

    def _line_of(self, identifier: str) -> tuple[str, int | None]:
        """The file and the line of a row, for messages."""
        source, _, first = self.source.rpartition(":")
        row = next(i for i, row in enumerate(self.rows) if row[0] == identifier)
        if self.block is not None and self.block.table is not None:  # where a sentence is a row
            row = 0
        return (source, int(first) + row) if first.isdigit() else (self.source or self.id, None)

    @property
    def universal(self) -> bool:
        """Whether its columns are those of CoNLL-U, further ones aside."""
        return self.format in names_of.UNIVERSAL

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
        return [self.universal and "." in name for name in self.ids]

    @property
    def size(self) -> int:
        """The number of nodes."""
        if self.block is not None and not self.error:
            return self.block.size_of(self.number)
        return self._node_count

    @cached_property
    def _node_count(self) -> int:
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
        new = self.replace()
        values = new.__dict__
        if self.block is None:  # rows are put together when they are asked for: often more columns follow
            values["before"] = self.before or self.rows
        values.pop("rows", None)
        values.pop("node_rows", None)
        values.update(columns={**self.columns, **columns}, replaced=self.replaced | {"columns"})
        return new

    def with_layers(
        self,
        graphs: Mapping[str, tuple[BlockArcs, int] | Graph] = _NO_LAYERS,
        columns: Mapping[str, Sequence[str]] = _NO_LAYERS,
    ) -> Sentence:
        """The same sentence with further graphs and tags, by the names of their layers.

        A graph is one of many, as in `with_arcs`, or stands alone; tags are one cell for each node.
        """
        size = self.size
        for name, graph in graphs.items():
            words = graph.n if isinstance(graph, Graph) else graph[0].sizes[graph[1]]
            if words != size:
                raise InputError(f"{self.id}: a graph {name!r} of {words} words for {size} nodes")
        for name, column in columns.items():
            if len(column) != size:
                raise InputError(f"{self.id}: {len(column)} tags {name!r} for {size} nodes")
        new = Sentence.__new__(Sentence)
        new.__dict__.update(self.__dict__)
        new.__dict__.pop("graphs", None)
        new.__dict__.update(further_graphs={**self.further_graphs, **graphs}, further={**self.further, **columns})
        return new

    def to_conllu(self) -> str:
        """The sentence as CoNLL-U, with the blank line after it; what CoNLL-U has no room for is left out."""
        from arctag.formats.conllu import CONLLU

        return CONLLU.text(self)

    def _repr_html_(self) -> str:
        """A picture, for notebooks."""
        from arctag.draw.notebook import sentence_html

        return sentence_html(self)

    def __repr__(self) -> str:
        return f"<Sentence {self.id}: {self.size} words, {len(self.graph)} arcs>"


def _fields(block: Block) -> dict[str, Any]:
    """What all views of a block share."""
    return {
        **_AS_READ,
        "block": block,
        "format": block.format,
        "header": block.header,
        "error": "",
        "fresh": block.fresh,
    }


def _node_count(rows: Iterable[Row]) -> int:
    return sum("-" not in row[0] for row in rows)


def check_id(sent_id: str) -> None:
    """Refuse an id that does not fit into one line."""
    if "\n" in sent_id or "\r" in sent_id:
        raise InputError(f"the id {sent_id!r:.50} holds a line break")
