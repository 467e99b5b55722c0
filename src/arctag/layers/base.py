"""`Layer`: one kind of annotation that a model predicts; what all kinds have in common.

A layer knows what it reads from sentences, what a network learns of that, how the network's answers become
annotation again, where that is written, and how good it is. Networks know layers by name and label counts alone.
A new kind is a file here and a line in `LAYERS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from arctag.columns import STANDARD
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.graph import IntArray
from arctag.layers.answers import Answers, Timer, untimed
from arctag.layers.types import Arrays, Counts, Longs
from arctag.sentence import Sentence

P = TypeVar("P")


class Selection(NamedTuple):
    """Some sentences of a treebank, for a training batch."""

    sentences: Longs
    """Their numbers."""
    sizes: Longs
    """Their numbers of words."""
    words: Longs
    """The numbers of their words in the treebank."""

    @classmethod
    def of(cls, chosen: Sequence[int], starts: Longs) -> Selection:
        """Those of these numbers; the words of sentence i are from `starts[i]` to before `starts[i + 1]`."""
        sentences = np.asarray(chosen, dtype=np.int64)
        sizes = starts[sentences + 1] - starts[sentences]
        ends = offsets_of(sizes)
        words = np.repeat(starts[sentences] - ends[:-1], sizes) + np.arange(ends[-1])
        return cls(sentences, sizes, words)


class Targets(ABC):
    """What a network learns of a layer on one treebank, in flat arrays over all of it."""

    @abstractmethod
    def batch(self, selection: Selection) -> Arrays:
        """The targets of some sentences, by name."""


@dataclass(frozen=True)
class Question:
    """A batch that a network has read, with what else a layer may want to know of it."""

    answers: Answers
    sizes: IntArray
    """The number of words of each sentence."""
    words: Sequence[Sequence[str]]
    """The words of each sentence."""
    threshold: float | None = None
    """Another threshold than the layer's own."""
    ensure: tuple[str, ...] | None = None
    """Other guarantees of graphs than the layer's own."""
    timer: Timer = untimed
    proposed: Mapping[str, Any] = field(default_factory=dict)
    """What layers have proposed by now, by name: those that a layer uses come before it."""
    undecided: str = ""
    """The layer that is to give all arcs that it looks at, with the evidence for each, instead of deciding on them."""


@dataclass(frozen=True)
class Output:
    """What is wanted of sentences, beside the layers."""

    ensure: tuple[str, ...] | None = None
    """Other guarantees of graphs than the layer's own."""
    probabilities: bool = False
    """Whether graphs keep the probabilities of arcs, and sentences their score."""


@dataclass(frozen=True)
class Outcome(Generic[P]):
    """What came of scoring on development data."""

    layer: P
    """The layer with what was tuned there."""
    scores: dict[str, float]
    """In percent; the first one is what models are compared by."""


@dataclass(frozen=True, kw_only=True)
class Layer(ABC):
    """What is predicted for every word, or pair of words, of a sentence."""

    name: str
    """What users call it: `upos`, `graph`, `dm`."""
    column: str
    """Where it stands in a file: the name of a column of CoNLL-U (Plus), or `MISC:Key`."""

    kind: ClassVar[str]
    """The name of its kind in `LAYERS`."""
    in_labels: ClassVar[tuple[str, ...]] = ()
    """The fields that are long, and are saved in `labels.json`."""

    @property
    def written(self) -> tuple[str, ...]:
        """The columns of CoNLL-U that it fills, or its own name, under which CoNLL-U Plus has it."""
        return (self.column,) if self.column in STANDARD else (self.name,)

    @property
    def uses(self) -> tuple[str, ...]:
        """The layers whose predictions it needs."""
        return ()

    @property
    def summary(self) -> dict[str, Any]:
        """What a model card says of it."""
        return {}

    def check(self) -> None:
        """`InputError` where fields do not fit each other; a model folder may come from anywhere."""
        check_name(self.name)

    @abstractmethod
    def propose(self, question: Question) -> Any:
        """The first half of a prediction; what it gives goes to `conclude`, and to layers that use this one."""

    @abstractmethod
    def conclude(self, question: Question, proposed: Any, others: Mapping[str, Any]) -> Any:
        """The prediction for a batch; `others` has those of the layers it uses."""

    @abstractmethod
    def write(self, sentences: Sequence[Sentence], prediction: Any, output: Output) -> list[Sentence]:
        """The sentences with this layer as predicted."""

    def finish(self, sentences: Sequence[Sentence], output: Output) -> list[Sentence]:  # noqa: ARG002
        """The sentences, when all layers are written."""
        return list(sentences)


@dataclass(frozen=True, kw_only=True)
class LearnedLayer(Layer):
    """A layer that has a part of the network, and is learned from treebanks."""

    network: ClassVar[str]
    """The class of its part of a torch network, as `module:Class`: a `LayerHead`."""
    training: ClassVar[type[Any]]
    """The settings that `learn` takes: a dataclass."""

    @property
    @abstractmethod
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """How many labels each group of each tag head has."""

    @classmethod
    @abstractmethod
    def learn(cls, name: str, column: str, sentences: Sequence[Sentence], settings: Any) -> tuple[Self, Targets]:
        """A layer that knows what there is in a column of sentences, and what there is to learn from these."""

    @classmethod
    def values(cls, sentences: Sequence[Sentence], column: str) -> Counter[str]:  # noqa: ARG003
        """What stands in a column, and how often: files of one scheme of annotation have nearly all of it in common.

        Nothing, where any two files differ.
        """
        return Counter()

    @abstractmethod
    def targets(self, sentences: Sequence[Sentence]) -> Targets:
        """What there is to learn from sentences."""

    @abstractmethod
    def counts(self, gold: Targets, selection: Selection, prediction: Any) -> Counts:
        """Counts behind the scores of a prediction for some sentences; they add up."""

    @abstractmethod
    def outcome(self, counts: Counts, sentences: int) -> Outcome[Self]:
        """Scores from counts over so many sentences, and what they tell of the best settings."""


def check_name(name: str) -> None:
    """A layer's name is part of the names of files and columns."""
    if not (name.isascii() and name.replace("_", "").replace("-", "").isalnum() and name[:1].isalpha()):
        raise InputError(f"a layer cannot be called {name!r}: use letters, digits, - and _")


def in_order(layers: Sequence[Layer], asked: Collection[str]) -> list[Layer]:
    """The layers that were asked for and those they use, which come before them."""
    known = {layer.name: layer for layer in layers}
    ordered: dict[str, Layer] = {}

    def add(name: str) -> None:
        for used in known[name].uses:
            if used in known:
                add(used)
        ordered.setdefault(name, known[name])

    for layer in layers:
        if layer.name in asked:
            add(layer.name)
    return list(ordered.values())
