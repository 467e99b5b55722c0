"""What a network must be able to do: the protocol that torch's and ONNX Runtime's both follow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from arctag.backends.inputs import Arrays

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Tags(NamedTuple):
    """What a network says of the labels of one encoding."""

    best: Longs
    """[words, groups]."""
    second: Longs
    """[words, groups]: the label a word would take if the best one were wrong."""
    probability: Floats
    """[words]: of the best label."""


class Backend(Protocol):
    """A network that answers questions about a batch; torch or an exported model."""

    @property
    def ahead(self) -> int:
        """How many batches each step of parsing may be ahead of the next one, in a thread of its own."""
        ...

    def read(self, arrays: Arrays) -> Any:
        """Run the encoder over a batch; the state is handed to the other questions."""
        ...

    def join(self, states: Iterable[tuple[Any, Longs]], lengths: Longs) -> Any:
        """One state for the given words of several, one after another: those of sentences of these lengths.

        The states are asked for one by one, so that only one of them need be in memory."""
        ...

    def tags(self, state: Any) -> list[Tags]:
        """For each encoding, the labels of every word."""
        ...

    def relations(self, state: Any, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        ...

    def tuples(self, state: Any) -> tuple[Longs, Floats]:
        """The best tuple of relations of each word and its probability."""
        ...

    def verify(self, state: Any, heads: Longs, dependents: Longs) -> Floats:
        """The probability of each given arc."""
        ...

    def search(self, state: Any, threshold: float) -> tuple[Longs, Longs, Floats]:
        """All arcs of at least this probability: heads, dependents, probabilities."""
        ...

    def save(self, folder: Path) -> None:
        """Write the network into a model folder."""
        ...
