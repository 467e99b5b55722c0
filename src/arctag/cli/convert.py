"""`arctag convert`: another format, or other empty nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import click

from arctag.blocks.block import Block
from arctag.cli.common import empty_option, format_option, progress, report_losses
from arctag.cli.outputs import force_option, graph_format, named, protect_inputs
from arctag.cli.selection import layer_option
from arctag.errors import FormatError
from arctag.formats import COLUMNAR, WRITE_ONLY, copy_table, look_at, read_input, read_whole_input, write
from arctag.formats.columnar.formats import RecordedError
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
    on_error = _unless_recorded if name in COLUMNAR else None
    if empty_nodes.TREATMENTS[empty] is not empty_nodes.keep or layer is not None:
        sentences = map(choosing(layer), progress(read_input(opened, name, on_error=on_error), "converting"))
        write(_kept(map(empty_nodes.TREATMENTS[empty], sentences), to, lost), target, to, lost)
    elif name in COLUMNAR and to in COLUMNAR:
        copy_table(opened, target, to)
    else:
        whole = progress(read_whole_input(opened, name, on_error), "converting")
        write(_kept(whole, to, lost), target, to, lost)
    if not quiet:
        report_losses(lost)


def _kept(whole: Iterable[Block | Sentence], to: str | None, lost: Counter[str]) -> Iterator[Block | Sentence]:
    """The sentences with what tables have and text has not: probabilities as comments, errors counted as lost."""
    for some in whole:
        if isinstance(some, Block):
            yield some
            continue
        if some.error and not some.rows and to not in (*COLUMNAR, *WRITE_ONLY):
            lost["texts that could not be parsed"] += 1
        yield some if to in COLUMNAR else with_probabilities(some)


def _unless_recorded(error: FormatError) -> None:
    """Refuse a damaged table; a row that says why there is no sentence is no damage."""
    if not isinstance(error, RecordedError):
        raise error
