"""What models and training cost: labels, parameters, time and energy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import mean, median

from harness.environment import machine_name
from harness.pages.context import Context
from harness.pages.markdown import Table, section
from harness.pages.tables import treebank_table
from harness.store import ENERGY, Result
from harness.summary import NOTHING, Key, key_of_result, show


def labels(context: Context) -> Iterator[str]:
    """Labels learned from the training file; they depend neither on the encoder nor on the seed."""
    parsers = [name for name in context.grid.main_parsers if not context.grid.parsers[name].baseline]
    table = Table(["treebank", *(context.short(name) for name in parsers), "relations"])
    for treebank, described in context.grid.treebanks.items():
        runs = {
            key.parser: cell[0]
            for key, cell in context.summary.cells.items()
            if key.treebank == treebank and _usual_labels(cell)
        }
        cells = [f"{sum(runs[p]['model']['labels'].values()):,}" if p in runs else NOTHING for p in parsers]
        # a plain tagger of bits4 has one relation more, for null arcs
        relations = min((run["model"]["relations"] for run in runs.values()), default=None)
        table.rows.append([described.title, *cells, NOTHING if relations is None else f"{relations:,}"])
    yield section("### All treebanks", table, "python experiments/run.py")


def _usual_labels(cell: Sequence[Result]) -> bool:
    """Whether labels are not factored and planes are the default ones."""
    config = cell[0]["config"]
    return (config["tag_head"], config["planes"], config["min_label_count"]) == ("softmax", "greedy", 1)


def parameters(context: Context) -> Iterator[str]:
    """Millions of parameters, by encoder."""
    cells = context.summary.cells
    return _cost_tables(context, cells, lambda cell: show([cell[0]["model"]["parameters"] / 1e6], 1))


def training_time(context: Context) -> Iterator[str]:
    """Seconds and thousands of words per second, for each machine and number of runs at a time."""
    places: dict[tuple[str, int], dict[Key, list[Result]]] = {}
    for key, cell in context.summary.cells.items():
        for result in cell:
            place = machine_name(result["environment"]), int(result["parallel"])
            places.setdefault(place, {}).setdefault(key, []).append(result)
    for (machine, parallel), cells in sorted(places.items()):
        yield from _cost_tables(context, cells, _time, f", {machine}, {parallel} at a time")


def _time(cell: Sequence[Result]) -> str:
    seconds = [result["seconds"]["training"] for result in cell]
    return f"{show(seconds, 0)} ({mean(map(_words_per_second, cell)) / 1000:,.1f})"


def _words_per_second(result: Result) -> float:
    column = result["curve"]["columns"].index("tokens_per_s")
    rows = result["curve"]["rows"]
    return float(median(row[column] for row in rows[1:] or rows))  # the first epoch warms up


def _cost_tables(
    context: Context, cells: Mapping[Key, list[Result]], show_cell: Callable[[list[Result]], str], heading: str = ""
) -> Iterator[str]:
    """A table for each encoder: parsers with their variants as rows, treebanks as columns."""
    for encoder, described in context.grid.encoders.items():
        here = {key: cell for key, cell in cells.items() if key.encoder == encoder}
        if here:
            table = treebank_table(context, here, show_cell)
            yield section(f"### {described.title}{heading}", table, context.command([f"'*--{encoder}--*'"], encoder))


def energy(context: Context) -> Iterator[str]:
    """Joules per epoch, where the machine reports them; else why not."""
    for machine, results in context.by_machine(context.of_kind(ENERGY)).items():
        table = Table(["treebank", "encoder", "parser", "joules per epoch", "seconds per epoch"])
        for result in results:
            key = key_of_result(result)._replace(overrides=(), treebank="")
            joules = result["joules_per_epoch"]
            table.rows.append([
                context.treebank(result["treebank"]).title, context.encoder(result["encoder"]).title,
                context.row_name(key), NOTHING if joules is None else f"{joules:,.0f}",
                show([result["seconds_per_epoch"]] if result["seconds_per_epoch"] else [], 1),
            ])  # fmt: skip
        sources = sorted({r["source"] or f"unknown: {r['reason']}" for r in results})
        encoders = context.encoder_option(*dict.fromkeys(r["encoder"] for r in results))
        note = f"Source: {'; '.join(sources)}."
        yield section(f"### {machine}", table, f"python experiments/energy.py{encoders}", note)
