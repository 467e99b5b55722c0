"""`Backend`: a network that answers a parser's questions in numpy arrays. Torch's and ONNX Runtime's both follow it.

The kinds of backend are in `arctag.modelfile.networks.BACKENDS`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from arctag.errors import InputError
from arctag.layers.answers import Tags
from arctag.layers.types import Arrays, Floats, Longs
from arctag.modelfile.config import ModelConfig

__all__ = ["Backend", "Reading", "Tags"]


class Backend(Protocol):
    """A network that is asked about batches, and about one layer at a time.

    Words are numbered over a batch from 1, one sentence after another; 0 is the root, which all sentences share.
    A backend of one's own may derive from this class: then it needs `relations`, `verify` and `search` only if its
    model has layers of arcs, and an arc scorer.
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

    def open(self, layers: Collection[str]) -> None:  # noqa: ARG002
        """Prepare to be asked about these layers; `InputError` if that cannot be."""
        return

    def read(self, arrays: Arrays, layers: Collection[str]) -> Any:
        """Run the encoder over a batch; the state is passed to the other methods, which ask about these layers."""
        ...

    def join(self, states: Iterable[tuple[Any, Longs]], lengths: Longs) -> Any:
        """One state for the given words of several, one after another: those of sentences of these lengths.

        The states come one by one, so that only one of them need be in memory."""
        ...

    def tags(self, state: Any, layer: str) -> list[Tags]:
        """The tags of every word; of a layer of arcs the labels, for each encoding."""
        ...

    def relations(self, state: Any, layer: str, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:  # noqa: ARG002
        """The best relation of each arc and its probability; arcs are sorted by dependent, then by head."""
        raise InputError(f"{type(self).__name__} has no relations")

    def verify(self, state: Any, layer: str, heads: Longs, dependents: Longs) -> Floats:  # noqa: ARG002
        """The score of each given arc: in graphs its log-odds, in trees that up to a constant for each dependent."""
        raise InputError(f"{type(self).__name__} has no arc scorer")

    def search(self, state: Any, layer: str, threshold: float) -> tuple[Longs, Longs, Floats]:  # noqa: ARG002
        """All arcs of at least this probability: heads, dependents, scores as `verify` gives them."""
        raise InputError(f"{type(self).__name__} has no arc scorer")


@dataclass(frozen=True)
class Reading:
    """A backend that has read a batch: the `Answers` that layers ask for."""

    backend: Backend
    state: Any

    def tags(self, layer: str) -> list[Tags]:
        """The tags of every word."""
        return self.backend.tags(self.state, layer)

    def relations(self, layer: str, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        return self.backend.relations(self.state, layer, heads, dependents)

    def verify(self, layer: str, heads: Longs, dependents: Longs) -> Floats:
        """The score of each given arc: in graphs its log-odds, in trees that up to a constant for each dependent."""
        return self.backend.verify(self.state, layer, heads, dependents)

    def search(self, layer: str, threshold: float) -> tuple[Longs, Longs, Floats]:
        """All arcs of at least this probability."""
        return self.backend.search(self.state, layer, threshold)
