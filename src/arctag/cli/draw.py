"""`arctag draw`: pictures as SVG, as a web page, or in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import click

from arctag import empty_nodes
from arctag.cli.common import crossing_option, empty_option, format_option, progress
from arctag.cli.pictures import Pair, Pictures
from arctag.errors import InputError
from arctag.formats import read


@click.command(
    epilog="""\b
Examples:
  arctag draw dev.conllu --limit 3
  arctag draw dev.conllu --sentence weblog-0001 -o picture.svg
  arctag draw dev.sdp --limit 50 -o pictures/
  arctag draw dev.conllu -o page.html
  arctag draw system.conllu --against gold.conllu -o errors.html"""
)
@click.argument("source", metavar="FILE")
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="OUT",
    help="A file, or a folder for one SVG per sentence; else standard output.",
)
@click.option(
    "--to", type=click.Choice(["svg", "html", "text"]), help="What to make; else taken from the name of OUT, else text."
)
@click.option(
    "--sentence",
    "wanted",
    multiple=True,
    metavar="ID",
    help="Only this sentence: its id or its number, from 1. Repeatable.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N sentences.")
@click.option("--against", metavar="GOLD", help="Show what FILE has correct, missing and extra, compared with GOLD.")
@click.option("--rtl", is_flag=True, help="The first word at the right, for right-to-left languages.")
@crossing_option()
@empty_option
@click.option("--width", type=click.IntRange(min=20), help="Columns for text; else those of the terminal.")
@format_option()
def command(
    source: str, output: str, to: str | None, wanted: tuple[str, ...], limit: int | None, against: str | None,
    rtl: bool, crossing: Literal["relaxed", "strict"], empty: str, width: int | None, format: str | None,
) -> None:  # fmt: skip
    """Draw the graphs of FILE: arcs above the words, coloured by plane.

    Text on a terminal is drawn across where it fits, else with one word per line.
    """
    name = Path(source).name
    title = f"{name} against {Path(against).name}" if against else name
    pictures = Pictures(title, output, crossing, "rtl" if rtl else "ltr", width)
    kind = to or pictures.kind()
    pairs = _selected(_pairs(source, against, empty, format), wanted, limit)
    if output != "-":
        pairs = progress(pairs, "drawing")
    pictures.draw(pairs, kind)


def _pairs(source: str, against: str | None, empty: str, format: str | None) -> Iterator[Pair]:
    """The sentences of the file, each with its gold one if there is a gold file."""
    treat = empty_nodes.TREATMENTS[empty]
    sentences = map(treat, read(source, format))
    if against is None:
        return ((sentence, None) for sentence in sentences)
    from arctag.draw.pairing import paired

    return iter(paired(sentences, map(treat, read(against, format))))


def _selected(pairs: Iterable[Pair], wanted: tuple[str, ...], limit: int | None) -> Iterator[Pair]:
    """The first `limit` pairs whose id or number is wanted; reading stops when all are found."""
    missing, found = set(wanted), 0
    for number, pair in enumerate(pairs, start=1):
        names = {pair[0].id, str(number)}
        if wanted and not names & missing:
            continue
        missing -= names
        found += 1
        yield pair
        if found == limit or (wanted and not missing):
            return
    if missing:
        raise InputError(f"no sentence with the id or number {', '.join(sorted(missing))}")
