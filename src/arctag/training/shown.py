"""The events of a training run as a progress bar."""

from __future__ import annotations

from time import perf_counter

from arctag.progress import Bar
from arctag.training.events import Evaluated, Event, Finished, Labelled, Started, Stepped


class EventBar:
    """Moves a bar with the events of a run."""

    def __init__(self, bar: Bar) -> None:
        self._bar = bar
        self._labelled, self._steps, self._started = 0, 0, 0.0
        self._scores = ""

    def on(self, event: Event) -> None:
        """Show an event."""
        if isinstance(event, Started):
            self._steps = event.steps
            total, done = event.steps * event.epochs, event.steps * event.resumed
            self._bar.update(done=done, total=total, label="training", status="")
        elif isinstance(event, Labelled):
            self._labelled += event.words
            self._bar.update(label="labelling", status=f"{self._labelled:,} words")
        elif isinstance(event, Stepped):
            self._step(event)
        elif isinstance(event, Evaluated):
            self._scores = "  ".join(f"{name} {value:.2f}" for name, value in event.scores.items())
            self._bar.update(status=self._scores)
        elif isinstance(event, Finished):
            dev = event.scores["dev"]
            best = "  ".join(f"{name} {value:.2f}" for name, value in dev.items() if name != "epoch")
            self._bar.update(label="trained", status=f"best: epoch {dev['epoch']}, {best}")

    def _step(self, event: Stepped) -> None:
        if event.step == 1:
            self._started = perf_counter()
        status = None
        if event.loss is not None:
            speed = event.tokens / max(perf_counter() - self._started, 1e-9)
            status = f"loss {event.loss:.3f}  {speed:,.0f} tokens/s  {self._scores}".rstrip()
        self._bar.update(done=(event.epoch - 1) * self._steps + event.step, label=f"epoch {event.epoch}", status=status)
