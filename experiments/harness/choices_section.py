"""What can be chosen after training: tables of thresholds and of candidates."""

from __future__ import annotations

from collections.abc import Iterator

from harness.context import Context
from harness.markdown import Table, section
from harness.summary import Result

_THRESHOLDS = "The arc scorer keeps what it gives at least this probability."
_CANDIDATES = (
    "So many more label sequences, in which words whose label is less probable than this take their second one. "
    "Reachable: the share of gold arcs, in per cent, that are among the candidates."
)


def choices_sections(context: Context) -> Iterator[str]:
    """Two tables for each model that was tried."""
    for result in context.choices:
        command = f"python experiments/choices.py {result['model']} {result['file']}"
        where = f"the model `{result['model']}` on {result['file']}"
        yield section(f"### Thresholds: {where}", _threshold_table(result), command, _THRESHOLDS)
        yield section(f"### Candidates: {where}", _candidate_table(result), command, _CANDIDATES)


def _threshold_table(result: Result) -> Table:
    table = Table(["threshold", "UP", "UR", "UF", "LF"])
    for row in result["thresholds"]:
        name = _marked(f"{row['threshold']}", row["threshold"] == result["chosen"]["threshold"])
        table.rows.append([name, *(f"{row[figure]:.2f}" for figure in table.columns[1:])])
    return table


def _candidate_table(result: Result) -> Table:
    table = Table(["sequences, doubt below", "candidates a word", "reachable", "UF", "LF"])
    chosen = (result["chosen"]["alternatives"], result["chosen"]["certain"])
    for row in result["candidates"]:
        count, certain = row["alternatives"], row["certain"]
        name = f"{count}, {certain}" if count else "the best labels only"
        cells = [f"{row['candidates_per_word']:.2f}", *(f"{row[f]:.2f}" for f in ("reachable", "UF", "LF"))]
        table.rows.append([_marked(name, (count, certain) == chosen), *cells])
    return table


def _marked(name: str, chosen: bool) -> str:
    return f"{name} (chosen)" if chosen else name
