"""Tables with parsers as rows and treebanks as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from harness.pages.context import Context
from harness.pages.markdown import Table, section
from harness.summary import NOTHING, Get, Key

T = TypeVar("T")

Column = tuple[str, Callable[[Key], str]]
"""The name of a figure, and its text for a cell."""
Columns = Callable[[Context, str], list[Column]]
"""The figures of a treebank."""


def figure(context: Context, name: str, get: Get) -> Column:
    """A figure of the results as a column."""
    return name, lambda key: context.summary.show(key, get)


def score_tables(
    context: Context, columns: Columns, finish: Callable[[Table], None] = lambda _: None
) -> Iterator[str]:  # fmt: skip
    """A table for each encoder, variant and group of treebanks of the grid; `finish` may change a table."""
    for encoder, described in context.grid.encoders.items():
        for variant in context.grid.main_variants:
            for group, treebanks in context.groups().items():
                names = [t for t in context.main_columns(treebanks, variant, encoder) if columns(context, t)]
                if names:
                    table = score_table(context, names, variant, encoder, columns)
                    finish(table)
                    heading = f"### {group}, {described.title}: {context.grid.variants[variant].title}"
                    yield section(heading, table, context.main_command(variant, encoder))


def score_table(context: Context, treebanks: Sequence[str], variant: str, encoder: str, columns: Columns) -> Table:
    """One of these tables."""
    figures = [(treebank, name, show) for treebank in treebanks for name, show in columns(context, treebank)]
    table = Table(["parser", *(f"{context.treebank(treebank).title} {name}" for treebank, name, _ in figures)])
    for parser in context.main_rows(treebanks, variant, encoder):
        cells = [show(context.key(treebank, parser, variant, encoder)) for treebank, _, show in figures]
        table.rows.append([context.short(parser), *cells])
    return table


def treebank_table(context: Context, cells: Mapping[Key, T], show: Callable[[T], str]) -> Table:
    """One figure of each treebank, for parsers with all their variants."""
    treebanks = context.treebanks_of(cells)
    table = Table(["parser", *(context.treebank(name).title for name in treebanks)])
    for row in context.rows(cells):
        values = (cells.get(row._replace(treebank=name)) for name in treebanks)
        shown = (NOTHING if value is None else show(value) for value in values)
        table.rows.append([context.row_name(row), *shown])
    return table
