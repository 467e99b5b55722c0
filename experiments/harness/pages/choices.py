"""What can be chosen after training: tables of thresholds and of candidates."""

from __future__ import annotations

from collections.abc import Iterator

from harness.pages.context import Context
from harness.pages.markdown import Table, section
from harness.store import CHOICES, Result


def choices(context: Context) -> Iterator[str]:
    """Two tables for each model that was tried."""
    for result in context.of_kind(CHOICES):
        command = f"python experiments/choices.py {result['model']} {result['file']}"
        where = f"the model `{result['model']}` on {result['file']}"
        yield section(f"### Thresholds: {where}", _threshold_table(result), command)
        yield section(f"### Candidates: {where}", _candidate_table(result), command)


def _threshold_table(result: Result) -> Table:
    table = Table(["threshold", "UP", "UR", "UF", "LF"])
    for row in result["thresholds"]:
        name = _name(f"{row['threshold']}", row["threshold"] == result["chosen"]["threshold"])
        table.rows.append([name, *(f"{row[figure]:.2f}" for figure in table.columns[1:])])
    return table


def _candidate_table(result: Result) -> Table:
    table = Table(["sequences, probability below", "candidates per word", "reachable", "UF", "LF"])
    chosen = (result["chosen"]["alternatives"], result["chosen"]["certain"])
    for row in result["candidates"]:
        count, certain = row["alternatives"], row["certain"]
        name = f"{count}, {certain}" if count else "the best labels only"
        cells = [f"{row['candidates_per_word']:.2f}", *(f"{row[f]:.2f}" for f in ("reachable", "UF", "LF"))]
        table.rows.append([_name(name, (count, certain) == chosen), *cells])
    return table


def _name(name: str, chosen: bool) -> str:
    return f"{name} (chosen)" if chosen else name
