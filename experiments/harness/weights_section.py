"""What it brings to let the loss of relations count double: a table for each encoder, all treebanks in it."""

from __future__ import annotations

from collections.abc import Iterator

from harness.context import Context
from harness.grid import Run
from harness.markdown import Table, section
from harness.summary import Key, sdp

_NOTE = (
    "LF where the loss of relations counts once, and where it counts double; ↑ or ↓: double is above or below once, in "
    "the seeds that both have (paired bootstrap as above)."
)


def weighs(context: Context, run: Run) -> bool:
    """Whether a run is there for these tables."""
    weights = context.grid.weights
    if weights is None:
        return False
    if context.grid.parsers[run.parser].baseline:
        return run.overrides == weights.overrides
    return run.variant == weights.once and not run.overrides


def weights_sections(context: Context) -> Iterator[str]:
    """One for each encoder with such runs."""
    for encoder, described in context.grid.encoders.items():
        table = _table(context, encoder)
        if table is not None:
            other = {block for run in context.runs if not weighs(context, run) for block in run.blocks}
            ours = dict.fromkeys(block for run in context.runs if run.encoder == encoder for block in run.blocks)
            blocks = [block for block in ours if block not in other]
            command = f"python experiments/run.py --only {' '.join(blocks)}{context.with_encoder(encoder)}"
            yield section(f"### How much relations count: {described.title}", table, command, _NOTE)


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
    table = Table(["treebank", *(f"{name} {times}" for name in parsers for times in ("once", "double"))])
    for treebank, described in context.grid.treebanks.items():
        row = [described.title]
        for once, double in parsers.values():
            here, there = once._replace(treebank=treebank), double._replace(treebank=treebank)
            row += [summary.show(here, sdp("LF")), summary.show(there, sdp("LF")) + summary.differs(there, here)]
        if any(name.treebank == treebank and name.encoder == encoder for name in summary.cells):
            table.rows.append(row)
    return table


def _pair(context: Context, parser: str, encoder: str) -> tuple[Key, Key] | None:
    """The cells of a parser that are compared, without their treebank; none, where the grid has no such pair."""
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
