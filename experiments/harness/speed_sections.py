"""The parts of the report that tell of speed; the machine's name stands beside each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from statistics import mean
from typing import Any

from harness.context import Context
from harness.environment import machine_name
from harness.markdown import NOT_YET, Table, section
from harness.plots import lines, pareto
from harness.store import write_text
from harness.summary import NOTHING, Key, Result, key_of_result, sdp

_HOW = (
    "Words a second from words to arcs with relations, one process alone on the machine, the fastest of at least five. "
    "Reading and writing files comes on top, and is the same for all."
)
_SHORTLY_TRAINED = (
    " ° was measured with a model trained for a few epochs (`run.py --epochs`): without verification the speed hardly "
    "depends on what the model knows; with it, a model that knows little is slower, since it doubts more of its labels."
)
_TRAINING = {"relation_weight"}  # settings that do not change the network
_SHORT = 0.55  # of the epochs of the runs beside it: a model made to be timed only


def _command(what: str, results: Sequence[Result] = ()) -> str:
    """What measures again as it was measured, as far as the results tell."""
    command = f"python experiments/speed.py MODELS --what {what}"
    if not results:
        return command
    known = results[0]
    threads = f"OMP_NUM_THREADS={known['threads']} " if "threads" in known else ""
    device = "" if known["environment"]["gpu"] else " --device cpu"
    given = [(name, known[name]) for name in ("batch_tokens", "words", "seconds", "sentences") if name in known]
    told = "".join(f" --{name.replace('_', '-')} {value:g}" for name, value in given)
    return f"{threads}{command} --only '*--{known['encoder']}--*'{device}{told}"


def _by_machine(context: Context, results: Sequence[Result]) -> dict[str, list[Result]]:
    return {
        machine: [r for r in results if machine_name(r["environment"]) == machine]
        for machine in context.machines(results)
    }


def _slug(*names: str) -> str:
    return "-".join(re.sub(r"\W+", "-", name.lower()).strip("-") for name in names)


def _bare(result: Result) -> Key:
    """The cell of a speed: how a network of the same shape was trained makes no other one of it."""
    key = key_of_result(result)
    return key._replace(overrides=tuple(item for item in key.overrides if item[0] not in _TRAINING))


def _by_cell(results: Sequence[Result]) -> dict[Key, Result]:
    """One speed for each cell: of the model that was trained longest."""
    return {_bare(r): r for r in sorted(results, key=lambda r: r.get("best_epoch") or 0)}


def _batches(results: Iterable[Result]) -> str:
    sizes = sorted({result["batch_tokens"] for result in results if "batch_tokens" in result})
    return f" In batches of up to {' or '.join(f'{size:,}' for size in sizes)} words or pieces." if sizes else ""


def _shown(context: Context, result: Result) -> str:
    place = (result["treebank"], result["encoder"])
    alike = [runs for key, runs in context.summary.cells.items() if (key.treebank, key.encoder) == place]
    wanted = max((run["config"]["epochs"] for runs in alike for run in runs), default=0)
    short = (result.get("best_epoch") or wanted) < _SHORT * wanted
    return f"{result['tokens_per_s']:,}{'°' if short else ''}"


def pareto_sections(context: Context) -> Iterator[str]:
    """UF and LF against speed, for each treebank and machine."""
    yield f"`{_command('speed')}`, with the options that stand above the tables of speeds.\n\n"
    found = False
    for machine, results in _by_machine(context, context.speeds).items():
        for treebank in context.grid.treebanks:
            here = [r for r in results if r["treebank"] == treebank and _on_picture(context, r)]
            texts = [_pareto(context, machine, treebank, here, figure) for figure in ("UF", "LF")]
            if any(texts):
                found = True
                yield f"### {context.treebank(treebank).title}, {machine}\n\n{''.join(texts)}"
    if not found:
        yield NOT_YET


def _on_picture(context: Context, result: Result) -> bool:
    """The parsers of the main tables; the table of speeds has all."""
    key, grid = _bare(result), context.grid
    return key.parser in grid.main_parsers and key.variant in ("", *grid.main_variants) and not key.overrides


def _pareto(context: Context, machine: str, treebank: str, results: Sequence[Result], figure: str) -> str:
    """Draw one picture and link it; nothing where fewer than two parsers have both figures."""
    points = [point for result in _by_cell(results).values() if (point := _point(context, result, figure))]
    if len(points) < 2:
        return ""
    grid = context.grid
    title = f"{context.treebank(treebank).title}: {figure} against speed"
    drawn = pareto.picture(
        points, title, machine, figure,
        families=list(dict.fromkeys(parser.family for parser in grid.parsers.values())),
        encoders=[encoder.title for encoder in grid.encoders.values()],
        fills=("plain tagging", "verified, or baseline"),
    )  # fmt: skip
    name = f"{_slug(treebank, figure, machine)}.svg"
    write_text(context.pictures / name, drawn)
    front = "; ".join(point.name for point in pareto.front(points))
    return f"![{title}]({context.pictures.name}/{name})\n\nOn the front, {figure}: {front}.\n\n"


def _point(context: Context, result: Result, figure: str) -> pareto.Point | None:
    key = _bare(result)
    scores = context.summary.values(key, sdp(figure))
    if not scores or key.encoder not in context.grid.encoders or key.parser not in context.grid.parsers:
        return None
    parser = context.grid.parsers[key.parser]
    return pareto.Point(
        result["tokens_per_s"], mean(scores), parser.short, key.variant, parser.family,
        context.grid.encoders[key.encoder].title,
        filled=key.variant != "plain",
    )  # fmt: skip


def speed_sections(context: Context) -> Iterator[str]:
    """Words a second of each parser, a table for each machine and encoder."""
    if not context.speeds:
        yield f"`{_command('speed')}`\n\n{NOT_YET}"
    for machine, results in _by_machine(context, context.speeds).items():
        for encoder, described in context.grid.encoders.items():
            here = _by_cell([r for r in results if r["encoder"] == encoder])
            treebanks = [name for name in context.grid.treebanks if any(key.treebank == name for key in here)]
            if not treebanks:
                continue
            table = Table(["parser", *(context.treebank(name).title for name in treebanks)])
            for row in _rows(context, list(here)):
                speeds = [here.get(row._replace(treebank=name)) for name in treebanks]
                cells = [_shown(context, result) if result else NOTHING for result in speeds]
                table.rows.append([context.row_name(row), *cells])
            how = _HOW + _batches(here.values())
            if any("°" in cell for row in table.rows for cell in row):
                how += _SHORTLY_TRAINED
            command = _command("speed", list(here.values()))
            yield section(f"### {described.title}, {machine}", table, command, how)


def _rows(context: Context, keys: Sequence[Key]) -> list[Key]:
    parsers, variants = list(context.grid.parsers), ["", *context.grid.variants]
    rows = {key._replace(treebank="") for key in keys}
    return sorted(rows, key=lambda key: (parsers.index(key.parser), variants.index(key.variant), key.overrides))


def length_sections(context: Context) -> Iterator[str]:
    """Time and memory by sentence length, for each machine, treebank and encoder."""
    if not context.lengths:
        yield f"`{_command('lengths')}`\n\n{NOT_YET}"
    for machine, results in _by_machine(context, context.lengths).items():
        for treebank, encoder in dict.fromkeys((r["treebank"], r["encoder"]) for r in results):
            here = [r for r in results if (r["treebank"], r["encoder"]) == (treebank, encoder)]
            heading = f"### {context.treebank(treebank).title}, {context.grid.encoders[encoder].title}, {machine}"
            note = (
                "Microseconds a word, and megabytes needed at most beyond the model itself (in brackets), with "
                f"{here[0]['sentences']} sentences of this length at a time. Thresholds are raised where more than "
                "1.2 times as many arcs come out as the treebank has."
            )
            yield section(heading, _length_table(context, here), _command("lengths", here), note)
            for figure, title, unit in (
                ("microseconds_per_word", "Time a word", "microseconds a word"),
                ("peak_megabytes", "Peak memory", "megabytes beyond the model"),
            ):
                yield _length_picture(context, here, figure, f"{title} by sentence length", unit,
                                      _slug("lengths", treebank, encoder, title, machine),
                                      f"{context.grid.encoders[encoder].title}, {machine}")  # fmt: skip


def _length_table(context: Context, results: Sequence[Result]) -> Table:
    table = Table(["words", *(context.row_name(_bare(result)) for result in results)])
    for length in sorted({row["length"] for result in results for row in result["rows"]}):
        cells = []
        for result in results:
            row: dict[str, Any] = next((row for row in result["rows"] if row["length"] == length), {})
            if "reason" in row:
                cells.append("too long")
            elif row:
                peak = row["peak_megabytes"]
                cells.append(f"{row['microseconds_per_word']:,.1f} ({NOTHING if peak is None else f'{peak:,.0f}'})")
            else:
                cells.append(NOTHING)
        table.rows.append([f"{length:,}", *cells])
    return table


def _length_picture(
    context: Context, results: Sequence[Result], figure: str, title: str, unit: str, name: str, subtitle: str
) -> str:
    drawn = []
    for result in results:
        points = [(row["length"], row[figure]) for row in result["rows"] if row.get(figure)]
        parser = context.grid.parsers[result["parser"]]
        label = parser.short + (f" {result['variant']}" if result["variant"] else "")
        if points:
            drawn.append(lines.Line(label, points))
    if not drawn:
        return ""
    write_text(context.pictures / f"{name}.svg", lines.picture(drawn, title, subtitle, "words in a sentence", unit))
    return f"![{title}]({context.pictures.name}/{name}.svg)\n\n"
