"""What was run: the blocks of the grid, and where pretrained encoders come from."""

from __future__ import annotations

from collections.abc import Iterator

from harness.pages.context import Context
from harness.pages.markdown import Table
from harness.store import RUN
from harness.summary import NOTHING


def encoder_sources(context: Context) -> Iterator[str]:
    """A list of the pretrained encoders."""
    for name, encoder in context.grid.encoders.items():
        if encoder.source:
            yield f"- `{name}=FOLDER`: {encoder.title}, {encoder.source}\n"


def runs(context: Context) -> Iterator[str]:
    """How many runs of each block are done, and on which machine."""
    done = {result["id"]: result for result in context.of_kind(RUN)}
    table = Table(["block", "runs", "done", "machine"])
    for block in context.grid.blocks:
        wanted = [run for run in context.runs if block.name in run.blocks]
        results = [done[run.id] for run in wanted if run.id in done]
        machines = "; ".join(context.by_machine(results)) or NOTHING
        table.rows.append([block.name, str(len(wanted)), str(len(results)), machines])
    yield f"`python experiments/run.py --list`\n\n{table.text()}\n"
    settings = {run.id: run.fingerprint for run in context.runs}
    outdated = [name for name in sorted(done) if settings.get(name) not in (None, done[name]["fingerprint"])]
    if outdated:
        yield f"With other settings than the grid has now: {', '.join(outdated)}.\n\n"
