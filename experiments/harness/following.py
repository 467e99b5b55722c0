"""Follow a training run to its end and keep what a result says of it."""

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
class Followed:
    """A finished training run."""

    parser: Parser
    started: Started
    best: dict[str, Any]
    seconds: float
    curve: list[list[float]] = field(default_factory=list)


def follow(config: TrainConfig, epoch_done: Callable[[str], None] = lambda _: None) -> Followed:
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
    return Followed(finished.parser, started, finished.scores["dev"], perf_counter() - begin, curve)


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
