"""Batches on their way through the steps of a parse: read ahead in groups, prepared, read by a network, proposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arctag.backends.inputs import Tokens
from arctag.backends.long_sentences import Prepared
from arctag.backends.protocol import Reading
from arctag.errors import ArctagError
from arctag.graph import IntArray
from arctag.layers import Layer, Question
from arctag.sentence import Sentence

FAILURES = (ArctagError, RuntimeError, MemoryError, IndexError)  # RuntimeError: torch out of memory
"""What keeps a batch from being parsed; it is then tried again in parts."""
Asked = Sequence[frozenset[str]]
"""The layers that are asked of each sentence."""


@dataclass
class Group:
    """Sentences that are read before any of them is parsed."""

    sentences: list[Sentence]
    tokens: list[Tokens]
    """What the network reads of each."""
    asked: list[frozenset[str]]
    """The layers to predict for each."""
    batches: list[list[int]]
    """The numbers of sentences that are parsed together."""
    failed: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.parsed = list(self.sentences)

    def fill(self, places: list[int], parsed: list[Sentence]) -> None:
        """Put parsed sentences where they belong."""
        for i, sentence in zip(places, parsed, strict=True):
            self.parsed[i] = sentence


class Batch(NamedTuple):
    """What a network reads of the sentences of a batch, and the layers that are asked of each."""

    tokens: Sequence[Tokens]
    layers: Asked


class Ready(NamedTuple):
    """A batch as arrays, and the layers to predict."""

    batch: Batch
    layers: list[Layer]
    prepared: Prepared


class Begun(NamedTuple):
    """A batch that a network reads or has read."""

    batch: Batch
    layers: list[Layer]
    reading: Reading
    sizes: IntArray


class Proposed(NamedTuple):
    """A batch with the first half of each layer's prediction."""

    question: Question
    layers: list[Layer]
    values: list[Any]


class Work(NamedTuple):
    """A batch of a group on its way through the steps, or the end of the group."""

    group: Group
    places: list[int] | None
    value: Any = None
    """What the last step made of it; None if that failed."""

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences of the batch."""
        return [self.group.sentences[i] for i in self.places or ()]

    @property
    def asked(self) -> Asked:
        """The layers that are asked of each."""
        return [self.group.asked[i] for i in self.places or ()]

    @property
    def batch(self) -> Batch:
        """What a network reads of them."""
        return Batch([self.group.tokens[i] for i in self.places or ()], self.asked)


def kept(step: Callable[[Any], Any], first: bool = False) -> Callable[[Work], Work]:
    """A step of a batch that keeps its group, and passes failures on."""

    def done(work: Work) -> Work:
        value = work.batch if first else work.value
        if work.places is None or value is None:
            return work
        try:
            return work._replace(value=step(value))
        except FAILURES:
            return work._replace(value=None)

    return done
