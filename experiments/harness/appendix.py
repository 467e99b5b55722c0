"""The report's second page: the analyses of the paper's appendix, and what the runs cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from harness.context import Context
from harness.environment import machine_name
from harness.markdown import NOT_YET, Table, page_text, section
from harness.summary import NOTHING, Get, Key, Result, key_of_result, of_test, sdp, show, tag_accuracy

_HEAD = """# Experiments: appendix

Made by `python experiments/report.py`; [the main tables](../{page}) say how to read these. {nothing} was not run, or
has no such figure.

"""
_PLANES = ("1", "2", "3", "4", "5", "6")
Column = tuple[str, Get]
"""A figure's name and how to get it from a result."""


def appendix(context: Context, page: str) -> str:
    """The whole page."""
    parts = [_HEAD.format(page=page, nothing=NOTHING)]
    for title, note, columns in (
        ("Exact match", "Sentences whose graph is right as a whole: unlabelled (UM) and labelled (LM).", _exact),
        ("Tops left out", "UF and LF without arcs from the root.", _inner),
        ("ELAS", "The scores of the IWPT shared tasks, for treebanks in CoNLL-U.", _elas),
        ("Other test files", "UF and LF on files of other domains than the training file's.", _others),
        ("Tagging", "Right labels (tag), and sentences whose labels were well-formed before repair (wf).", _tagging),
        ("By number of planes", "UF of the n sentences whose graphs need so many planes.", _planes),
        ("Sentences with cycles", "UF and LF of the n sentences with and without a cycle.", _cycles),
    ):
        found = list(_tables(context, columns, note))
        if found:
            parts += [f"## {title}\n\n", *found]
    parts += ["## Labels\n\n", _labels(context)]
    for title, sections in (("Parameters", _parameters), ("Training time", _times), ("Energy", _energy)):
        parts += [f"## {title}\n\n", *(list(sections(context)) or [NOT_YET])]
    return page_text("".join(parts))


def _exact(_: Context, __: str) -> list[Column]:
    return [("UM", sdp("UM")), ("LM", sdp("LM"))]


def _inner(_: Context, __: str) -> list[Column]:
    return [(figure, sdp(figure, tops="excluding_tops")) for figure in ("UF", "LF")]


def _elas(context: Context, treebank: str) -> list[Column]:
    if not context.treebank(treebank).test.endswith(".conllu"):
        return []
    return [(name, of_test("elas", name)) for name in ("ELAS", "EULAS")]


def _others(context: Context, treebank: str) -> list[Column]:
    also = context.treebank(treebank).also
    return [(f"{name} {figure}", sdp(figure, test=name)) for name in also for figure in ("UF", "LF")]


def _tagging(_: Context, __: str) -> list[Column]:
    return [("tag", tag_accuracy), ("wf", of_test("well_formed_percent"))]


def _planes(context: Context, treebank: str) -> list[Column]:
    """As many planes as the sentences of the test file need, where that is known."""
    known = _sentences(context, treebank, "by_planes")
    return [(f"{k} UF (n = {known[k]:,})", of_test("by_planes", k, "UF", scale=100)) for k in _PLANES if k in known]


def _cycles(context: Context, treebank: str) -> list[Column]:
    known = _sentences(context, treebank, "by_cyclic")
    return [
        (f"{name} {figure} (n = {known[name]:,})", of_test("by_cyclic", name, figure, scale=100))
        for name in ("cyclic", "acyclic")
        if name in known
        for figure in ("UF", "LF")
    ]


def _sentences(context: Context, treebank: str, kind: str) -> dict[str, int]:
    """How many sentences of the test file are of each kind: the same for every run."""
    cells = (cell for key, cell in context.summary.cells.items() if key.treebank == treebank)
    found = (result["tests"]["test"].get(kind) for cell in cells for result in cell)
    return {name: part["sentences"] for part in found if part for name, part in part.items()}


def _tables(context: Context, columns: Callable[[Context, str], list[Column]], note: str) -> Iterator[str]:
    """A figure for each encoder, variant and group of treebanks; tables without any result are left out."""
    for encoder, described in context.grid.encoders.items():
        for variant in context.grid.main_variants:
            for group, treebanks in context.groups().items():
                names = [t for t in context.main_columns(treebanks, variant, encoder) if columns(context, t)]
                table = _table(context, names, variant, encoder, columns)
                if names and not table.empty:
                    heading = f"### {group}, {described.title}: {context.grid.variants[variant].title}"
                    yield section(heading, table, context.command(variant, encoder), note)


def _table(
    context: Context, treebanks: Sequence[str], variant: str, encoder: str,
    columns: Callable[[Context, str], list[Column]],
) -> Table:  # fmt: skip
    figures = [(treebank, name, get) for treebank in treebanks for name, get in columns(context, treebank)]
    table = Table(["parser", *(f"{context.treebank(treebank).title} {name}" for treebank, name, _ in figures)])
    for parser in context.main_rows(treebanks, variant, encoder):
        cells = [context.summary.show(context.key(t, parser, variant, encoder), get) for t, _, get in figures]
        table.rows.append([context.short(parser), *cells])
    return table


