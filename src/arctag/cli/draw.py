"""`arctag draw`: pictures as SVG, as a web page, or in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import click

from arctag.cli.common import crossing_option, empty_option, format_option, progress
from arctag.cli.outputs import force_option, output_option, protect_inputs
from arctag.cli.pictures import KINDS, Pair, Pictures
from arctag.cli.selection import chosen, layer_option, limit_option, sentence_option
from arctag.draw.look import Look
from arctag.formats import read
from arctag.transforms import empty_nodes
from arctag.transforms.main_graph import choosing


@click.command(
    epilog="""\b
Examples:
  arctag draw dev.conllu --limit 3
  arctag draw dev.conllu --sentence weblog-0001 -o picture.svg
  arctag draw dev.sdp --limit 50 -o pictures/
  arctag draw dev.conllu -o page.html
  arctag draw dev.conllu --wrap 900 --colours tree -o page.html
  arctag draw parsed.conllup --limit 1 --below dm -o syntax-and-meaning.svg
  arctag draw system.conllu --against gold.conllu -o errors.html"""
)
@click.argument("source", metavar="FILE")
@output_option("A file, or a folder for one SVG per sentence; else standard output.")
@force_option
@click.option(
    "--to", type=click.Choice(list(KINDS)), help="The kind of picture; else taken from the name of OUT, else text."
)
@sentence_option
@limit_option
@click.option("--against", metavar="GOLD", help="Show what FILE has correct, missing and extra, compared with GOLD.")
@click.option("--rtl", is_flag=True, help="The first word at the right, for right-to-left languages.")
@crossing_option()
@empty_option
@layer_option
@click.option("--no-tags", is_flag=True, help="Words and arcs alone, without tags and lemmas.")
@click.option(
    "--colours",
    type=click.Choice(["planes", "tree"]),
    default="planes",
    show_default=True,
    help="What colours stand for: planes, or which arcs the basic tree lacks.",
)
@click.option("--below", metavar="NAME", help="Draw another graph below the words: a layer, or `tree` (SVG and HTML).")
@click.option("--no-punctuation", is_flag=True, help="Leave punctuation marks out.")
@click.option("--compact", is_flag=True, help="Less space between words and arcs (SVG and HTML).")
@click.option(
    "--wrap",
    type=click.IntRange(min=200),
    metavar="PIXELS",
    help="Break long sentences into lines of this width (SVG and HTML).",
)
@click.option("--vertical", is_flag=True, help="One word on each line, indented by depth, with the arcs at the left.")
@click.option("--width", type=click.IntRange(min=20), help="Columns for text; else those of the terminal.")
@format_option()
def command(
    source: str, output: str, to: str | None, wanted: tuple[str, ...], limit: int | None, against: str | None,
    rtl: bool, crossing: Literal["relaxed", "strict"], empty: str, layer: str | None, no_tags: bool,
    colours: Literal["planes", "tree"], below: str | None, no_punctuation: bool, compact: bool, wrap: int | None,
    vertical: bool, width: int | None, format: str | None, force: bool,
) -> None:  # fmt: skip
    """Draw the graphs of FILE: arcs above the words, coloured by plane.

    Text on a terminal is drawn across where it fits, else with one word per line.
    """
    protect_inputs([output], [source, *([against] if against else [])], force)
    name = Path(source).name
    title = f"{name} against {Path(against).name}" if against else name
    look = Look(
        crossing=crossing, direction="rtl" if rtl else "ltr", tags=not no_tags, colours=colours, below=below,
        punctuation=not no_punctuation, compact=compact, wrap=wrap, vertical=vertical,
    )  # fmt: skip
    pictures = Pictures(title, output, look, width, force)
    kind = to or pictures.kind()
    pairs = chosen(_pairs(source, against, empty, layer, format), wanted, lambda pair: pair[0], limit)
    if output != "-":
        pairs = progress(pairs, "drawing")
    pictures.draw(pairs, kind)


def _pairs(source: str, against: str | None, empty: str, layer: str | None, format: str | None) -> Iterator[Pair]:
    """The sentences of the file, each with its gold one if there is a gold file."""
    treat, choose = empty_nodes.TREATMENTS[empty], choosing(layer)
    sentences = map(treat, map(choose, read(source, format)))
    if against is None:
        return ((sentence, None) for sentence in sentences)
    from arctag.draw.pairing import paired

    return iter(paired(sentences, map(treat, map(choose, read(against, format)))))
