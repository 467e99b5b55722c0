"""Follow a training run to its end and keep what a result says of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from arctag.parser import Parser
from arctag.training.config import TrainConfig
from arctag.training.events import Evaluated, Finished, Started
from harness.energy import Meter

CURVE = ("epoch", "loss", "dev_LF", "dev_UF", "seconds", "tokens_per_s")


@dataclass
class Followed:
    """A finished training run."""

    parser: Parser
    started: Started
    best: dict[str, Any]
    seconds: float
    energy: dict[str, Any]
    curve: list[list[float]] = field(default_factory=list)


def follow(config: TrainConfig, beside: int) -> Followed:
    """Train; `beside` tells how many runs share the machine, this one among them."""
    from arctag.training.loop import train

    begin = perf_counter()
    curve: list[list[float]] = []
    joules: list[float] = []
    meter: Meter | None = None
    before: float | None = None
    try:
        for event in train(config):
            if isinstance(event, Started):
                started = event
                meter = Meter(event.device.startswith("cuda"), beside)
                before = meter.joules()
            elif isinstance(event, Evaluated):
                curve.append(_row(event))
                now = meter.joules() if meter else None
                if now is not None and before is not None:
                    joules.append(now - before)
                before = now
            elif isinstance(event, Finished):
                finished = event
        assert meter is not None
        return Followed(
            finished.parser, started, finished.scores["dev"], perf_counter() - begin, meter.summary(joules), curve
        )
    finally:
        if meter:
            meter.close()


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
