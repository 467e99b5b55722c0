"""`Sentence`: the words of one sentence, every column and comment of its file, and its graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arctag.errors import InputError
from arctag.graph import Graph

Row = list[str]
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)")


@dataclass(frozen=True, eq=False)
class Sentence:
    """One sentence of a treebank, or of tokenized text.

    Rows and comments are the text of the file and are never changed: `with_graph` gives a new sentence, and a
    writer then replaces only the columns that hold the graph.

    Word i of the graph is the i-th *node*: a word (`7`) or an empty node (`8.1`), in the order of the file.
    Ranges (`3-4`) are rows but not nodes.
    """

    rows: list[Row]
    """The columns of each line that is not a comment."""
    graph: Graph
    """The arcs between the nodes."""
    format: str = "conllu"
    """The name of the format that the rows are in (see `arctag.formats.FORMATS`)."""
    comments: tuple[str, ...] = ()
    """Comment lines, `#` included."""
    blanks: int = 1
    """Empty lines after the sentence; the last one of a file may have none or several."""
    edited: bool = False
    """Whether the graph was set after reading, so that the rows no longer show it."""
    source: str = ""
    """Where it was read from (`file:line`), for messages."""
    error: str = ""
    """Why it could not be read; empty if it could. Such a sentence is written as it was."""
    score: float | None = None
    """The mean log-probability of the labels that a parser predicted."""
    repairs: int = 0
    """The number of repairs that the predicted labels needed."""
    changes: int = 0
    """The number of arcs that guarantees added or removed."""

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
        if sent_id and ("\n" in sent_id or "\r" in sent_id):
            raise InputError(f"the id {sent_id!r:.50} holds a line break")
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

    @property
    def ids(self) -> list[str]:
        """The ids of the nodes in the file: '1', '2', …, '8.1'."""
        return [row[0] for row in self.node_rows]

    @property
    def words(self) -> list[str]:
        """The forms of the nodes."""
        return [row[1] for row in self.node_rows]

    @property
    def tags(self) -> list[str]:
        """Universal tags (CoNLL-U) or the tag column (SDP)."""
        return [row[3] for row in self.node_rows]

    @property
    def empty(self) -> list[bool]:
        """For each node, whether it is an empty node."""
        return [self.format == "conllu" and "." in row[0] for row in self.node_rows]

    @cached_property
    def has_empty(self) -> bool:
        """Whether the sentence has empty nodes."""
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
        return " ".join(word for word, empty in zip(self.words, self.empty, strict=True) if not empty)

    def with_graph(self, graph: Graph, **fields: Any) -> Sentence:
        """The same sentence with another graph over the same nodes; `fields` are set as well."""
        if graph.n != len(self.node_rows):
            raise InputError(f"{self.id}: a graph of {graph.n} words for {len(self.node_rows)} nodes")
        new = object.__new__(Sentence)  # `replace` checks every field, and this is called for each parsed sentence
        new.__dict__.update(self.__dict__, graph=graph, edited=True, **fields)
        return new

    def __repr__(self) -> str:
        return f"<Sentence {self.id}: {len(self.node_rows)} words, {len(self.graph)} arcs>"
