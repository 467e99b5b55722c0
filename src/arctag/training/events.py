"""Events of a training run. The loop yields them; printing and logging is done elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arctag.parsing.parser import Parser


@dataclass(frozen=True)
class Started:
    """The data is read and the network is built."""

    sentences: int
    tokens: int
    layers: dict[str, dict[str, Any]]
    """What is known of each layer."""
    parameters: int
    device: str
    steps: int
    """Steps of an epoch."""
    epochs: int
    resumed: int
    """Epochs done before the run was resumed."""


@dataclass(frozen=True)
class Labelled:
    """A teacher has labelled some more text; before the run is started."""

    teacher: str
    words: int


@dataclass(frozen=True)
class Stepped:
    """One step of the optimiser."""

    epoch: int
    step: int
    loss: float | None
    """Not at every step: asking a GPU for it makes it wait."""
    tokens: int


@dataclass(frozen=True)
class Evaluated:
    """The development score after an epoch is known; a checkpoint is on disk."""

    epoch: int
    loss: float
    scores: dict[str, float]
    best: bool
    seconds: float
    """Of this epoch, the evaluation included."""
    tokens_per_s: float


@dataclass(frozen=True)
class Noticed:
    """Something worth a line: a batch split for lack of memory, an early stop."""

    text: str


@dataclass(frozen=True)
class Finished:
    """The best model is saved and scored."""

    parser: Parser
    scores: dict[str, Any] = field(default_factory=dict)


Event = Labelled | Started | Stepped | Evaluated | Noticed | Finished
