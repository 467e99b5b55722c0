"""The layers of a sentence by name, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from arctag import columns as names_of
from arctag.errors import UnknownName
from arctag.graph import Graph

if TYPE_CHECKING:
    from arctag.blocks.arcs import BlockArcs
    from arctag.sentence.sentence import Sentence

TREE, MAIN = "tree", "graph"
"""The names of the basic tree and of the main graph."""
Layer = list[str] | Graph
_TAGS = ("lemma", "upos", "xpos", "feats")


class NoLayer(UnknownName, KeyError):
    """A sentence does not have this layer; a `KeyError`, too, as mappings raise."""

    __str__ = Exception.__str__  # a `KeyError` would quote the message


class FurtherGraphs(Mapping[str, Graph]):
    """Graphs beside the main one."""

    def __init__(self, sources: Mapping[str, tuple[BlockArcs, int] | Graph]) -> None:
        self._sources = sources
        self._made: dict[str, Graph] = {}

    def __getitem__(self, name: str) -> Graph:
        if name not in self._made:
            graph = self._sources[name]
            self._made[name] = graph if isinstance(graph, Graph) else graph[0].graph(graph[1])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)


class Layers(Mapping[str, Layer]):
    """What a sentence is annotated with: layers that are not empty, under the names that models have for them."""

    def __init__(self, sentence: Sentence) -> None:
        self._makers: dict[str, Callable[[], Layer]] = {}
        if sentence.error:
            return
        for name in (*_TAGS, *(sentence.header.further if sentence.header is not None else ())):
            if _filled(sentence, name):
                self._makers[name] = lambda name=name: sentence.cells(name)  # type: ignore[misc]
        if _filled(sentence, "head"):
            self._makers[TREE] = lambda: sentence.tree
        if len(sentence.graph):
            self._makers[MAIN] = lambda: sentence.graph
        for name in sentence.graphs:
            self._makers[name] = lambda name=name: sentence.graphs[name]  # type: ignore[misc]
        for name in sentence.further:
            self._makers[name] = lambda name=name: sentence.cells(name)  # type: ignore[misc]

    def __getitem__(self, name: str) -> Layer:
        if name not in self._makers:
            raise NoLayer("layer of this sentence", name, self._makers)
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __repr__(self) -> str:
        return f"<Layers: {', '.join(self) or 'none'}>"


def _filled(sentence: Sentence, name: str) -> bool:
    number = names_of.find_column(name, sentence.format, sentence.header, sentence.columns)
    return number is not None and any(cell != "_" for cell in sentence.column(number))
