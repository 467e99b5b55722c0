"""`GraphLayer`: a dependency graph, as one label a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat
from arctag.graph import Graph, Relations
from arctag.layers.arc_scores import ARCS, GRID, Compared, f_scores
from arctag.layers.arc_targets import GraphTargets
from arctag.layers.arcs import ArcLayer
from arctag.layers.base import Outcome, Output, Question, Selection, Targets
from arctag.layers.evidence import OF_GRAPHS, of_graph, scorer_alone, weighed
from arctag.layers.fitting import Examples, fit_each
from arctag.layers.further_arcs import complete
from arctag.layers.odds import sigmoid
from arctag.layers.predicted import NULL, ROOT, Predicted
from arctag.layers.proposals import named, verified, with_root
from arctag.layers.settings import Probability
from arctag.layers.types import Counts
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes
from arctag.transforms.completion import completed, held
from arctag.transforms.guarantees import guaranteed

MAIN = "graph"
"""The name of the layer that is the main graph of a sentence: DEPS, or the arcs of an SDP file."""
MAIN_COLUMN = "DEPS"
"""Where it stands, in CoNLL-U; for other formats this is their graph."""
ACYCLIC = "acyclic"
_LEAST_HELD = 0.99  # of the graphs of a treebank: a few lose a head when their empty nodes are dropped
_LEAST_ROOTED = 0.999  # of the arcs of a treebank: a few relations are slips
_SEARCHED = 0.05  # the least probability, by the arc scorer alone, of arcs that other evidence is asked about


@dataclass(frozen=True, kw_only=True)
class GraphLayer(ArcLayer):
    """A graph: every arc that is probable enough."""

    threshold: Probability = 0.5
    """The least probability of an arc that is kept; tuned on the development file."""
    ensure: tuple[str, ...] = ()
    """What the graphs of the training files always have: attached, top, connected."""
    rooted: bool = False
    """Whether in these graphs `root` is the relation of words below the root, and of no others."""
    loops: bool = True
    """Whether words may be their own heads."""
    tree: str = ""
    """The layer whose trees propose arcs, and say where some are added to keep guarantees; empty for none."""

    kind: ClassVar[str] = "graph"
    evidence: ClassVar[tuple[str, ...]] = OF_GRAPHS

    @property
    def written(self) -> tuple[str, ...]:
        """DEPS, or a further graph."""
        return (MAIN_COLUMN,) if self.name == MAIN else (self.name,)

    @property
    def uses(self) -> tuple[str, ...]:
        """The tree as well, if it completes the graph."""
        return (*super().uses, *([self.tree] if self.tree else []))

    @classmethod
    def graphs_in(cls, sentences: Sequence[Sentence], column: str) -> BlockArcs:
        """The main graphs, or those of a further column."""
        flat = Flat(sentences)
        return flat.graphs if column == MAIN_COLUMN else flat.graphs_in(column)

    @classmethod
    def _facts(cls, graphs: BlockArcs) -> dict[str, Any]:
        """What the graphs always have."""
        heads, dependents = graphs.arcs.heads, graphs.arcs.dependents
        is_root = np.array([names == ROOT for names in graphs.names], dtype=np.bool_)[graphs.numbers]
        return {
            "ensure": tuple(name for name in held(graphs.arcs, _LEAST_HELD) if name != ACYCLIC),
            "rooted": bool((heads == 0).any() and np.mean((heads == 0) == is_root) >= _LEAST_ROOTED),
            "loops": bool((heads == dependents).any()),
        }

    def limit(self, threshold: float | None) -> float:
        """The threshold to use: without an arc scorer every decoded arc counts, unless a threshold is given."""
        scored = self.verify or self.biaffine
        return threshold if threshold is not None else self.threshold if scored else 0.0

    def conclude(self, question: Question, proposed: Predicted, others: Mapping[str, Any]) -> Predicted:
        """Verify the proposed arcs and name those whose probability is not below the threshold."""
        predicted = verified(self, question, self._with_tree(proposed, others))
        undecided, has_null = question.undecided == self.name, NULL in self.relations
        if self.weights or undecided:
            predicted = self._weighed(question, predicted)
        elif has_null:  # they go at once: guarantees are about arcs that stay
            predicted = named(self, question, predicted)
        if undecided:
            return self._completed(question, with_root(self, predicted) if self.rooted else predicted, others)
        everything = self.biaffine and not self.weights  # that the search has found
        kept = predicted.arc_probabilities >= (0 if everything else self.limit(question.threshold))
        if not self.loops:
            kept &= predicted.heads != predicted.dependents
        if names := [name for name in self._ensured(question.ensure) if name != ACYCLIC]:
            predicted = complete(self, question, predicted, kept, names)
        else:
            predicted = predicted.keep(kept)
        predicted = predicted if has_null or self.weights else named(self, question, predicted)
        return self._completed(question, with_root(self, predicted) if self.rooted else predicted, others)

    def _with_tree(self, proposed: Predicted, others: Mapping[str, Any]) -> Predicted:
        """The arcs of the tree are proposed as well; they also say where arcs are missing."""
        if not self.tree:
            return proposed
        tree: Predicted = others[self.tree]
        proposed = proposed.with_arcs(tree.words, tree.heads) if self.verifies else proposed
        return replace(proposed, tree=tree.heads)

    def _weighed(self, question: Question, predicted: Predicted) -> Predicted:
        """With relations, and the probability that arc and relation are right, by all evidence."""
        if not len(predicted.heads):
            return replace(predicted, evidence=np.zeros((0, len(self.evidence)), np.float32))
        with question.timer("network"):
            relations, probable = question.answers.relations(self.name, *predicted.nodes)
        evidence = of_graph(predicted, probable)
        chance = sigmoid(weighed(evidence, self.weights or scorer_alone(self.evidence)))
        return replace(
            predicted, relations=relations, names=self.relations, arc_probabilities=chance, probabilities=chance,
            evidence=evidence if question.undecided else None,
        )  # fmt: skip

    def write(self, sentences: Sequence[Sentence], prediction: Predicted, output: Output) -> list[Sentence]:
        """The sentences with their graphs, which have what was asked for."""
        arcs, repairs = prediction.arcs, prediction.repairs.tolist()
        if self.name != MAIN:
            arcs = arcs if output.probabilities else arcs.plain
            return [sentence.with_layers(graphs={self.name: (arcs, i)}) for i, sentence in enumerate(sentences)]
        written = [s.with_arcs(arcs, i, r) for i, (s, r) in enumerate(zip(sentences, repairs, strict=True))]
        if prediction.added is not None:
            added = prediction.added.tolist()
            written = [s.replace(changes=count) if count else s for s, count in zip(written, added, strict=True)]
        if ACYCLIC in (names := self._ensured(output.ensure)):
            written = [self._guaranteed(sentence, names) for sentence in written]
        if output.probabilities:
            scores = prediction.scores.tolist()
            written = [sentence.replace(score=score) for sentence, score in zip(written, scores, strict=True)]
        return written

    def _ensured(self, names: Sequence[str] | None) -> Sequence[str]:
        """The guarantees to keep: those that are asked for, else the layer's own."""
        return self.ensure if names is None else names

    def _guaranteed(self, sentence: Sentence, names: Sequence[str]) -> Sentence:
        """With arcs taken away where there are cycles."""
        graph, changes = guaranteed(sentence.graph, names, self._fallback)
        return sentence.with_graph(graph, changes=sentence.changes + changes)

    def _fallback(self, head: int) -> Relations:
        """The relation of an arc that a guarantee added: 'root' or 'dep' where the model knows them."""
        wanted = ("root",) if head == 0 else ("dep",)
        return wanted if wanted in self.relations else next(names for names in self.relations if names)

    def finish(self, sentences: Sequence[Sentence], output: Output) -> list[Sentence]:
        """With empty nodes in place of paths, and without probabilities that nobody wants."""
        if self.name != MAIN:
            return list(sentences)
        if self.empty == "collapse":
            sentences = [self._expanded(sentence) for sentence in sentences]
        return list(sentences) if output.probabilities else list(map(without_probabilities, sentences))

    def _expanded(self, sentence: Sentence) -> Sentence:
        has_path = any(empty_nodes.is_path(name) for names in sentence.graph.relations for name in names)
        if not (has_path or empty_nodes.has_comments(sentence)):
            return sentence
        expanded = empty_nodes.expand(sentence)  # paths may end in the same arc
        return expanded.with_graph(with_sorted_relations(expanded.graph))

    def searched(self, question: Question) -> float:
        """With weights, arcs that the arc scorer alone would reject may have enough in their favour."""
        return _SEARCHED if self.weights or question.undecided == self.name else super().searched(question)

    def examples(self, gold: Targets, selection: Selection, undecided: Predicted) -> Examples:
        """An arc is right if it is in the graph, with just these relations."""
        assert isinstance(gold, GraphTargets)
        assert undecided.evidence is not None
        cells = Compared.of(gold.gold(selection), undecided.arcs).cells
        right = (cells[:, 2] > 0) & (cells[:, 0] == cells[:, 1])
        return Examples(undecided.evidence.astype(np.float64), right, undecided.word_starts)

    def fitted(self, examples: Examples) -> Self:
        """Weights that give each arc the probability that it is right."""
        return replace(self, weights=fit_each(examples, scorer_alone(self.evidence)))

    @property
    def _tuned(self) -> bool:
        return self.verify or self.biaffine

    def counts(self, gold: Targets, selection: Selection, prediction: Predicted) -> Counts:
        """For each threshold what is right and what is found; then of gold, of labels and of sentences."""
        assert isinstance(gold, GraphTargets)
        graphs = gold.gold(selection)
        compared = Compared.of(graphs, prediction.arcs)
        table = [self._at(threshold, compared, prediction) for threshold in self.grid]
        right, well_formed = gold.right_tags(prediction.tag_ids, selection), np.count_nonzero(prediction.repairs == 0)
        other = [compared.wanted.sum(), len(graphs.arcs.heads), graphs.arcs.sizes.sum(), right, well_formed]
        return np.concatenate([np.ravel(table), other]).astype(np.float64)

    def _at(self, threshold: float, compared: Compared, prediction: Predicted) -> Counts:
        """The counts with a threshold and with the guarantees of the layer."""
        kept = prediction.arc_probabilities >= threshold  # in single precision, as in parsing
        if not self.ensure:
            return compared.counts(kept).astype(np.float64)
        found, proposed = prediction.keep(kept).arcs.arcs, prediction.arcs.arcs
        more, extra = completed(found, proposed, prediction.arc_probabilities, prediction.tree, self.ensure)
        # arcs that nothing had proposed have no name yet: they count as wrong
        unnamed = len(extra.heads) * np.array([0, 1, 0, 1, 0])
        counts: Counts = (compared.counts(kept | more) + unnamed).astype(np.float64)
        return counts

    @property
    def grid(self) -> list[float]:
        """The thresholds that are tried on development data."""
        values: list[float] = GRID.tolist()
        return values if self._tuned else [0.0]

    def outcome(self, counts: Counts, sentences: int) -> Outcome[Self]:
        """The best threshold and the scores it gives."""
        other, table = counts[-5:], counts[:-5].reshape(-1, ARCS)
        labelled, unlabelled = f_scores(table, other[0], other[1])
        best = int(np.argmax(labelled))
        scores = {
            "LF": float(labelled[best]),
            "UF": float(unlabelled[best]),
            "LM": float(100 * table[best, 4] / max(sentences, 1)),
        }
        if self.encodings:
            scores["tag_accuracy"] = float(100 * other[3] / max(other[2], 1))
            scores["well_formed"] = float(100 * other[4] / max(sentences, 1))
        tuned = replace(self, threshold=float(GRID[best])) if self._tuned else self
        return Outcome(tuned, scores)


def with_sorted_relations(graph: Graph) -> Graph:
    """The graph with the relations of each arc in the order that Universal Dependencies asks for."""
    relations = tuple(tuple(sorted(names)) for names in graph.relations)
    return Graph.trusted(graph.n, graph.heads, graph.dependents, relations, graph.probabilities)


def without_probabilities(sentence: Sentence) -> Sentence:
    """The sentence with a graph that has none."""
    if sentence.arcs is not None:
        arcs, number = sentence.arcs
        return sentence.with_arcs(arcs.plain, number, sentence.repairs)
    sentence.graph.probabilities = None
    return sentence
