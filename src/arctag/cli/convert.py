"""`arctag convert`: another format, or other empty nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import click

from arctag.cli.common import empty_option, format_option, progress, report_losses
from arctag.cli.outputs import force_option, graph_format, named, protect_inputs
from arctag.cli.selection import layer_option
from arctag.errors import FormatError
from arctag.formats import COLUMNAR, FORMATS, WRITE_ONLY, copy_table, look_at, read_input, read_whole_input, write
from arctag.formats.columnar.formats import RecordedError
from arctag.formats.streams import Input
from arctag.parsing.rendering import with_probabilities
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes
from arctag.transforms.main_graph import choosing


@click.command(
    epilog="""\b
Examples:
  arctag convert dev.sdp dev.conllu
  arctag convert dev.conllu --empty collapse - > collapsed.conllu
  arctag convert dev.conllu.gz dev.sdp
  arctag convert dev.conllup dm.sdp --layer dm
  arctag convert dev.conllu dev.parquet"""
)
@click.argument("source")
@click.argument("target", default="-", callback=named)
@format_option("--from", "Format of SOURCE (default: by its name or beginning).")
@format_option(
    "--to",
    "Format of TARGET (default: by its name, else that of SOURCE or, for a table, of its text).",
    more=list(WRITE_ONLY),
)
@empty_option
@layer_option
@force_option
@click.option("--quiet", is_flag=True, help="Do not report what the target format has no room for.")
def command(
    source: str, target: str, force: bool, quiet: bool, empty: str, layer: str | None, **formats: str | None
) -> None:
    """Convert SOURCE to TARGET ('-': standard input or output; names in '.gz' and '.xz' are packed).

    A file converted to its own format stays the same, byte for byte. What the other format has no
    room for is reported on standard error.
    """
    protect_inputs([target], [source], force)
    to = graph_format(target, formats["to"])
    lost: Counter[str] = Counter()
    opened, name = look_at(source, formats["from"])
    if empty_nodes.TREATMENTS[empty] is not empty_nodes.keep or layer is not None:
        sentences = map(choosing(layer), progress(_sentences(opened, name, to, lost), "converting"))
        write(map(empty_nodes.TREATMENTS[empty], sentences), target, to, lost)
    elif name in FORMATS:
        write(progress(read_whole_input(opened, name), "converting"), target, to, lost)
    elif to in COLUMNAR:
        copy_table(opened, target, to)
    else:
        write(progress(_sentences(opened, name, to, lost), "converting"), target, to, lost)
    if not quiet:
        report_losses(lost)


def _sentences(source: Input, format: str, to: str | None, lost: Counter[str]) -> Iterator[Sentence]:
    """The sentences of a file; rows of a table that have an error in their place are counted as lost."""
    if format in FORMATS:
        yield from read_input(source, format)
        return
    for sentence in read_input(source, format, on_error=_unless_recorded):
        if sentence.error and not sentence.rows and to not in (*COLUMNAR, *WRITE_ONLY):
            lost["texts that could not be parsed"] += 1
        yield with_probabilities(sentence)


def _unless_recorded(error: FormatError) -> None:
    """Refuse a damaged table; a row that says why there is no sentence is no damage."""
    if not isinstance(error, RecordedError):
        raise error
