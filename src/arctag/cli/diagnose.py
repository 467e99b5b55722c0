"""`arctag diagnose`: statistics, coverage, a recommendation."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from arctag.cli.common import (
    encodings_option,
    format_option,
    json_option,
    plane_options,
    print_json,
    print_table,
    progress,
    split_names,
)
from arctag.cli.selection import layer_option


@click.command(
    epilog="""\b
Examples:
  arctag diagnose dev.conllu
  arctag diagnose test.sdp --encodings brackets-2,bits6-4,hierarchical --planes best
  arctag diagnose dev.conllu --crossing strict --json"""
)
@click.argument("files", nargs=-1, required=True)
@encodings_option
@plane_options
@format_option()
@layer_option
@click.option("--show-unencodable", is_flag=True, help="List the ids of sentences that lose arcs.")
@json_option
def command(
    files: tuple[str, ...], encodings: str | None, crossing: str, planes: str, format: str | None,
    layer: str | None, show_unencodable: bool, as_json: bool,
) -> None:  # fmt: skip
    """Print statistics of the graphs in FILES (read as one treebank), and what each encoding covers.

    Encodings for trees are tried on HEAD and DEPREL, and have a table of their own; with --layer tree all
    encodings are tried on them. Empty nodes and their arcs are left out, as in the paper. With --crossing
    strict the figures for brackets are the published ones.
    """
    from arctag.analysis.diagnose import diagnose
    from arctag.formats import read
    from arctag.sentence.layers import TREE
    from arctag.transforms.main_graph import choosing

    sentences = map(choosing(layer), (sentence for file in files for sentence in read(file, format)))
    report = diagnose(progress(sentences, "reading"), split_names(encodings), crossing, planes, layer == TREE)
    if as_json:
        print_json(report)
        return
    if report["layer"] == TREE and layer != TREE:
        click.echo("DEPS is empty: these are the trees, HEAD and DEPREL\n")
    figures = report["statistics"]
    print_table("Treebank", ("statistic", "value"), [(k.replace("_", " "), _cell(v)) for k, v in figures.items()])
    how = f"{crossing} crossing, {planes} planes"
    graphs, trees = report["encodings"], report["trees"]
    if graphs:
        click.echo()
        _print_encodings(f"Encodings ({how})", "encoding", graphs)
    if trees:
        click.echo()
        _print_encodings(f"Encodings of trees ({how})", "tree encoding", trees)
    for why, some in groupby(report["left_out"].items(), key=itemgetter(1)):
        click.echo(f"\nleft out: {', '.join(name for name, _ in some)}: {why}")
    if show_unencodable:
        for name, row in (graphs | trees).items():
            if row["unencodable"]:
                click.echo(f"\n{name} leaves arcs out of: {' '.join(row['unencodable'])}")
    click.echo(f"\n{report['recommendation']}")


def _print_encodings(title: str, name: str, rows: dict[str, Any]) -> None:
    print_table(title, (name, "labels", "UF", "exact", "arcs lost", "sentences lost"), [
        (name, row["labels"], f"{row['coverage']['UF']:.2f}", f"{row['coverage']['UM']:.2f}",
         row["arcs_left_out"], len(row["unencodable"]))
        for name, row in rows.items()
    ])  # fmt: skip


def _cell(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
