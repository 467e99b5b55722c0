"""Variants and unions that the paper does not have, compared with the baseline."""

from __future__ import annotations

from collections.abc import Iterator

from harness.grid import Run
from harness.pages.context import Context
from harness.pages.markdown import Table, section
from harness.pages.relation_weight import about_weight
from harness.summary import NOTHING, Key, sdp, show


def variants(context: Context) -> Iterator[str]:
    """A table for each encoder."""
    for encoder, described in context.grid.encoders.items():
        keys = _keys(context, encoder)
        treebanks = context.treebanks_of(keys)
        if not treebanks:
            continue
        table = Table(["parser", *(f"{context.treebank(t).title} {f}" for t in treebanks for f in ("UF", "LF", "Δ"))])
        for row in context.rows(keys):
            cells = list(_cells(context, row, treebanks))
            if any(cell != NOTHING for cell in cells):
                table.rows.append([context.row_name(row), *cells])
        special = (run for run in context.runs if run.encoder == encoder and _special(context, run))
        command = context.command(dict.fromkeys(run.blocks[-1] for run in special), encoder)
        yield section(f"### Variants, {described.title}", table, command)


def _special(context: Context, run: Run) -> bool:
    """Whether a run is neither in the main tables nor in those of the relation weight."""
    grid = context.grid
    in_main = run.parser in grid.main_parsers and (not run.variant or run.variant in grid.main_variants)
    return (bool(run.overrides) or not in_main) and not about_weight(context, run)


def _keys(context: Context, encoder: str) -> list[Key]:
    """The cells of special runs, all others of the same parsers, and the baseline's."""
    special = [run for run in context.runs if run.encoder == encoder and _special(context, run)]
    parsers, treebanks = {run.parser for run in special}, {run.treebank for run in special}
    return [
        key
        for key in context.wanted
        if key.encoder == encoder and key.treebank in treebanks and key.parser in {*parsers, context.baseline}
    ]


def _cells(context: Context, row: Key, treebanks: list[str]) -> Iterator[str]:
    summary = context.summary
    for treebank in treebanks:
        key = row._replace(treebank=treebank)
        baseline = context.baseline_key(key)
        ours, theirs = ({r["seed"]: sdp("LF")(r) or 0.0 for r in summary.cells.get(k, [])} for k in (key, baseline))
        gaps = [ours[seed] - theirs[seed] for seed in sorted(ours.keys() & theirs.keys())]
        gap = show(gaps)
        yield summary.show(key, sdp("UF"))
        yield summary.show(key, sdp("LF")) + summary.mark(key, context.baseline)
        yield NOTHING if key == baseline or not gaps else ("+" if not gap.startswith("-") else "") + gap
