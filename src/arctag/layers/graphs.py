"""`GraphLayer`: a dependency graph, as one label a word; `ArcLayer` is what it shares with trees."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Literal, Self

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat
from arctag.blocks.suited import suited
from arctag.encodings import Encoding, Labels
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.label_space import LabelSpace, relation_vocabulary
from arctag.encodings.labels import offsets_of
from arctag.encodings.recommendation import AUTO, FOR_TREES, best_encoding
from arctag.encodings.trees.base import NotATree
from arctag.errors import InputError
from arctag.graph import BoolArray, Graph, Relations
from arctag.layers.arc_scores import ARCS, GRID, Compared, f_scores
from arctag.layers.arc_targets import ArcTargets, GraphTargets
from arctag.layers.base import LearnedLayer, Outcome, Output, Question, Selection, Targets
from arctag.layers.columns import BLANK, cells
from arctag.layers.further_arcs import complete
from arctag.layers.lexical_markers import base
from arctag.layers.lexical_relations import LexicalRules
from arctag.layers.odds import sigmoid
from arctag.layers.predicted import NULL, ROOT, Predicted
from arctag.layers.proposals import named, propose, verified, with_root
from arctag.layers.settings import TAG_LAYER, AtMostThousand, Count, GraphSettings, GraphTraining, Probability
from arctag.layers.types import Counts, Floats
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
_FACTORED = "bits6-4"  # only bits have factors
_REACHES = ((0.995, 0), (0.97, 4), (0.0, 10))  # the least share of arcs that labels cover, and how far to look beyond


@dataclass(frozen=True, kw_only=True)
class ArcLayer(GraphSettings, LearnedLayer):
    """Arcs between words, proposed by labels, verified, and named."""

    spaces: tuple[LabelSpace, ...]
    """The label space of each encoding."""
    relations: tuple[Relations, ...]
    """The relations of an arc, as classes; `()` is the null arc's."""
    tuples: tuple[tuple[int, ...], ...] = ()
    """The tuples of relation numbers that words carry, for a relation head that predicts these."""
    relation_head: str = "product"
    arc_scorer: bool = True
    nearby: AtMostThousand = 0
    relation_hidden: Count = 400
    lexical: Literal["lemma", "form", "none"] = "none"
    rules: LexicalRules = field(default_factory=LexicalRules)
    """Which parts of relations are copied from words."""

    network: ClassVar[str] = "arctag.backends.torch.heads.graphs:GraphHead"
    in_labels: ClassVar[tuple[str, ...]] = ("spaces", "relations", "tuples", "rules")
    one_head: ClassVar[bool] = False
    """Whether every word has exactly one head: the arc scorer then chooses among all of them."""
    training: ClassVar[type[GraphTraining]] = GraphTraining

    @cached_property
    def decoders(self) -> list[Encoding]:
        """The encodings, ready to use."""
        return self.make_encodings()

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """Those of the label space of each encoding."""
        return tuple(space.sizes for space in self.spaces)

    @property
    def summary(self) -> dict[str, Any]:
        """Encoding, labels, relations."""
        labels = [sum(space.sizes) for space in self.spaces]
        return {"encoding": self.encoding, "labels": labels, "relations": len(self.relations), "verify": self.verify}

    def check(self) -> None:
        """There must be a label space for each encoding, and relations."""
        super().check()
        if len(self.spaces) != len(self.encodings):
            raise InputError(f"{len(self.spaces)} label spaces for {len(self.encodings)} encodings")
        for chosen, space in zip(self.decoders, self.spaces, strict=True):
            if not min(space.sizes) > 0 or (space.factors and space.factors != chosen.factors):
                raise InputError(f"a label space of sizes {space.sizes} for {chosen.name}")
        if not any(self.relations):
            raise InputError("no relations")
        if any(not 0 <= number < len(self.relations) for numbers in self.tuples for number in numbers):
            raise InputError("a tuple of relations that do not exist")
        if self.verify and not self.arc_scorer:
            raise InputError("verify without an arc scorer")

    def probabilities(self, predicted: Predicted) -> Floats:
        """The probability of each arc, from its score."""
        return sigmoid(predicted.arc_scores)

    @abstractmethod
    def limit(self, threshold: float | None) -> float:
        """The least probability of an arc that is looked at."""

    @classmethod
    @abstractmethod
    def graphs_in(cls, sentences: Sequence[Sentence], column: str) -> BlockArcs:
        """The graphs that sentences have in a column."""

    @classmethod
    def values(cls, sentences: Sequence[Sentence], column: str) -> Counter[str]:
        """The relations without their suffixes."""
        graphs = cls.graphs_in(sentences, column)
        counts = np.bincount(graphs.numbers, minlength=len(graphs.names)).tolist()
        values: Counter[str] = Counter()
        for names, count in zip(graphs.names, counts, strict=True):
            values.update(dict.fromkeys(map(base, names), count))
        return values

    @classmethod
    def learn(
        cls, name: str, column: str, sentences: Sequence[Sentence], settings: GraphTraining
    ) -> tuple[Self, GraphTargets]:
        """The layer with the labels and relations of sentences, and what there is to learn from these."""
        graphs = cls.graphs_in(sentences, column)
        texts = lexical_texts(sentences, settings.lexical)
        rules = LexicalRules.learn(graphs, texts) if texts else LexicalRules()
        known = rules.stripped(graphs, texts)
        relations = _relations(known)
        if not relations:
            raise InputError(f"the training files hold no arc of layer {name}: there is nothing to learn")
        named = settings.make_encodings() if settings.encodings != (AUTO,) else FOR_TREES if cls.one_head else ()
        encoded = cls._encoded(name, graphs, sentences, named)
        settings = replace(settings, encoding=_encoding(settings, encoded, cls.one_head))
        encodings = settings.make_encodings()
        labels = [encoded.labels(chosen) for chosen in encodings]
        if any(some.artificial is not None for some in labels) and not settings.verify:
            relations = (*relations, NULL)  # as in the paper; an arc scorer rejects null arcs
        arcs = ArcTargets.of(known, relations, encodings, encoded)
        if settings.nearby is None:
            settings = replace(settings, nearby=cls._reach([encoded.covered(chosen) for chosen in encodings]))
        shared = {field.name: getattr(settings, field.name) for field in fields(GraphSettings)}
        layer = cls(
            **shared, **cls._facts(graphs), name=name, column=column, relations=relations, rules=rules,
            spaces=tuple(_space(settings, chosen, some) for chosen, some in zip(encodings, labels, strict=True)),
        )  # fmt: skip
        return layer, GraphTargets.of(graphs, arcs, encoded, encodings, layer.spaces)

    @classmethod
    def _encoded(
        cls, name: str, graphs: BlockArcs, sentences: Sequence[Sentence], encodings: Sequence[Encoding]
    ) -> EncodedGraphs:
        """The graphs as the encodings need them."""
        try:
            return EncodedGraphs(suited(graphs.arcs, sentences, *encodings))
        except NotATree as error:
            names = ",".join(chosen.name for chosen in encodings)
            hint = f"use an encoding of graphs: --layer {name}.encoding=bits6-4"
            if cls.one_head:
                hint = f"correct HEAD, or {hint}"
            elif sentences[0].universal:
                hint = f"--layer tree.encoding={names} learns HEAD and DEPREL with it"
            raise InputError(f"layer {name}: {error}; {hint}") from error

    @classmethod
    def _reach(cls, covered: Sequence[BoolArray]) -> int:
        """How far around a word to look for arcs that no label can propose; most of those are short."""
        share = np.logical_or.reduce(covered).mean() if covered else 0.0
        return next(reach for least, reach in _REACHES if share >= least)

    @classmethod
    def _facts(cls, graphs: BlockArcs) -> dict[str, Any]:  # noqa: ARG003
        """What else is learned from the graphs of the training files."""
        return {}

    def with_tuples(self, targets: GraphTargets) -> tuple[Self, GraphTargets]:
        """For a relation head that learns the relations of a word as one tuple: with the tuples of these graphs."""
        words = targets.arcs.word_tuples(offsets_of(targets.graphs.arcs.sizes))
        layer = replace(self, tuples=tuple(sorted(set(words))))
        return layer, targets.with_tuples(layer.tuples)

    def targets(self, sentences: Sequence[Sentence]) -> GraphTargets:
        """Labels and arcs of the sentences."""
        graphs = self.graphs_in(sentences, self.column)
        encoded = self._encoded(self.name, graphs, sentences, self.decoders)
        known = self.rules.stripped(graphs, lexical_texts(sentences, self.lexical) if self.rules.markers else ())
        arcs = ArcTargets.of(known, self.relations, self.decoders, encoded)
        targets = GraphTargets.of(graphs, arcs, encoded, self.decoders, self.spaces)
        return targets.with_tuples(self.tuples) if self.tuples else targets

    @property
    def uses(self) -> tuple[str, ...]:
        """The lemmas, if relations are completed by them, and the tags, if labels depend on them."""
        lemmas = ("lemma",) if self.rules.markers and self.lexical == "lemma" else ()
        return (*lemmas, TAG_LAYER) if self.needs_tags else lemmas

    def propose(self, question: Question) -> Predicted:
        """The arcs that the labels stand for."""
        return propose(self, question)

    def _completed(self, question: Question, predicted: Predicted, others: Mapping[str, Any]) -> Predicted:
        """With words filled in where relations have room for one."""
        if not self.rules.markers or not len(predicted.heads):
            return predicted
        words = others["lemma"].cells if "lemma" in self.uses else chain.from_iterable(question.words)
        arcs = self.rules.filled(predicted.arcs, [word.lower() for word in words])
        names = [tuple(sorted(relations)) for relations in arcs.names]  # words may change their order
        return replace(predicted, relations=arcs.numbers.astype(np.int64), names=names)


