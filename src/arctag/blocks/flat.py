"""`Flat`: many sentences as flat arrays, taken from their blocks as a whole where they are views of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from arctag.blocks.arcs import BlockArcs, joined_numbers, joined_probabilities
from arctag.blocks.block import Block
from arctag.blocks.runs import Run, runs
from arctag.cells import Longs, Numbers, Spans
from arctag.encodings.labels import Arcs, offsets_of
from arctag.graph import Graph
from arctag.sentence import Sentence

_FORM = 1
_FORMAT = frozenset({"format"})  # with other rows a sentence is no view


class Table:
    """A number for each of some texts, in the order in which they first come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def numbers(self, texts: Iterable[str]) -> Numbers:
        """The number of each; new ones are added."""
        known = self._numbers
        return np.fromiter((known.setdefault(text, len(known)) for text in texts), dtype=np.int32)


class Flat:
    """Sentences whose columns and arcs come as arrays over all of them."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences
        self._runs = list(runs(sentences, _FORMAT))
        self._replaced = {column for sentence in sentences for column in sentence.columns}

    def runs(self, *columns: int) -> Iterator[Run | Sentence]:
        """Runs of sentences that have these columns as their blocks have them, and other sentences."""
        for run in self._runs:
            if isinstance(run, Run) and not self._replaced.isdisjoint(columns):
                yield from run.sentences
            else:
                yield run

    @cached_property
    def sizes(self) -> Numbers:
        """The number of nodes of each sentence."""
        return _joined([
            np.diff(run.block.nodes[run.start : run.stop + 1]) if isinstance(run, Run) else np.array([run.size])
            for run in self.runs()
        ])  # fmt: skip

    @cached_property
    def graphs(self) -> BlockArcs:
        """The arcs with their relations."""
        return joined_arcs(list(self._graphs()))

    def graphs_in(self, name: str) -> BlockArcs:
        """The arcs in a column, by its name, written there as in DEPS; or those of a further layer."""
        return joined_arcs(list(self._graphs_in(name)))

    def _graphs_in(self, name: str) -> Iterator[BlockArcs]:
        for run in self._runs:
            some = run.sentences if isinstance(run, Run) else [run]
            if isinstance(run, Run) and not any(s.columns or s.further or s.further_graphs for s in some):
                yield run.block.graphs_in(name).part(run.start, run.stop)
            elif all(name in s.further_graphs for s in some):
                yield gathered_graphs([s.further_graphs[name] for s in some])
            else:
                yield gathered_graphs([s.graph_in(name) for s in some])

    def _graphs(self) -> Iterator[BlockArcs]:
        for run in self._runs:
            if not isinstance(run, Run):
                yield graphs_of([run])
                continue
            for part in run.split(_has_other_graph):
                if _has_other_graph(part.sentences[0]):
                    yield graphs_of(part.sentences)
                else:
                    yield part.block.graphs.part(part.start, part.stop)

    def same_words(self, other: Flat) -> bool:
        """Whether the forms of all nodes are the same."""
        return (
            np.array_equal(self.sizes, other.sizes)
            and self.words == other.words
            and self.words.count("\n") == self.sizes.sum() - 1  # none inside a form
        )

    @cached_property
    def words(self) -> str:
        """The forms of all nodes, with line ends between them."""
        parts = [
            cells(run.block, nodes_of(run), _FORM) if isinstance(run, Run) else run.words for run in self.runs(_FORM)
        ]
        # a part without nodes has no line
        return "\n".join([
            part.joined() if isinstance(part, Spans) else "\n".join(part) for part in parts if len(part)
        ])  # fmt: skip

    def column(self, number: int, texts: Table) -> Numbers:
        """A column of all nodes, counted from 0, as numbers in a table."""
        return _joined([
            numbered(cells(run.block, nodes_of(run), number), texts)
            if isinstance(run, Run)
            else texts.numbers(run.column(number))
            for run in self.runs(number)
        ])  # fmt: skip


def _has_other_graph(sentence: Sentence) -> bool:
    return "graph" in sentence.replaced


def graphs_of(sentences: Sequence[Sentence]) -> BlockArcs:
    """The graphs of sentences, whatever they are made of."""
    return gathered_graphs([sentence.graph if sentence.arcs is None else sentence.arcs for sentence in sentences])


def gathered_graphs(made_of: Sequence[tuple[BlockArcs, int] | Graph]) -> BlockArcs:
    """Graphs as one, each of them alone or one of many."""
    gathered = [one for one in made_of if not isinstance(one, Graph)]
    if len(gathered) == len(made_of):
        return BlockArcs.gathered(gathered)
    graphs = [one if isinstance(one, Graph) else one[0].graph(one[1]) for one in made_of]
    known = joined_probabilities([(graph.probabilities, len(graph)) for graph in graphs])
    return BlockArcs(Arcs.of(graphs), joined_numbers(graph.relation_numbers for graph in graphs), known)


def joined_arcs(parts: Sequence[BlockArcs]) -> BlockArcs:
    """The arcs of several parts, one after another."""
    arcs = [part.arcs for part in parts]
    joined = Arcs(
        _joined([some.sizes for some in arcs]),
        offsets_of(_joined([np.diff(some.starts) for some in arcs])),
        _joined([some.heads for some in arcs]),
        _joined([some.dependents for some in arcs]),
    )
    return BlockArcs(joined, joined_numbers((part.numbers, part.names) for part in parts))


def nodes_of(run: Run) -> Longs:
    """The lines of the nodes of a run."""
    nodes = run.block.nodes
    return run.block.node_lines[nodes[run.start] : nodes[run.stop]]


def cells(block: Block, lines: Longs, column: int) -> Spans:
    """The cells of a column in some lines."""
    return block.cells_of(lines, column)


def numbered(spans: Spans, texts: Table) -> Numbers:
    """The number of each text in a table."""
    numbers, names = spans.numbered()
    return texts.numbers(names)[numbers]


def _joined(parts: list[Numbers]) -> Numbers:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int32)
