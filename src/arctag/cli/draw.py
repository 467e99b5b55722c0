"""`arctag draw`: pictures as SVG, as a web page, or in the terminal."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

import click

from arctag import empty_nodes
from arctag.cli.common import crossing_option, empty_option, format_option, progress
from arctag.errors import InputError
from arctag.formats import read
from arctag.formats.files import open_output
from arctag.sentence import Sentence

Pair = tuple[Sentence, Sentence | None]

_SUFFIXES = {".svg": "svg", ".html": "html", ".htm": "html", ".txt": "text"}
_LONGEST_NAME = 100


@dataclass(frozen=True)
class _Job:
    """What to draw from, where to, and how."""

    source: str
    output: str
    against: str | None
    crossing: Literal["relaxed", "strict"]
    direction: Literal["ltr", "rtl"]
    width: int | None

    @property
    def folder(self) -> bool:
        return self.output.endswith(("/", os.sep)) or Path(self.output).is_dir()

    @property
    def title(self) -> str:
        name = Path(self.source).name
        return f"{name} against {Path(self.against).name}" if self.against else name


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
    job = _Job(source, output, against, crossing, "rtl" if rtl else "ltr", width)
    kind = to or _kind_of_output(job)
    pairs = _selected(_pairs(job, empty, format), wanted, limit)
    if output != "-":
        pairs = progress(pairs, "drawing")
    {"svg": _draw_svg, "html": _draw_html, "text": _draw_text}[kind](pairs, job)


def _kind_of_output(job: _Job) -> str:
    if job.output == "-":
        return "text"
    if job.folder:
        return "svg"
    suffix = Path(job.output.removesuffix(".gz")).suffix.lower()
    if suffix not in _SUFFIXES:
        raise InputError(
            f"cannot tell what to draw from the name {job.output}: end it in .svg, .html or .txt, or give --to"
        )
    return _SUFFIXES[suffix]


def _pairs(job: _Job, empty: str, format: str | None) -> Iterator[Pair]:
    """The sentences of the file, each with its gold one if there is a gold file."""
    treat = empty_nodes.TREATMENTS[empty]
    sentences = map(treat, read(job.source, format))
    if job.against is None:
        return ((sentence, None) for sentence in sentences)
    from arctag.draw.pairing import paired

    return iter(paired(sentences, map(treat, read(job.against, format))))


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


def _draw_svg(pairs: Iterator[Pair], job: _Job) -> None:
    if job.folder:
        _draw_svg_folder(pairs, job)
        return
    first, second = next(pairs, None), next(pairs, None)
    if first is None:
        raise InputError(f"{job.source} holds no sentence")
    if second is not None:
        raise InputError(
            "an SVG file holds one sentence: choose one with --sentence or --limit 1, or give a folder: -o pictures/"
        )
    _write_markup([_svg(first, job)], job.output)


def _draw_svg_folder(pairs: Iterator[Pair], job: _Job) -> None:
    folder = Path(job.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {folder}: {error.strerror}") from error
    used: set[str] = set()
    for pair in pairs:
        _write_markup([_svg(pair, job)], str(folder / f"{_file_name(pair[0].id, used)}.svg"))


def _svg(pair: Pair, job: _Job) -> str:
    from arctag.draw import svg

    return svg(pair[0], against=pair[1], crossing=job.crossing, direction=job.direction)


def _file_name(sentence_id: str, used: set[str]) -> str:
    """A name that is safe on every system and not yet used, whatever the case of its letters."""
    base = re.sub(r"[^\w.-]+", "_", sentence_id).strip("._-")[:_LONGEST_NAME] or "sentence"
    name, number = base, 1
    while name.lower() in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name.lower())
    return name


def _draw_html(pairs: Iterator[Pair], job: _Job) -> None:
    from arctag.draw import html_parts

    _refuse_folder(job)
    _write_markup(html_parts(pairs, title=job.title, crossing=job.crossing, direction=job.direction), job.output)


def _write_markup(parts: Iterable[str], output: str) -> None:
    with open_output(output) as file:
        file.writelines(parts)


def _draw_text(pairs: Iterator[Pair], job: _Job) -> None:
    from arctag.draw import text
    from arctag.draw.measure import terminal_text

    _refuse_folder(job)
    terminal = job.output == "-"
    encoding = (sys.stdout.encoding or "utf-8") if terminal else "utf-8"
    # a picture on the terminal is for reading: it keeps the terminal's encoding
    with nullcontext(sys.stdout) if terminal else open_output(job.output) as file:
        for sentence, gold in pairs:
            picture = text(
                sentence,
                against=gold,
                crossing=job.crossing,
                direction=job.direction,
                width=job.width or shutil.get_terminal_size(fallback=(100, 24)).columns,
                colour=terminal and _wants_colour(file),
                encoding=encoding,
            )
            file.write(f"# {terminal_text(sentence.id, encoding)}\n{picture}\n")


def _wants_colour(file: TextIO) -> bool:
    return file.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _refuse_folder(job: _Job) -> None:
    if job.output != "-" and job.folder:
        raise InputError(f"cannot write {job.output}: only SVG pictures go into a folder")
