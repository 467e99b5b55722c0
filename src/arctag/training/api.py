"""`arctag.train`: a training run as one call."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from arctag.errors import MissingExtra
from arctag.parsing.parser import Parser
from arctag.progress import open_bar


def train(
    train: str | Path | Sequence[str | Path],
    dev: str | Path | Sequence[str | Path] = (),
    *,
    output: str | Path | None = None,
    resume: bool = False,
    force: bool = False,
    on_event: Callable[[Any], None] | None = None,
    progress: bool | None = None,
    **keys: Any,
) -> Parser:
    """Train a parser and give the best one; the keys are those of `TrainConfig` (`encoding="bits6-4"`, …).

    Without `output` the model stays in memory; `Parser.save` writes it. An `output` folder that is not empty is
    refused; `resume` continues an unfinished run in it, `force` starts again and replaces the model. `on_event` is
    called with every event of the run (see `arctag.training.events`). Notebooks show a progress bar, and terminals do
    if `progress` is true; none is shown if it is false.
    """
    from arctag.training.config import from_mapping

    files = {"train": _listed(train), "dev": _listed(dev)}
    with tempfile.TemporaryDirectory(prefix="arctag-") as folder:
        place = str(output) if output is not None else str(Path(folder) / "model")
        config = from_mapping({**keys, **files, "output": place}, "arctag.train")
        try:
            from arctag.training.events import Finished
            from arctag.training.loop import train as run
            from arctag.training.shown import EventBar
        except ImportError as error:
            raise MissingExtra("Training", "train") from error
        with closing(open_bar("reading", shown=progress)) as bar:
            shown = EventBar(bar)
            for event in run(config, resume, force):
                shown.on(event)
                if on_event is not None:
                    on_event(event)
                if isinstance(event, Finished):
                    finished = event
        return finished.parser


def _listed(files: str | Path | Sequence[str | Path]) -> list[str]:
    return [str(files)] if isinstance(files, str | Path) else [str(file) for file in files]
