"""`arctag evaluate`: a model against a gold file."""

from __future__ import annotations

from typing import Any

import click

from arctag.cli.common import (
    format_option,
    json_option,
    make_options,
    model_option,
    parse_options,
    print_json,
    print_table,
)
from arctag.metrics.results import show
from arctag.parsing.loading import load


@click.command(
    epilog="""\b
Examples:
  arctag evaluate -m my-model test.conllu
  arctag evaluate -m my-model test.sdp --json
  arctag evaluate -m en test.conllu --raw"""
)
@click.argument("file")
@model_option()
@click.option(
    "--raw",
    is_flag=True,
    help="Start from running text, which the model splits into sentences and words; CoNLL-U only.",
)
@click.option("--layer", default="graph", show_default=True, help="Score this layer against the graphs of FILE.")
@parse_options
@format_option()
@json_option
def command(
    file: str, model: str, raw: bool, layer: str, batch_tokens: int, ensure: str | None, threshold: float | None,
    device: str | None, format: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Parse the words of FILE and score what was predicted against what it holds.

    Official SDP scores and, for CoNLL-U, the CoNLL 2018 and IWPT table, as far as the model predicts
    what is scored; tagging accuracy; the percentage of label sequences that were well-formed before
    repair; scores by number of planes and for cyclic sentences.
    """
    from arctag.analysis.evaluation import evaluate, evaluate_raw
    from arctag.formats import read

    parser, gold, options = load(model, device), read(file, format), make_options(batch_tokens, ensure, threshold)
    report = evaluate_raw(parser, gold, options) if raw else evaluate(parser, gold, options, layer)
    if as_json:
        print_json(report)
        return
    if "sdp" in report:
        _print_sdp(report)
    if "conll" in report:
        rows = [(name, *(show(cell[k], 2) for k in ("precision", "recall", "f1")))
                for name, cell in report["conll"].items() if isinstance(cell, dict)]  # fmt: skip
        print_table("CoNLL scores, in percent", ("CoNLL", "precision", "recall", "F1"), rows)
        click.echo()
    for name, accuracy in report.get("tags", {}).items():
        click.echo(f"accuracy of {name}: {accuracy:.2f}")
    if "sdp" in report:
        _print_analyses(report)
    click.echo(f"\n{report['tokens']} tokens, {report['tokens_per_s']:,} tokens/s")
    click.echo(report["sdp" if "sdp" in report else "conll"]["signature"])


def _print_sdp(report: dict[str, Any]) -> None:
    sides = [report["sdp"][tops] for tops in ("including_tops", "excluding_tops")]
    rows = [(name, *(show(None if side[name] is None else 100 * side[name], 2) for side in sides)) for name in sides[0]]
    print_table("SDP scores, in percent", ("SDP", "including tops", "excluding tops"), rows)
    click.echo()


def _print_analyses(report: dict[str, Any]) -> None:
    if "tag_accuracy" in report:
        for name, value in report["tag_accuracy"].items():
            click.echo(f"tag accuracy ({name}): {value:.2f}")
        click.echo(f"well-formed label sequences: {report['well_formed_percent']:.2f}%")
    for group in ("by_planes", "by_cyclic"):
        rows = [(name, *("-" if cell[k] is None else cell[k] for k in cell)) for name, cell in report[group].items()]
        click.echo()
        print_table(group.replace("_", " "), (group[3:], *next(iter(report[group].values()))), rows)
