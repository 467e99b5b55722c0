"""Train a model and record what its result reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from arctag.parsing.parser import Parser
from arctag.training.config import TrainConfig
from arctag.training.events import Evaluated, Finished, Started

CURVE = ("epoch", "loss", "dev_LF", "dev_UF", "seconds", "tokens_per_s")


@dataclass
class TrainingRecord:
    """A finished training run."""

    parser: Parser
    started: Started
    best: dict[str, Any]
    """The scores of the best epoch on the development file."""
    seconds: float
    curve: list[list[float]] = field(default_factory=list)


def record_training(config: TrainConfig, epoch_done: Callable[[str], None] = lambda _: None) -> TrainingRecord:
    """Train; after each evaluation, `epoch_done` is called with the device."""
    from arctag.training.loop import train

    begin = perf_counter()
    curve: list[list[float]] = []
    for event in train(config):
        if isinstance(event, Started):
            started = event
        elif isinstance(event, Evaluated):
            curve.append(_row(event))
            epoch_done(started.device)
        elif isinstance(event, Finished):
            finished = event
    return TrainingRecord(finished.parser, started, finished.scores["dev"], perf_counter() - begin, curve)


def _row(event: Evaluated) -> list[float]:
    scores = event.scores
    return [
        event.epoch,
        round(event.loss, 4),
        round(scores["LF"], 2),
        round(scores["UF"], 2),
        round(event.seconds, 2),
        round(event.tokens_per_s),
    ]
