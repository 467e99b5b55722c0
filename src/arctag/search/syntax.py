"""What a pattern is made of, once it is read.

Query  ── clauses ──▶ Chain ── links ──▶ Link          nodes stand in a table of the query; links join two of them
   └──── sentence ──▶ Condition                        conditions on the sentence as a whole
   └──── nodes ─────▶ Node ── conditions ──▶ Condition
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from arctag.search.values import Values

FIRST, CHILD, PATH, NEXT, LATER = "first", "child", "path", "next", "later"
"""How two words are linked: `CHILD` is an arc, `PATH` one or more, `NEXT` and `LATER` are about word order."""

NUMBER_TESTS: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda found, wanted: found >= wanted,
    "<=": lambda found, wanted: found <= wanted,
    "!=": lambda found, wanted: found != wanted,
    "=": lambda found, wanted: found == wanted,
    ">": lambda found, wanted: found > wanted,
    "<": lambda found, wanted: found < wanted,
}
WORD_NUMBERS = frozenset({"heads", "dependents"})
"""Keys of words that are numbers: how many heads and dependents a word has in the graph."""
SENTENCE_NUMBERS = frozenset({"words", "arcs", "planes"})
SENTENCE_TEXTS = frozenset({"sent_id", "text", "cyclic"})


@dataclass(frozen=True)
class Condition:
    """A key and what its value must be: one of some texts, or a number."""

    key: str
    values: Values | None = None
    compare: str = "="
    number: int = 0
    negated: bool = False

    def numeric(self, found: int) -> bool:
        """Whether a number is as the condition says."""
        return NUMBER_TESTS[self.compare](found, self.number) != self.negated

    def textual(self, found: tuple[str, ...]) -> bool:
        """Whether one of the values of a key is as the condition says, or, negated, none of them."""
        assert self.values is not None
        return any(map(self.values.test, found)) != self.negated


@dataclass(frozen=True)
class Node:
    """A word that is looked for."""

    name: str
    """As the pattern calls it; empty if it does not."""
    conditions: tuple[Condition, ...] = ()
    written: bool = True
    """False for one that is left out (`>nsubj`): the root may stand there, too."""


@dataclass(frozen=True)
class Link:
    """Two nodes, by their places in the query, that belong together; for arcs `head` is the head."""

    kind: str
    head: int
    dependent: int
    relations: Values | None = None
    graph: str = ""
    """The layer that is meant; empty for the one that is searched."""
    negated: bool = False
    other: int = -1
    """Of a negated link, the node that must not exist; -1 where both ends are words that others look for, too."""


@dataclass(frozen=True)
class Query:
    """A whole pattern."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    sentence: tuple[Condition, ...]

    @property
    def wanted(self) -> list[int]:
        """The nodes that a match must have: all but those of negated links."""
        absent = {link.other for link in self.links if link.negated}
        return [place for place in range(len(self.nodes)) if place not in absent]
