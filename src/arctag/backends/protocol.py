"""`Backend`: a network that answers a parser's questions in numpy arrays. Torch's and ONNX Runtime's both follow it.

The kinds of backend are in `arctag.modelfile.networks.BACKENDS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

from arctag.backends.types import Arrays, Floats, Longs
from arctag.errors import InputError
from arctag.modelfile.config import ModelConfig


class Tags(NamedTuple):
    """The predicted labels of one encoding."""

    best: Longs
    """[words, groups]."""
    second: Longs
    """[words, groups]: the label a word would take if the best one were wrong."""
    probability: Floats
    """[words]: of the best label."""


class Backend(Protocol):
    """A network that is asked about batches.

    Words are numbered over a batch from 1, one sentence after another; 0 is the root, which all sentences share.
    A backend of one's own may derive from this class: then it needs `verify` and `search` only if its model has an arc
    scorer.
    """

    @property
    def ahead(self) -> int:
        """How many batches each step of parsing may be ahead of the next one, in a thread of its own."""
        return 0

    @classmethod
    def load(cls, config: ModelConfig, folder: Path, device: str | None = None) -> Self:
        """The network in a model folder, on a device ("cpu", "cuda:1") or on the one that suits it."""
        ...

    def save(self, folder: Path) -> None:
        """Write the network into a model folder."""
        ...

    def read(self, arrays: Arrays) -> Any:
        """Run the encoder over a batch; the state is passed to the other methods."""
        ...

    def join(self, states: Iterable[tuple[Any, Longs]], lengths: Longs) -> Any:
        """One state for the given words of several, one after another: those of sentences of these lengths.

        The states come one by one, so that only one of them need be in memory."""
        ...

    def tags(self, state: Any) -> list[Tags]:
        """For each encoding, the labels of every word."""
        ...

    def relations(self, state: Any, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability; arcs are sorted by dependent, then by head."""
        ...

    def verify(self, state: Any, heads: Longs, dependents: Longs) -> Floats:  # noqa: ARG002
        """The probability of each given arc."""
        raise InputError(f"{type(self).__name__} has no arc scorer")

    def search(self, state: Any, threshold: float) -> tuple[Longs, Longs, Floats]:  # noqa: ARG002
        """All arcs of at least this probability: heads, dependents, probabilities."""
        raise InputError(f"{type(self).__name__} has no arc scorer")