def lexical_texts(sentences: Sequence[Sentence], source: str | None) -> list[str]:
    """What relations may repeat of each word: its lemma or form; nothing where relations are not to be completed."""
    if source not in ("lemma", "form"):
        return []
    forms = [word.lower() for sentence in sentences for word in sentence.words]
    if source == "form":
        return forms
    return [
        form if lemma == BLANK else lemma.lower() for form, lemma in zip(forms, cells(sentences, "LEMMA"), strict=True)
    ]


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


def _relations(graphs: BlockArcs) -> tuple[Relations, ...]:
    counts = np.bincount(graphs.numbers, minlength=len(graphs.names)).tolist()
    return tuple(relation_vocabulary(zip(graphs.names, counts, strict=True)))


def _encoding(settings: GraphTraining, encoded: EncodedGraphs, one_head: bool) -> str:
    """The encoding that is named or, for `auto`, the one that suits the graphs."""
    if settings.encodings != (AUTO,):
        return settings.encoding
    if settings.tag_head == "factored":
        return _FACTORED
    return best_encoding(encoded, settings.verify, one_head, planes=settings.planes, crossing=settings.crossing)


def _space(settings: GraphTraining, chosen: Encoding, labels: Labels) -> LabelSpace:
    if settings.tag_head == "factored":
        return LabelSpace.factored(chosen)
    return LabelSpace.build(labels, settings.min_label_count)


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
    """The layer whose trees say where arcs are added to keep this; empty for none."""

    kind: ClassVar[str] = "graph"

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
        if self.tree:
            proposed = replace(proposed, tree=others[self.tree].heads)
        predicted = verified(self, question, proposed)
        has_null = NULL in self.relations
        if has_null:  # they go at once: guarantees are about arcs that stay
            predicted = named(self, question, predicted)
        kept = predicted.arc_probabilities >= (0 if self.biaffine else self.limit(question.threshold))
        if not self.loops:
            kept &= predicted.heads != predicted.dependents
        if names := [name for name in self._ensured(question.ensure) if name != ACYCLIC]:
            predicted = complete(self, question, predicted, kept, names)
        else:
            predicted = predicted.keep(kept)
        predicted = predicted if has_null else named(self, question, predicted)
        return self._completed(question, with_root(self, predicted) if self.rooted else predicted, others)

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
