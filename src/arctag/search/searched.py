"""`Searched`: one sentence as patterns see it: the values of each word, and the arcs of each graph."""

from __future__ import annotations

import sys

from arctag.columns import HEAD
from arctag.encodings.conflicts import greedy_planes, relaxed_conflict
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.search.reading import FORM
from arctag.search.values import Values
from arctag.sentence import Sentence
from arctag.sentence.layers import TREE

MAIN = "graph"
"""The name of a sentence's own graph."""
Cells = list[tuple[str, ...]]
_TAGS = frozenset({"tag", "tags"})
_COLUMNS = frozenset({FORM, "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc", "id"})


class Steps:
    """Counts the words that are tried in a sentence; a pattern that tries too many is refused as too vague."""

    def __init__(self, sentence: str, most: int = sys.maxsize) -> None:
        self._sentence, self._most = sentence, most
        self.taken = 0

    def take(self, number: int = 1) -> None:
        """So many more; `InputError` if they are too many."""
        self.taken += number
        if self.taken > self._most:
            raise InputError(
                f"{self._sentence}: the pattern fits in more than {self._most:,} ways; give it more conditions"
            )


class Links:
    """The arcs of a graph by their ends; words count from 1, and 0 is the root."""

    def __init__(self, graph: Graph, steps: Steps) -> None:
        self._steps = steps
        self.children: dict[int, dict[int, tuple[str, ...]]] = {}
        self.parents: dict[int, dict[int, tuple[str, ...]]] = {}
        self.size = len(graph)
        for head, dependent, relations in graph:
            self.children.setdefault(head, {})[dependent] = relations
            self.parents.setdefault(dependent, {})[head] = relations
        self._reached: dict[tuple[int, int], set[int]] = {}

    def has(self, head: int, dependent: int, relations: Values | None) -> bool:
        """Whether there is such an arc."""
        found = self.children.get(head, {}).get(dependent)
        return found is not None and (relations is None or any(map(relations.test, found)))

    def below(self, head: int, relations: Values | None) -> set[int]:
        """The words that one or more such arcs lead to."""
        key = (head, id(relations))
        if key not in self._reached:
            found: set[int] = set()
            waiting = [head]
            while waiting:
                here = waiting.pop()
                self._steps.take(1 + len(self.children.get(here, ())))
                for dependent in self.children.get(here, ()):
                    if dependent not in found and self.has(here, dependent, relations):
                        found.add(dependent)
                        waiting.append(dependent)
            self._reached[key] = found
        return self._reached[key]


class Searched:
    """A sentence, and the graph that is searched unless a pattern names another one."""

    def __init__(self, sentence: Sentence, layer: str = MAIN, steps: Steps | None = None) -> None:
        self.sentence, self.layer = sentence, layer
        self.steps = steps or Steps(sentence.id)
        self.n = sentence.size
        self._cells: dict[str, Cells] = {}
        self._links: dict[str, Links] = {}

    def values(self, key: str) -> Cells:
        """The values of a key, for each word."""
        if key not in self._cells:
            self._cells[key] = self._read(key)
        return self._cells[key]

    def links(self, graph: str = "") -> Links:
        """The arcs of a graph; the one that is searched if none is named."""
        name = graph or self.layer
        if name not in self._links:
            self._links[name] = Links(self._graph(name), self.steps)
        return self._links[name]

    def count(self, key: str) -> list[int]:
        """How many heads or dependents each word has."""
        links = self.links()
        ends = links.parents if key == "heads" else links.children
        return [len(ends.get(word, ())) for word in range(1, self.n + 1)]

    def number(self, key: str) -> int:
        """A number of the sentence: its words, arcs or planes."""
        if key == "words":
            return self.n - sum(self.sentence.empty) if self.sentence.has_empty else self.n
        if key == "arcs":
            return self.links().size
        arcs = [(head, word) for word, heads in sorted(self.links().parents.items()) for head in sorted(heads)]
        return len(greedy_planes(arcs, relaxed_conflict))

    def text(self, key: str) -> str:
        """A text about the sentence."""
        if key == "sent_id":
            return self.sentence.id
        if key == "cyclic":
            return "yes" if self._graph(self.layer).cyclic else "no"
        return self.sentence.text

    def _read(self, key: str) -> Cells:
        lower = key.casefold()
        if lower == "rel":
            parents = self.links().parents
            return [
                tuple(one for relations in parents.get(word, {}).values() for one in relations)
                for word in range(1, self.n + 1)
            ]
        if lower in _TAGS:
            return [(cell,) for cell in self.sentence.tags]
        if lower not in _COLUMNS and key[0].isupper() and ":" not in key:
            return _features(self.sentence, key)
        return [(cell,) for cell in self.sentence.cells(key)]

    def _graph(self, name: str) -> Graph:
        sentence = self.sentence
        if name == MAIN:
            return sentence.graph
        if name != TREE or TREE in sentence.further_graphs:
            return sentence.graph_in(name)
        if sentence.universal and all(cell == "_" for cell in sentence.column(HEAD)):
            return Graph.without_arcs(self.n)
        return sentence.tree


def _features(sentence: Sentence, name: str) -> Cells:
    """The value of a feature (`Number`); without values where a word does not have it."""
    if not sentence.universal:
        raise InputError(f"{sentence.source or sentence.id}: there are no features in {sentence.format} files")
    beginning = f"{name}="
    cells: dict[str, tuple[str, ...]] = {}
    found = []
    for cell in sentence.cells("FEATS"):
        if cell not in cells:
            cells[cell] = tuple(
                value
                for part in cell.split("|")
                if part.startswith(beginning)
                for value in part[len(beginning) :].split(",")
            )
        found.append(cells[cell])
    return found
