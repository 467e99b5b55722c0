"""The table of the findings: the best tagger against the baseline."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from statistics import mean

from harness.pages.context import Context
from harness.pages.markdown import Table
from harness.summary import NOTHING, Key, sdp, show_p

_LF = sdp("LF")


def best_taggers(context: Context) -> Iterator[str]:
    """LF of the best tagger and of the baseline, for each treebank and encoder."""
    grid, summary = context.grid, context.summary
    table = Table([
        "treebank", "encoder", "best tagger", "LF", f"{context.baseline} LF", "difference", "p",
        f"{context.baseline}, weight 2, LF",
    ])  # fmt: skip
    for encoder, treebank in product(grid.encoders, grid.treebanks):
        tagger = _best(context, treebank, encoder)
        if tagger is None:
            continue
        base = context.baseline_key(tagger)
        comparison = summary.compare(tagger, base)
        if comparison is None:
            continue
        difference = mean(summary.values(tagger, _LF)) - mean(summary.values(base, _LF))
        double = base._replace(overrides=grid.weights.overrides) if grid.weights else None
        table.rows.append([
            context.treebank(treebank).title, context.encoder(encoder).title, f"`{tagger.parser}`",
            summary.show(tagger, _LF), summary.show(base, _LF), f"{difference:+.2f}",
            show_p(comparison.p_value, context.samples).removeprefix("= "),
            summary.show(double, _LF) if double else NOTHING,
        ])  # fmt: skip
    if table.rows:
        yield f"{table.text()}\n"


def _best(context: Context, treebank: str, encoder: str) -> Key | None:
    """The cell with the highest LF among the taggers of the last main table: the variant that is Arctag's default."""
    variant = context.grid.main_variants[-1]
    keys = [
        context.key(treebank, parser, variant, encoder)
        for parser in context.grid.main_parsers
        if not context.grid.parsers[parser].baseline
    ]
    scores = {key: mean(values) for key in keys if (values := context.summary.values(key, _LF))}
    return max(scores, key=lambda key: scores[key], default=None)
