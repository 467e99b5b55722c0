"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.summary import NOTHING

NOT_YET = "Not run yet.\n\n"


@dataclass
class Table:
    """Rows of text under a header; the first column is aligned left, the others right."""

    columns: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether it holds no figure."""
        return all(cell == NOTHING for row in self.rows for cell in row[1:])

    def text(self) -> str:
        """As Markdown."""
        rules = ["---", *("---:" for _ in self.columns[1:])]
        return "\n".join("| " + " | ".join(row) + " |" for row in ([*self.columns], rules, *self.rows)) + "\n"


def bold_best(table: Table, columns: Sequence[int], among: Callable[[list[str]], bool]) -> None:
    """Print the highest value of some columns in bold, among some rows."""
    for column in columns:
        rows = [row for row in table.rows if among(row) and row[column] != NOTHING]
        values = [_number(row[column]) for row in rows]
        for row, value in zip(rows, values, strict=True):
            if len(rows) > 1 and value == max(values):
                row[column] = f"**{row[column]}**"


def _number(cell: str) -> float:
    match = re.match(r"-?[\d,.]+", cell)
    assert match, cell
    return float(match[0].replace(",", ""))


def section(heading: str, table: Table, command: str, note: str = "") -> str:
    """A heading, the command that gives the table, and the table."""
    body = f"{note}\n\n{table.text()}\n" if note else f"{table.text()}\n"
    return f"{heading}\n\n`{command}`\n\n{NOT_YET if table.empty else body}"