def _labels(context: Context) -> str:
    """Labels learned from the training file; they do not depend on the encoder, nor on the seed."""
    parsers = [name for name in context.grid.main_parsers if not context.grid.parsers[name].baseline]
    table = Table(["treebank", *(context.short(name) for name in parsers), "relations"])
    for treebank, described in context.grid.treebanks.items():
        found = {
            k.parser: cell[0] for k, cell in context.summary.cells.items() if k.treebank == treebank and _whole(cell)
        }
        cells = [f"{sum(found[p]['model']['labels'].values()):,}" if p in found else NOTHING for p in parsers]
        # a plain tagger of bits4 learns null arcs as one relation more
        relations = min((r["model"]["relations"] for r in found.values()), default=None)
        table.rows.append([described.title, *cells, NOTHING if relations is None else f"{relations:,}"])
    note = "Labels and relations of the training file: what is learned."
    return section("### All treebanks", table, "python experiments/run.py", note)


def _whole(cell: Sequence[Result]) -> bool:
    """Whether labels are learned as wholes, and planes are the usual ones."""
    config = cell[0]["config"]
    return (config["tag_head"], config["planes"], config["min_label_count"]) == ("softmax", "greedy", 1)


def _parameters(context: Context) -> Iterator[str]:
    """Millions of weights, by encoder."""
    yield from _cost_tables(
        context, context.summary.cells, "Millions of parameters, word vectors and a pretrained encoder included.",
        lambda cell: show([cell[0]["model"]["parameters"] / 1e6], 1),
    )  # fmt: skip


def _times(context: Context) -> Iterator[str]:
    """Seconds and words a second, apart for each machine and number of runs side by side."""
    sharing: dict[tuple[str, int], dict[Key, list[Result]]] = {}
    for key, cell in context.summary.cells.items():
        for result in cell:
            place = machine_name(result["environment"]), int(result["beside"])
            sharing.setdefault(place, {}).setdefault(key, []).append(result)
    for (machine, beside), cells in sorted(sharing.items()):
        many = "alone on the machine" if beside == 1 else f"{beside} runs side by side on the machine"
        note = (
            f"{machine}, {many}: seconds of training in all, and thousands of words a second in an epoch (in brackets)."
        )
        yield from _cost_tables(context, cells, note, _time, f", {machine}, {beside} side by side")


def _time(cell: Sequence[Result]) -> str:
    seconds = [result["seconds"]["training"] for result in cell]
    speeds = []
    for result in cell:
        column = result["curve"]["columns"].index("tokens_per_s")
        rows = result["curve"]["rows"]
        speeds.append(median(row[column] for row in rows[1:] or rows))  # the first epoch warms up
    return f"{show(seconds, 0)} ({sum(speeds) / len(speeds) / 1000:,.1f})"


def _energy(context: Context) -> Iterator[str]:
    """Joules an epoch, alone on the machine, where they could be read; else why not."""
    for machine in context.machines(context.energies):
        here = [r for r in context.energies if machine_name(r["environment"]) == machine]
        table = Table(["treebank", "encoder", "parser", "joules an epoch", "seconds an epoch"])
        for result in here:
            key = key_of_result(result)._replace(overrides=(), treebank="")
            joules = result["joules_per_epoch"]
            table.rows.append([
                context.treebank(result["treebank"]).title, context.grid.encoders[result["encoder"]].title,
                context.row_name(key), NOTHING if joules is None else f"{joules:,.0f}",
                show([result["seconds_per_epoch"]] if result["seconds_per_epoch"] else [], 1),
            ])  # fmt: skip
        sources = sorted({f"of the {r['source']}" if r["source"] else f"not known: {r['reason']}" for r in here})
        note = (
            f"Joules {'; '.join(sources)}; evaluation included, the mean of two epochs, good to some five per cent. "
            "The paper gives grams of CO2 an epoch instead: at 400 g a kilowatt-hour, 1,000 joules are 0.11 g."
        )
        encoders = context.with_encoder(*dict.fromkeys(r["encoder"] for r in here))
        yield section(f"### {machine}", table, f"python experiments/energy.py{encoders}", note)


def _cost_tables(
    context: Context, cells: dict[Key, list[Result]], note: str, get: Callable[[list[Result]], str], heading: str = ""
) -> Iterator[str]:
    """A table for each encoder: parsers with their variants down, treebanks across."""
    parsers, variants = list(context.grid.parsers), ["", *context.grid.variants]
    for encoder, described in context.grid.encoders.items():
        here = {key: cell for key, cell in cells.items() if key.encoder == encoder}
        treebanks = [name for name in context.grid.treebanks if any(key.treebank == name for key in here)]
        if not treebanks:
            continue
        rows = sorted(
            {key._replace(treebank="") for key in here},
            key=lambda k: (parsers.index(k.parser), variants.index(k.variant), str(k.overrides)),
        )
        table = Table(["parser", *(context.treebank(name).title for name in treebanks)])
        for row in rows:
            found = [here.get(row._replace(treebank=name)) for name in treebanks]
            table.rows.append([context.row_name(row), *(get(cell) if cell else NOTHING for cell in found)])
        command = f"python experiments/run.py --only '*--{encoder}--*'{context.with_encoder(encoder)}"
        yield section(f"### {described.title}{heading}", table, command, note)
