"""Speed: tables, accuracy against speed, sentence length; each with its machine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from statistics import mean, median
from typing import Any

from harness.pages.context import Context
from harness.pages.markdown import Table, section
from harness.pages.tables import treebank_table
from harness.plots import lines, pareto
from harness.store import LENGTHS, SPEED, Result, write_text
from harness.summary import NOTHING, Key, key_of_result, sdp

_TRAINING = {"relation_weight"}  # settings that do not change the network
_SHORT = 0.55  # of the epochs of comparable runs: a model that was only trained to be timed


def speed(context: Context) -> Iterator[str]:
    """Words per second of each parser, a table for each machine and encoder."""
    for machine, results in context.by_machine(context.of_kind(SPEED)).items():
        for encoder, described in context.grid.encoders.items():
            here = _by_cell([r for r in results if r["encoder"] == encoder])
            if here:
                table = treebank_table(context, here, partial(_show_speed, context))
                yield section(f"### {described.title}, {machine}", table, _command(SPEED, list(here.values())))


def relative_speed(context: Context) -> Iterator[str]:
    """The speed of taggers relative to the baseline, a table for each machine.

    With the last variant of the main tables one by one, with the first one as a median.
    """
    taggers = [name for name in context.grid.main_parsers if not context.grid.parsers[name].baseline]
    first, last = context.grid.main_variants[0], context.grid.main_variants[-1]
    for machine, results in context.by_machine(context.of_kind(SPEED)).items():
        speeds = {key: result["tokens_per_s"] for key, result in _by_cell(results).items()}
        shown = [name for name in taggers if any((k.parser, k.variant) == (name, last) for k in speeds)]
        table = Table(["encoder, treebank", *shown, f"{first}, median", f"{context.baseline}, words per second"])
        for encoder, treebank in product(context.grid.encoders, context.grid.treebanks):
            base = speeds.get(Key(treebank, context.baseline, "", encoder))
            if base is None:
                continue
            cells = [speeds.get(Key(treebank, name, last, encoder)) for name in shown]
            others = [speeds[key] for name in taggers if (key := Key(treebank, name, first, encoder)) in speeds]
            cells.append(median(others) if others else None)
            name = f"{context.encoder(encoder).title}, {context.treebank(treebank).title}"
            table.rows.append([name, *(_show_ratio(cell, base) for cell in cells), f"{base:,}"])
        if table.rows:
            yield f"### {machine}\n\n{table.text()}\n"


def _show_ratio(speed: float | None, base: float) -> str:
    if speed is None:
        return NOTHING
    difference = round(100 * (speed / base - 1))
    return f"{difference:+}%" if difference else "0%"


def _command(kind: str, results: Sequence[Result]) -> str:
    """The command that measures again, as far as the results have its options."""
    known = results[0]
    threads = f"OMP_NUM_THREADS={known['threads']} " if "threads" in known else ""
    device = "" if known["environment"]["gpu"] else " --device cpu"
    settings = [(name, known[name]) for name in ("batch_tokens", "words", "seconds", "sentences") if name in known]
    options = "".join(f" --{name.replace('_', '-')} {value:g}" for name, value in settings)
    only = f"--only '*--{known['encoder']}--*'"
    return f"{threads}python experiments/speed.py MODELS --what {kind} {only}{device}{options}"


def _speed_key(result: Result) -> Key:
    """The cell of a speed: settings of the training that leave the network the same do not matter."""
    key = key_of_result(result)
    return key._replace(overrides=tuple(item for item in key.overrides if item[0] not in _TRAINING))


def _by_cell(results: Sequence[Result]) -> dict[Key, Result]:
    """One speed for each cell: that of the model that was trained longest."""
    return {_speed_key(r): r for r in sorted(results, key=lambda r: r.get("best_epoch") or 0)}


def _show_speed(context: Context, result: Result) -> str:
    place = (result["treebank"], result["encoder"])
    comparable = [runs for key, runs in context.summary.cells.items() if (key.treebank, key.encoder) == place]
    epochs = max((run["config"]["epochs"] for runs in comparable for run in runs), default=0)
    short = (result.get("best_epoch") or epochs) < _SHORT * epochs
    return f"{result['tokens_per_s']:,}{'°' if short else ''}"


def accuracy_against_speed(context: Context) -> Iterator[str]:
    """UF and LF against speed, for each machine and treebank."""
    for machine, results in context.by_machine(context.of_kind(SPEED)).items():
        for treebank in context.grid.treebanks:
            here = [r for r in results if r["treebank"] == treebank and _in_main_tables(context, r)]
            texts = [_pareto(context, machine, treebank, here, figure) for figure in ("UF", "LF")]
            if any(texts):
                yield f"### {context.treebank(treebank).title}, {machine}\n\n{''.join(texts)}"


def _in_main_tables(context: Context, result: Result) -> bool:
    key, grid = _speed_key(result), context.grid
    return key.parser in grid.main_parsers and key.variant in ("", *grid.main_variants) and not key.overrides


def _pareto(context: Context, machine: str, treebank: str, results: Sequence[Result], figure: str) -> str:
    """Draw one picture and link it; nothing where fewer than two parsers have both figures."""
    points = [point for result in _by_cell(results).values() if (point := _point(context, result, figure))]
    if len(points) < 2:
        return ""
    grid = context.grid
    title = f"{context.treebank(treebank).title}: {figure} against speed"
    picture = pareto.picture(
        points, title, machine, figure,
        families=list(dict.fromkeys(parser.family for parser in grid.parsers.values())),
        encoders=[encoder.title for encoder in grid.encoders.values()],
        fills=("plain tagging", "verified, or baseline"),
    )  # fmt: skip
    front = "; ".join(point.name for point in pareto.front(points))
    link = _add_picture(context, _slug(treebank, figure, machine), title, picture)
    return f"{link}Pareto front, {figure}: {front}.\n\n"


def _point(context: Context, result: Result, figure: str) -> pareto.Point | None:
    key = _speed_key(result)
    scores = context.summary.values(key, sdp(figure))
    if not scores or key.encoder not in context.grid.encoders or key.parser not in context.grid.parsers:
        return None
    parser = context.grid.parsers[key.parser]
    return pareto.Point(
        result["tokens_per_s"], mean(scores), parser.short, key.variant, parser.family,
        context.encoder(key.encoder).title,
        filled=key.variant != "plain",
    )  # fmt: skip


def sentence_length(context: Context) -> Iterator[str]:
    """Time and memory by sentence length, for each machine, treebank and encoder."""
    for machine, results in context.by_machine(context.of_kind(LENGTHS)).items():
        for treebank, encoder in dict.fromkeys((r["treebank"], r["encoder"]) for r in results):
            here = [r for r in results if (r["treebank"], r["encoder"]) == (treebank, encoder)]
            where = f"{context.encoder(encoder).title}, {machine}"
            heading = f"### {context.treebank(treebank).title}, {where}"
            note = f"{here[0]['sentences']} sentences in a batch."
            yield section(heading, _length_table(context, here), _command(LENGTHS, here), note)
            for figure, title, unit in (
                ("microseconds_per_word", "Time per word", "microseconds per word"),
                ("peak_megabytes", "Peak memory", "megabytes beyond the model"),
            ):
                drawn = _length_lines(context, here, figure)
                if drawn:
                    title = f"{title} by sentence length"
                    picture = lines.picture(drawn, title, where, "words in a sentence", unit)
                    name = _slug("lengths", treebank, encoder, figure, machine)
                    yield _add_picture(context, name, title, picture)


def _length_table(context: Context, results: Sequence[Result]) -> Table:
    table = Table(["words", *(context.row_name(_speed_key(result)) for result in results)])
    for length in sorted({row["length"] for result in results for row in result["rows"]}):
        rows = (next((row for row in result["rows"] if row["length"] == length), None) for result in results)
        table.rows.append([f"{length:,}", *map(_show_length, rows)])
    return table


def _show_length(row: dict[str, Any] | None) -> str:
    if row is None:
        return NOTHING
    if "reason" in row:
        return "too long"
    peak = row["peak_megabytes"]
    return f"{row['microseconds_per_word']:,.1f} ({NOTHING if peak is None else f'{peak:,.0f}'})"


def _length_lines(context: Context, results: Sequence[Result], figure: str) -> list[lines.Line]:
    drawn = []
    for result in results:
        points = [(row["length"], row[figure]) for row in result["rows"] if row.get(figure)]
        label = " ".join(filter(None, (context.grid.parsers[result["parser"]].short, result["variant"])))
        if points:
            drawn.append(lines.Line(label, points))
    return drawn


def _add_picture(context: Context, name: str, title: str, picture: str) -> str:
    """Write a picture beside the page; the text that shows it."""
    write_text(context.folder / f"{name}.svg", picture)
    return f"![{title}]({name}.svg)\n\n"


def _slug(*names: str) -> str:
    return "-".join(re.sub(r"\W+", "-", name.lower()).strip("-") for name in names)
