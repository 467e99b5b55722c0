"""`ArcLayer`: arcs between words, as one label a word; graphs and trees are kinds of it."""

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
from arctag.blocks.suited import suited
from arctag.encodings import Encoding, Labels
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.label_space import LabelSpace, relation_vocabulary
from arctag.encodings.labels import offsets_of
from arctag.encodings.recommendation import AUTO, FOR_TREES, best_encoding
from arctag.encodings.trees.base import NotATree
from arctag.errors import InputError
from arctag.graph import BoolArray, Relations
from arctag.layers.arc_targets import ArcTargets, GraphTargets
from arctag.layers.base import LearnedLayer, Question, Selection, Targets
from arctag.layers.columns import BLANK, cells
from arctag.layers.fitting import Examples
from arctag.layers.lexical_markers import base
from arctag.layers.lexical_relations import LexicalRules
from arctag.layers.odds import sigmoid
from arctag.layers.predicted import NULL, Predicted
from arctag.layers.proposals import propose
from arctag.layers.settings import TAG_LAYER, AtMostThousand, Count, Finite, GraphSettings, GraphTraining
from arctag.layers.types import Floats
from arctag.sentence import Sentence

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
    weights: tuple[Finite, ...] = ()
    """How much each kind of evidence for an arc counts, fitted to the development file; empty: the arc scorer decides
    alone."""

    network: ClassVar[str] = "arctag.backends.torch.heads.graphs:GraphHead"
    in_labels: ClassVar[tuple[str, ...]] = ("spaces", "relations", "tuples", "rules")
    evidence: ClassVar[tuple[str, ...]]
    """The kinds of evidence for an arc."""
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
        if len(self.weights) not in (0, len(self.evidence)) or (self.weights and not self.can_weigh):
            raise InputError(f"{len(self.weights)} weights of evidence")

    @property
    def can_weigh(self) -> bool:
        """Whether there is evidence to weigh: an arc scorer's, and a relation for each arc by itself."""
        return (self.verify or self.biaffine) and not self.tuples

    def searched(self, question: Question) -> float:
        """The least probability, by the arc scorer, of an arc that the baseline looks at."""
        return self.limit(question.threshold)

    @abstractmethod
    def examples(self, gold: Targets, selection: Selection, undecided: Predicted) -> Examples:
        """The arcs of some sentences that were looked at, as examples to fit weights to."""

    @abstractmethod
    def fitted(self, examples: Examples) -> Self:
        """The layer with weights that fit the examples."""

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
