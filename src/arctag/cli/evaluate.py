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
    "--raw", is_flag=True, help="Start from running text, which the model splits into sentences and words (ELAS only)."
)
@parse_options
@format_option()
@json_option
def command(
    file: str, model: str, raw: bool, batch_tokens: int, ensure: str | None, threshold: float | None,
    device: str | None, format: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Parse the words of FILE and score the graphs against its own.

    Official SDP scores and, for CoNLL-U, ELAS; tagging accuracy; the percentage of label sequences
    that were well-formed before repair; scores by number of planes and for cyclic sentences.
    """
    from arctag.analysis.evaluation import evaluate, evaluate_raw
    from arctag.formats import read

    run = evaluate_raw if raw else evaluate
    report = run(load(model, device), read(file, format), make_options(batch_tokens, ensure, threshold))
    if as_json:
        print_json(report)
        return
    if not raw:
        _print_sdp(report)
    if "elas" in report:
        rows = [(name, *(show(cell[k], 2) for k in ("precision", "recall", "f1")))
                for name, cell in report["elas"].items() if isinstance(cell, dict)]  # fmt: skip
        print_table("IWPT scores, in percent", ("IWPT", "precision", "recall", "F1"), rows)
        click.echo()
    if not raw:
        _print_analyses(report)
    click.echo(f"\n{report['tokens']} tokens, {report['tokens_per_s']:,} tokens/s")
    click.echo(report["elas" if raw else "sdp"]["signature"])


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
