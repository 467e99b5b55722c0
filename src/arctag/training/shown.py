"""The events of a training run as a progress bar."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

from arctag.progress import Bar
from arctag.training.events import Evaluated, Event, Finished, Labelled, Started, Stepped

_MAIN = frozenset({"accuracy", "LAS", "LF"})


class EventBar:
    """Moves a bar with the events of a run, and shows `scores` behind it unless they are printed elsewhere."""

    def __init__(self, bar: Bar, scores: bool = True) -> None:
        self._bar, self._shows_scores = bar, scores
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
        elif isinstance(event, Evaluated) and self._shows_scores:
            self._scores = _main_scores(event.scores)
            self._bar.update(status=self._scores)
        elif isinstance(event, Finished) and self._shows_scores:
            dev = event.scores["dev"]
            self._bar.update(label="trained", status=f"best: epoch {dev['epoch']}  {_main_scores(dev)}")

    def _step(self, event: Stepped) -> None:
        if event.step == 1:
            self._started = perf_counter()
        status = None
        if event.loss is not None:
            speed = event.tokens / max(perf_counter() - self._started, 1e-9)
            status = f"loss {event.loss:.3f}  {speed:,.0f} tokens/s  {self._scores}".rstrip()
        self._bar.update(done=(event.epoch - 1) * self._steps + event.step, label=f"epoch {event.epoch}", status=status)


def _main_scores(scores: Mapping[str, float]) -> str:
    """One score of each layer."""
    shown = {name: value for name, value in scores.items() if name.rpartition(".")[2] in _MAIN}
    return "  ".join(f"{name.partition('.')[0]} {value:.2f}" for name, value in shown.items())
