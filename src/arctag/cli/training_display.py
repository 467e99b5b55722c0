"""How a training run is shown: a progress bar on a terminal, a line per epoch elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from arctag.cli import signals
from arctag.cli.common import print_json
from arctag.errors import MissingExtra
from arctag.modelfile.networks import WEIGHTS
from arctag.progress import Bar, open_bar
from arctag.training.config import TrainConfig
from arctag.training.events import Evaluated, Event, Finished, Noticed, Started
from arctag.training.shown import EventBar


def show(events: Iterator[Event], config: TrainConfig, *, quiet: bool, as_json: bool) -> None:
    """Show the events of a run; Ctrl-C stops it and keeps the best model so far."""
    loggers = _loggers(config)
    with ExitStack() as stack:
        shown = EventBar(_open_bar(stack), scores=False) if sys.stderr.isatty() and not quiet else None
        try:
            with signals.reraised():
                for event in events:
                    for log in loggers:
                        log(event)
                    if shown:
                        shown.on(event)
                    if not quiet:
                        _line(event)
                    if isinstance(event, Finished):
                        finished = event
                    else:
                        signals.check()
        except KeyboardInterrupt:
            usable = (Path(config.output) / WEIGHTS).exists()
            click.echo(
                f"\ninterrupted; {config.output} holds the best model so far" if usable else "\ninterrupted", err=True
            )
            if (Path(config.output) / "checkpoints").is_dir():  # there from the beginning of a run to its end
                click.echo("the same command with --resume continues", err=True)
            sys.exit(signals.exit_code())
    if as_json:
        print_json(finished.scores)
        return
    scores = finished.scores
    dev = "  ".join(f"{name} {value:.2f}" for name, value in scores["dev"].items() if name != "epoch")
    click.echo(f"{config.output}: development {dev} (epoch {scores['dev']['epoch']})")
    from arctag.training.final_scores import figures_text

    for file, result in scores["test"].items():
        click.echo(f"{file}: {figures_text(result)}")


def _open_bar(stack: ExitStack) -> Bar:
    """A bar that is closed with the others."""
    bar = open_bar("training", shown=True)
    stack.callback(bar.close)
    return bar


def _line(event: Event) -> None:
    if isinstance(event, Started):
        resumed = f", resuming after epoch {event.resumed}" if event.resumed else ""
        click.echo(
            f"{event.sentences} sentences, {event.tokens} tokens, "
            f"{event.parameters:,} parameters on {event.device}{resumed}",
            err=True,
        )
        for name, facts in event.layers.items():
            click.echo(f"layer {name}: " + ", ".join(f"{key} {value}" for key, value in facts.items()), err=True)
    elif isinstance(event, Evaluated):
        scores = "  ".join(f"{name} {value:.2f}" for name, value in event.scores.items())
        mark = " *" if event.best else ""
        click.echo(
            f"epoch {event.epoch}: loss {event.loss:.3f}  {scores}  {event.seconds:.1f} s  "
            f"{event.tokens_per_s:,.0f} tokens/s{mark}",
            err=True,
        )
    elif isinstance(event, Noticed):
        click.echo(event.text, err=True)


Logger = Callable[[Event], None]
"""Is called with every event."""


def _loggers(config: TrainConfig) -> list[Logger]:
    return [make(target) for make, target in ((_tensorboard, config.tensorboard), (_wandb, config.wandb)) if target]


def _tensorboard(folder: str) -> Logger:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise MissingExtra("--tensorboard", "tensorboard") from error
    writer: Any = SummaryWriter(folder)

    def log(event: Event) -> None:
        if isinstance(event, Evaluated):
            for name, value in {"loss": event.loss, **event.scores}.items():
                writer.add_scalar(name, value, event.epoch)
            writer.flush()

    return log


def _wandb(project: str) -> Logger:
    try:
        import wandb
    except ImportError as error:
        raise MissingExtra("--wandb", "wandb") from error
    run = wandb.init(project=project)

    def log(event: Event) -> None:
        if isinstance(event, Evaluated):
            run.log({"loss": event.loss, **event.scores}, step=event.epoch)
        if isinstance(event, Finished):
            run.finish()

    return log
