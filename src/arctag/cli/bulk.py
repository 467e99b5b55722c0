"""`arctag bulk`: corpora in, shards out, on many machines."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arctag.cli import signals
from arctag.cli.common import (
    bytes_bar,
    format_option,
    make_options,
    model_option,
    parse_options,
    report_losses,
    split_names,
)
from arctag.errors import InputError
from arctag.formats import READ_ONLY, WRITE_ONLY
from arctag.formats.columnar.formats import PARQUET_FORMAT
from arctag.formats.conllu import CONLLU
from arctag.parsing.inputs import find_sources
from arctag.parsing.jobs import Settings
from arctag.parsing.loading import load_config
from arctag.parsing.sources import TEXT
from arctag.text.chunks import AUTO, LAYOUTS
from arctag.text.documents import Fields

if TYPE_CHECKING:
    from arctag.ray.bulk import Totals
    from arctag.ray.shards import Done

_SHOWN = 20  # messages about documents that could not be parsed


@click.command(
    epilog="""\b
Examples:
  arctag bulk texts/ -o parsed
  arctag bulk corpus.jsonl --text-field body --id-field id -o parsed --actors 8
  arctag bulk s3://corpus/texts -o s3://corpus/parsed --address auto --actors 64
  arctag bulk corpus.parquet -o parsed -m my-model --address auto --gpus 0.5 --resume"""
)
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@model_option(default="en")
@click.option("-o", "--output", required=True, metavar="OUT", help="A folder for the shards, or an address (s3://…).")
@click.option(
    "--to",
    type=click.Choice([PARQUET_FORMAT.name, CONLLU.name]),
    default=PARQUET_FORMAT.name,
    show_default=True,
    help="Format of the shards.",
)
@click.option(
    "--address",
    envvar="RAY_ADDRESS",
    metavar="ADDRESS",
    help="A Ray cluster: auto for the one of this machine, or HOST:PORT (default: one that is started here).",
)
@click.option(
    "--actors",
    type=click.IntRange(min=1),
    help="Number of processes with the model (default: as many as there is room for).",
)
@click.option(
    "--cpus", type=click.FloatRange(min=0, min_open=True), default=1, show_default=True, help="CPUs of each actor."
)
@click.option(
    "--gpus",
    type=click.FloatRange(min=0),
    default=0,
    show_default=True,
    help="GPUs of each actor; 0.5 for two on each.",
)
@click.option(
    "--shard-words", type=click.IntRange(min=1), metavar="N", help="Words of a shard, about (default: 250,000)."
)
@click.option("--resume", is_flag=True, help="Resume an interrupted run of the same command.")
@click.option("--force", is_flag=True, help="Delete the shards of an earlier run.")
@format_option(
    help="Format of the inputs (default: by their names or beginnings).", more=[TEXT, *READ_ONLY, *WRITE_ONLY]
)
@click.option("--text-field", metavar="NAME", help="Field of JSON lines, or column of a table, with a text.")
@click.option("--words-field", metavar="NAME", help="The same for lists of words, or of sentences that are such lists.")
@click.option("--id-field", metavar="NAME", help="The same for ids of documents.")
@click.option(
    "--layout", type=click.Choice(list(LAYOUTS)), default=AUTO, show_default=True,
    help="What lines mean in running text.",
)  # fmt: skip
@click.option("--probabilities", is_flag=True, help="Write the probability of each arc and the score of each sentence.")
@click.option("--layers", metavar="NAMES", help="Comma-separated layers to predict (default: as for `arctag parse`).")
@parse_options
def command(
    inputs: tuple[str, ...], model: str, output: str, to: str, address: str | None, actors: int | None, cpus: float,
    gpus: float, shard_words: int | None, resume: bool, force: bool, format: str | None, text_field: str | None,
    words_field: str | None, id_field: str | None, layout: str, probabilities: bool, layers: str | None,
    batch_tokens: int, ensure: str | None, threshold: float | None, device: str | None,
) -> None:  # fmt: skip
    """Parse INPUTs on many cores or machines with Ray: text, JSON lines, tables and graph files, or folders of them.

    OUT is a folder of shards, whose sentences are those that `arctag parse` writes, in the same order. Whatever dies,
    each is there once; if it is the command itself, --resume continues.
    """
    import arctag.ray  # noqa: F401  # says how to install it
    from arctag.ray.bulk import Actors, Bulk
    from arctag.ray.cluster import connected, room_for
    from arctag.ray.shards import WORDS

    options = make_options(batch_tokens, ensure, threshold, probabilities=probabilities, layers=_layers(model, layers))
    settings = Settings(_model(model), device or ("cuda" if gpus else "cpu"), options, to)
    reporter = _Reporter()
    fields = Fields(text_field, words_field, id_field)
    with ExitStack() as stack:
        sources = stack.enter_context(find_sources(_files(inputs), format, layout, Path(output), fields))
        bulk = Bulk(sources, settings, output, shard_words or WORDS)
        if bulk.folder.is_complete(resume, force):
            click.echo(f"{output} is complete: nothing is left to do", err=True)
            return
        stack.enter_context(connected(address, actors))
        reporter.actors = room_for(actors, cpus, gpus)
        bulk.folder.begin(force)
        size = bulk.sizes.total
        reporter.advance = stack.enter_context(bytes_bar(None if size is None else int(size)))
        try:
            totals = bulk.run(Actors(reporter.actors, cpus, gpus), reporter, signals.check)
        except BaseException:
            stack.close()  # the bar, and the connection
            with suppress(OSError):
                bulk.folder.clean()  # what actors had begun to write
            reporter.summarise(output)
            raise
    reporter.summarise(output)
    if totals.errors or totals.given_up or reporter.failed:
        raise click.exceptions.Exit(1)


def _files(inputs: tuple[str, ...]) -> tuple[str, ...]:
    """Inputs that can be read again: files, folders and addresses."""
    for name in inputs:
        if name == "-" or ("://" not in name and not (Path(name).is_file() or Path(name).is_dir())):
            raise InputError(f"no file at {name}: inputs are files, folders or addresses (s3://…)")
    return inputs


def _model(model: str) -> str:
    """A model as other processes find it: their working folders are others."""
    return str(Path(model).absolute()) if Path(model).is_dir() else model


def _layers(model: str, layers: str | None) -> tuple[str, ...] | None:
    """The layers that were named; checked, like the model, before anything is started."""
    config = load_config(model)
    names = split_names(layers)
    if names is None:
        return None
    for name in names:
        config.layer(name)
    return tuple(names)


class _Reporter:
    """Prints problems as they happen, and sums up."""

    def __init__(self) -> None:
        self.totals: Totals | None = None
        self.actors = 0
        self.failed = self.shown = 0
        self.advance: Callable[[int, int], None] = lambda _, __: None

    def warn(self, message: str) -> None:
        """Something odd that does not keep an input from being parsed."""
        click.echo(f"warning: {message}", err=True)

    def fail(self, message: str) -> None:
        """An input that cannot be read, or not to its end."""
        self.failed += 1
        click.echo(f"not read: {message}", err=True)

    def count(self, done: Done, totals: Totals) -> None:
        """What came of a shard, and of all so far."""
        self.totals = totals
        if done.fault:
            return click.echo(f"shard {done.number} was given up, since its actors died: {done.fault}", err=True)
        for message in done.messages:
            self.shown += 1
            if self.shown <= _SHOWN:
                click.echo(f"not parsed: {message}", err=True)
            elif self.shown == _SHOWN + 1:
                click.echo("not parsed: … (more are counted, not shown)", err=True)
        self.advance(int(done.size), done.words)
        return None

    def summarise(self, output: str) -> None:
        """Print what was done, how fast, and what the rest would cost."""
        totals = self.totals
        if totals is None:
            return
        report_losses(totals.lost)
        found = f", {totals.found:,} were there" if totals.found else ""
        lost = f"; actors lost and replaced: {totals.lost_actors:,}" if totals.lost_actors else ""
        click.echo(
            f"{output}: {totals.documents:,} documents, {totals.sentences:,} sentences, {totals.words:,} words, "
            f"{totals.errors:,} errors in {totals.shards:,} shards{found}{lost}",
            err=True,
        )
        seconds = max(totals.seconds, 1e-9)
        click.echo(
            f"{totals.words / seconds:,.0f} words/s with {self.actors} actors, {seconds:,.1f} s once started", err=True
        )
        if not totals.complete:
            click.echo(
                f"unfinished: the same command with --resume continues{_cost(totals.rest, self.actors)}", err=True
            )


def _cost(seconds: float | None, actors: int) -> str:
    """What the rest takes, in words."""
    if seconds is None:
        return ""
    time = f"{seconds / 3600:,.1f} hours" if seconds >= 3600 else f"{seconds / 60:,.1f} minutes"
    return f"; the rest takes about {time} with {actors} actors, {seconds * actors / 3600:,.2f} actor hours"
