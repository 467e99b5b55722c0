"""Figures as tables: for terminals and for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

Table = tuple[list[str], list[list[str]]]
"""Column names and rows, as text."""


def text_table(table: Table) -> list[str]:
    """The lines of a table: the first column at the left, figures at the right."""
    columns, rows = table
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    return [_justified(row, widths) for row in (columns, *rows)]


def html_table(table: Table, caption: str) -> str:
    """The same as HTML."""
    columns, rows = table
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    body = "".join(f'<tr><th scope="row">{escape(row[0])}</th>{_cells(row[1:])}</tr>' for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(row: Sequence[str]) -> str:
    return "".join(f"<td>{escape(cell)}</td>" for cell in row)


def _justified(row: list[str], widths: list[int]) -> str:
    cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
    return "  ".join(cells)
