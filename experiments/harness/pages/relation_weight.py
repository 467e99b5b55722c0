"""The effect of doubling the weight of the relation loss: a table for each encoder, with all treebanks."""

from __future__ import annotations

from collections.abc import Iterator

from harness.grid import Run
from harness.pages.context import Context
from harness.pages.markdown import Table, section
from harness.summary import Key, sdp

_LF = sdp("LF")


def about_weight(context: Context, run: Run) -> bool:
    """Whether a run is only there for these tables."""
    weights = context.grid.weights
    if weights is None:
        return False
    if context.grid.parsers[run.parser].baseline:
        return run.overrides == weights.overrides
    return run.variant == weights.once and not run.overrides


def relation_weight(context: Context) -> Iterator[str]:
    """A table for each encoder with such runs."""
    for encoder, described in context.grid.encoders.items():
        table = _table(context, encoder)
        if table is not None:
            others = {block for run in context.runs if not about_weight(context, run) for block in run.blocks}
            blocks = dict.fromkeys(block for run in context.runs if run.encoder == encoder for block in run.blocks)
            command = context.command([block for block in blocks if block not in others], encoder)
            yield section(f"### Relation weight, {described.title}", table, command)


def _table(context: Context, encoder: str) -> Table | None:
    summary = context.summary
    pairs = {parser: _pair(context, parser, encoder) for parser in context.grid.main_parsers}
    parsers = {
        parser: pair
        for parser, pair in pairs.items()
        if pair and any(key._replace(treebank=name) in summary.cells for key in pair for name in context.grid.treebanks)
    }
    if not parsers:
        return None
    table = Table(["treebank", *(f"{name} × {weight}" for name in parsers for weight in (1, 2))])
    for treebank in context.treebanks_of(key for key in summary.cells if key.encoder == encoder):
        row = [context.treebank(treebank).title]
        for pair in parsers.values():
            once, double = (key._replace(treebank=treebank) for key in pair)
            row += [summary.show(once, _LF), summary.show(double, _LF) + summary.mark_difference(double, once)]
        table.rows.append(row)
    return table


def _pair(context: Context, parser: str, encoder: str) -> tuple[Key, Key] | None:
    """The cells of a parser that are compared, without their treebank; None where the grid has no such pair."""
    weights = context.grid.weights
    if weights is None:
        return None
    if context.grid.parsers[parser].baseline:
        once = Key("", parser, "", encoder)
        double = once._replace(overrides=weights.overrides)
    else:
        once, double = (Key("", parser, variant, encoder) for variant in (weights.once, weights.double))
    known = {key._replace(treebank="") for key in context.wanted}
    return (once, double) if {once, double} <= known else None
