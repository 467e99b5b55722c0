"""`arctag score`: a system's file against the gold file."""

from __future__ import annotations

from dataclasses import asdict

import click

from arctag.cli.common import format_option, json_option, print_json, print_table
from arctag.cli.selection import layer_option
from arctag.formats import read
from arctag.metrics import GROUPINGS, METRICS, Breakdown, Comparison, Score, score
from arctag.metrics.results import show
from arctag.transforms.main_graph import choosing


@click.command(
    epilog="""\b
Examples:
  arctag score gold.sdp system.sdp
  arctag score gold.conllu system.conllu --metric conll
  arctag score gold.conllu system.conllu --metric elas --json
  arctag score gold.conllu system.conllu --by length --by cyclic
  arctag score gold.sdp system.sdp --against other.sdp"""
)
@click.argument("gold")
@click.argument("system")
@click.option(
    "--metric",
    type=click.Choice(list(METRICS)),
    help="Name of the metric (default: sdp for SDP files, elas for CoNLL-U files).",
)
@click.option(
    "--by", multiple=True, type=click.Choice(list(GROUPINGS)), help="Break down the headline figure; repeatable."
)
@click.option(
    "--against", metavar="OTHER", help="Another system's file, to test whether the difference is significant."
)
@click.option(
    "--samples", type=click.IntRange(min=1), default=10_000, show_default=True, help="Samples of the bootstrap."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the bootstrap.")
@format_option(help="Format of the files (default: by their names or beginnings).")
@layer_option
@json_option
def command(
    gold: str,
    system: str,
    metric: str | None,
    by: tuple[str, ...],
    against: str | None,
    samples: int,
    seed: int,
    format: str | None,
    layer: str | None,
    as_json: bool,
) -> None:
    """Score SYSTEM against GOLD as the official scorers of SDP 2015, CoNLL 2018 and IWPT 2021 do.

    Metric conll has the whole table for CoNLL-U: words, tags, lemmas, trees and graphs. With conll
    and elas the two files may differ in tokens and sentences, as long as the text is the same.
    The last line is the signature: quote it with the figures.
    """
    choose = choosing(layer)
    sentences = list(map(choose, read(gold, format)))
    result = score(sentences, map(choose, read(system, format)), metric, by=by)
    comparison = None
    if against is not None:
        other = score(sentences, map(choose, read(against, format)), result.metric)
        comparison = result.against(other, samples, seed)
    if as_json:
        print_json(_as_json(result, comparison))
    else:
        _print(result, comparison)


def _as_json(result: Score, comparison: Comparison | None) -> dict[str, object]:
    value: dict[str, object] = {"metric": result.metric, "signature": result.signature, **result.figures}
    if result.breakdowns:
        value["breakdown"] = {
            by: {name: cell.as_dict() for name, cell in groups.items()} for by, groups in result.breakdowns.items()
        }
    if comparison is not None:
        value["comparison"] = asdict(comparison)
    return value


def _print(result: Score, comparison: Comparison | None) -> None:
    print_table(f"{result.main[0]} {show(result.main[1], result.digits)}", *result.table())
    for by, groups in result.breakdowns.items():
        click.echo()
        print_table(f"by {by}", *_breakdown_table(by, groups))
    if comparison is not None:
        click.echo()
        print_table(f"difference in {comparison.figure}", *comparison.table(result.digits))
    click.echo(result.signature)


def _breakdown_table(by: str, groups: Breakdown) -> tuple[list[str], list[list[str]]]:
    rows = []
    for name, cell in groups.items():
        figures = [show(figure, 4) for figure in (cell.precision, cell.recall, cell.f1)]
        rows.append([name, *figures, str(cell.gold), str(cell.system), str(cell.correct)])
    return [by, "precision", "recall", "f1", "gold", "system", "correct"], rows
