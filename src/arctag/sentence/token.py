"""`Token`: a word of a sentence with its columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from arctag import columns as names_of
from arctag.graph import Arc

if TYPE_CHECKING:
    from arctag.sentence.sentence import Sentence

_FORM = 1


class Token:
    """A word of a sentence, or an empty node: `sentence.tokens[3].lemma`.

    A column is `None` where the file has `_`, or does not have it at all. `token["MISC:Gloss"]` and
    `token["PARSEME:MWE"]` are columns by name, as in `Sentence.cells`.
    """

    __slots__ = ("number", "sentence")

    sentence: Sentence
    """The sentence that it belongs to."""
    number: int
    """Its number in the graph, from 1, empty nodes included: what `head` and arcs refer to."""

    def __init__(self, sentence: Sentence, number: int) -> None:
        self.sentence, self.number = sentence, number

    @property
    def id(self) -> str:
        """Its id in the file: `7`, or `8.1` for an empty node."""
        return self._row[0]

    @property
    def form(self) -> str:
        """The word itself."""
        row = self._row
        return row[_FORM] if len(row) > _FORM else ""

    @property
    def lemma(self) -> str | None:
        """Its lemma."""
        return self._cell("LEMMA") or ("_" if self.form == "_" else None)

    @property
    def upos(self) -> str | None:
        """Its universal part of speech."""
        return self._cell("UPOS")

    @property
    def xpos(self) -> str | None:
        """Its part of speech in the tag set of the treebank; in SDP, its only tag."""
        return self._cell("XPOS")

    @property
    def feats(self) -> Mapping[str, str]:
        """Its features by name: `{"Number": "Sing"}`."""
        return _pairs(self._cell("FEATS"))

    @property
    def misc(self) -> Mapping[str, str]:
        """What is in MISC, by key: `{"SpaceAfter": "No"}`."""
        return _pairs(self._cell("MISC"))

    @property
    def head(self) -> int | None:
        """The number of its head in the tree, 0 for the root; None without a tree."""
        cell = self._cell("HEAD")
        if cell is None:
            return None
        head = int(cell)
        if not head or not self.sentence.has_empty:
            return head
        return self.sentence.ids.index(str(head)) + 1

    @property
    def deprel(self) -> str | None:
        """Its relation to its head in the tree."""
        return self._cell("DEPREL")

    @property
    def heads(self) -> list[Arc]:
        """The arcs of the graph that lead to it: none, one or several."""
        graph = self.sentence.graph
        start, end = np.searchsorted(graph.dependents, [self.number, self.number + 1]).tolist()
        return [Arc(int(graph.heads[i]), self.number, graph.relations[i]) for i in range(start, end)]

    @property
    def dependents(self) -> list[Arc]:
        """The arcs of the graph that lead from it."""
        graph = self.sentence.graph
        places = np.flatnonzero(graph.heads == self.number).tolist()
        return [Arc(self.number, int(graph.dependents[i]), graph.relations[i]) for i in places]

    @property
    def empty(self) -> bool:
        """Whether it is an empty node."""
        return self.sentence.universal and "." in self.id

    def __getitem__(self, name: str) -> str | None:
        """A column by name, whatever its case."""
        cell = self.sentence.cells(name)[self.number - 1]
        return None if cell == "_" else cell

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and self.sentence is other.sentence and self.number == other.number

    def __hash__(self) -> int:
        return hash((id(self.sentence), self.number))

    def __repr__(self) -> str:
        said = [self.lemma, self.upos or self.xpos, self.deprel]
        return f"<Token {self.id} {self.form}{': ' if any(said) else ''}{', '.join(filter(None, said))}>"

    def __str__(self) -> str:
        return self.form

    @property
    def _row(self) -> list[str]:
        return self.sentence.node_rows[self.number - 1]

    def _cell(self, name: str) -> str | None:
        """A standard column."""
        sentence = self.sentence
        number = names_of.find_column(name, sentence.format, sentence.header, sentence.columns)
        row = self._row
        if number is None or number >= len(row):  # a damaged sentence may lack some
            return None
        return None if row[number] == "_" else row[number]


def _pairs(cell: str | None) -> dict[str, str]:
    """`A=1|B` by key; a part without a value has an empty one."""
    parts = (part.partition("=") for part in (cell or "").split("|") if part)
    return {key: value for key, _, value in parts}
