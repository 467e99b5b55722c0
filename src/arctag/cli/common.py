"""What several commands share: options, tables, JSON."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arctag.formats import graph_formats
from arctag.progress import open_bar, track
from arctag.transforms import GUARANTEES, TREATMENTS

if TYPE_CHECKING:
    from arctag.parsing.parser import ParseOptions

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
encodings_option = click.option(
    "--encodings", metavar="NAMES", help="Comma-separated names of encodings (default: the paper's and hierarchical)."
)
batch_option = click.option(
    "--batch-tokens",
    type=click.IntRange(min=1),
    default=8192,
    show_default=True,
    help="Words per batch (subwords for a pretrained encoder); the graphs do not depend on it.",
)
device_option = click.option("--device", help="cpu, cuda, cuda:1, … (default: the GPU if there is one).")
empty_option = click.option(
    "--empty", type=click.Choice(sorted(TREATMENTS)), default="keep", show_default=True,
    help="Empty nodes: keep them, drop them, collapse them into path labels, or expand those again.",
)  # fmt: skip


def model_option(default: str | None = None) -> Callable[[F], F]:
    """An option that names a model."""
    return click.option(
        "-m", "--model", required=default is None, default=default, show_default=default is not None, metavar="MODEL",
        help="A model folder, as `arctag train` writes it, or the name of a model that comes with Arctag.",
    )  # fmt: skip


def format_option(
    name: str = "--format",
    help: str = "Format of the input (default: by its name or beginning).",
    more: Sequence[str] = (),
) -> Callable[[F], F]:
    """An option that takes the name of a graph format, or one of a few more."""
    return click.option(name, type=click.Choice([*sorted(graph_formats()), *more]), default=None, help=help)


def crossing_option(
    help: str = "Which crossing arcs need two planes: those that point the same way, or any.",
) -> Callable[[F], F]:
    """The option that says what counts as crossing."""
    choice = click.Choice(["relaxed", "strict"])
    return click.option("--crossing", type=choice, default="relaxed", show_default=True, help=help)


def print_json(value: object) -> None:
    """Print as JSON; NaN and infinities, which JSON lacks, become null."""
    click.echo(json.dumps(_finite(value), indent=1, ensure_ascii=False))


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(inner) for inner in value]
    return value


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table: ruled on a terminal, tab-separated elsewhere so that other programs can read it."""
    if not sys.stdout.isatty():
        click.echo("\t".join(columns))
        for row in rows:
            click.echo("\t".join(str(cell) for cell in row))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for i, column in enumerate(table.columns):
        column.justify = "left" if i == 0 else "right"
    for row in rows:
        table.add_row(*(str(cell) for cell in row))
    Console().print(table)


def progress(items: Iterable[T], label: str) -> Iterator[T]:
    """Pass the items on, with a bar on standard error when that is a terminal."""
    return track(items, label, shown=True)


@contextmanager
def bytes_bar(total: int | None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error, when that is a terminal; yields a function that adds bytes read and words."""
    bar = open_bar("parsing", total, shown=True)
    started, done, words = perf_counter(), 0, 0

    def advance(more_bytes: int, more_words: int) -> None:
        nonlocal done, words
        done, words = done + more_bytes, words + more_words
        bar.update(done=done, status=f"{words:,} words  {words / (perf_counter() - started):,.0f} words/s")

    try:
        yield advance
    finally:
        bar.close()


def report_losses(lost: Counter[str]) -> None:
    """Print, on standard error, what the format that was written had no room for."""
    if lost:
        click.echo("lost: " + "; ".join(f"{n} {kind}" for kind, n in lost.most_common()), err=True)


def plane_options(function: F) -> F:
    """The options of every command that assigns planes."""
    crossing = crossing_option(
        "Which crossing arcs need two planes: those that point the same way, or any (brackets only)."
    )
    planes = click.option(
        "--planes", type=click.Choice(["greedy", "best"]), default="greedy", show_default=True,
        help="How arcs are assigned to planes: as in the paper, or so that more are covered.",
    )  # fmt: skip
    return crossing(planes(function))


def split_names(names: str | None) -> list[str] | None:
    """The names in 'a,b' or 'a b'; None if there are none."""
    return names.replace(",", " ").split() or None if names else None


def parse_options(function: F) -> F:
    """The options of every command that runs a model."""
    options = (
        batch_option,
        click.option(
            "--ensure",
            metavar="NAMES",
            help=f"Comma-separated guarantees: {', '.join(GUARANTEES)}; none for no guarantee (default: what the "
            "graphs that the model has learned from always have).",
        ),
        click.option("--threshold", type=float, help="Minimum probability of an arc (default: the model's threshold)."),
        device_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


def make_options(batch_tokens: int, ensure: str | None, threshold: float | None, **further: Any) -> ParseOptions:
    """These options as a `ParseOptions`, with further ones by name."""
    from arctag.parsing.parser import ParseOptions

    return ParseOptions(batch_tokens, ensure=_guarantees(ensure), threshold=threshold, **further)


def _guarantees(text: str | None) -> tuple[str, ...] | None:
    """The guarantees that are named; None for the model's own."""
    return None if text is None else () if text == "none" else tuple(split_names(text) or ())
