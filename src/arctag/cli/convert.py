"""`arctag convert`: another format, or other empty nodes."""

from __future__ import annotations

from collections import Counter

import click

from arctag.cli.common import empty_option, format_option, progress, report_losses
from arctag.cli.outputs import force_option, graph_format, named, protect_inputs
from arctag.cli.selection import layer_option
from arctag.formats import read, read_whole, write
from arctag.transforms import empty_nodes
from arctag.transforms.main_graph import choosing


@click.command(
    epilog="""\b
Examples:
  arctag convert dev.sdp dev.conllu
  arctag convert dev.conllu --empty collapse - > collapsed.conllu
  arctag convert dev.conllu.gz dev.sdp
  arctag convert dev.conllup dm.sdp --layer dm"""
)
@click.argument("source")
@click.argument("target", default="-", callback=named)
@format_option("--from", "Format of SOURCE (default: by its name or beginning).")
@format_option("--to", "Format of TARGET (default: by its name, else that of SOURCE).")
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
    treat = empty_nodes.TREATMENTS[empty]
    lost: Counter[str] = Counter()
    if treat is empty_nodes.keep and layer is None:
        write(progress(read_whole(source, formats["from"]), "converting"), target, to, lost)
    else:
        sentences = map(choosing(layer), progress(read(source, formats["from"]), "converting"))
        write(map(treat, sentences), target, to, lost)
    if not quiet:
        report_losses(lost)
