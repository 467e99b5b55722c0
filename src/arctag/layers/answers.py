"""`Answers`: what layers ask a network that has read a batch."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, Protocol

from arctag.layers.types import Floats, Longs

Timer = Callable[[str], AbstractContextManager[None]]
"""Measures the time of a `with` block, which belongs to the step of that name."""


def untimed(_: str) -> AbstractContextManager[None]:
    """A timer that measures nothing."""
    return nullcontext()


class Tags(NamedTuple):
    """The predicted labels of one encoding, or the tags of one layer."""

    best: Longs
    """[words, groups]."""
    second: Longs
    """[words, groups]: the label a word would take if the best one were wrong."""
    probability: Floats
    """[words]: of the best label."""


class Answers(Protocol):
    """A network that has read a batch, and answers about the layer of a given name.

    Words are numbered over the batch from 1, one sentence after another; 0 is the root, which all sentences share.
    """

    def tags(self, layer: str) -> list[Tags]:
        """The tags of every word; of a layer of graphs the labels, for each encoding."""
        ...

    def relations(self, layer: str, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability; arcs are sorted by dependent, then by head."""
        ...

    def verify(self, layer: str, heads: Longs, dependents: Longs) -> Floats:
        """The score of each given arc: in graphs its log-odds, in trees that up to a constant for each dependent."""
        ...

    def search(self, layer: str, threshold: float) -> tuple[Longs, Longs, Floats]:
        """All arcs of at least this probability: heads, dependents, scores as `verify` gives them."""
        ...
