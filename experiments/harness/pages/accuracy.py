"""The main tables: UF, LF and the oracle of each parser on each treebank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.pages.context import Context
from harness.pages.markdown import Table, bold_best
from harness.pages.tables import Column, figure, score_table, score_tables
from harness.summary import of_test, sdp, show


def accuracy(context: Context) -> Iterator[str]:
    """A table for each encoder, variant and group of treebanks."""
    yield from score_tables(context, _columns, finish=lambda table: _mark_best(context, table))


def accuracy_table(context: Context, treebanks: Sequence[str], variant: str, encoder: str) -> Table:
    """One of these tables."""
    table = score_table(context, treebanks, variant, encoder, _columns)
    _mark_best(context, table)
    return table


def _columns(context: Context, _: str) -> list[Column]:
    summary = context.summary
    return [
        figure(context, "UF", sdp("UF")),
        ("LF", lambda key: summary.show(key, sdp("LF")) + summary.mark(key, context.baseline)),
        ("OF", lambda key: show(summary.values(key, of_test("oracle", "UF"))[:1])),  # the same for all seeds
    ]


def _mark_best(context: Context, table: Table) -> None:
    """UF and LF of the best tagger in bold."""
    baselines = {context.short(name) for name, parser in context.grid.parsers.items() if parser.baseline}
    scores = [i for i in range(1, len(table.columns)) if i % 3]
    bold_best(table, scores, lambda row: row[0] not in baselines)
