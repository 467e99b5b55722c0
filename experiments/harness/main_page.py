"""The report's first page: findings, main tables, what goes beyond the paper, speed."""

from __future__ import annotations

from collections.abc import Iterator

from harness.choices_section import choices_sections
from harness.context import Context
from harness.grid import Run
from harness.markdown import Table, bold_best, page_text, section
from harness.speed_sections import length_sections, pareto_sections, speed_sections
from harness.summary import LEVEL, NOTHING, Key, Result, of_test, sdp, show
from harness.weights_section import weighs, weights_sections

_OUTLINE = """# Experiments

Made by `python experiments/report.py` from the result files in `experiments/results`; the findings are kept by hand in
`experiments/findings.md`. [The appendix]({appendix}) has exact match, tagging accuracy, planes,
cycles, other test files, label counts, sizes, training time and energy.

[Findings](#findings) · [What was run](#what-was-run) · [Main tables](#main-tables) ·
[Beyond the paper](#beyond-the-paper) · [Accuracy against speed](#accuracy-against-speed) · [Speed](#speed) ·
[Sentence length](#sentence-length)

## How to read this page

Scores are per cent on the test file, pooled over the corpus as the official scorers do, tops included, empty nodes
dropped. The development file chose the epoch and the threshold. OF is the oracle: the unlabelled score that an encoding
could reach if every label were right. Several seeds are shown as mean ± standard deviation. The best tagger of a column
is bold. In LF, ↑ or ↓ tells that a parser is above or below biaffine with the same encoder and seeds (paired bootstrap
over sentences, {samples:,} samples, p < {level}, each comparison for itself); no arrow, no such difference. {nothing}
was not run. `experiments/grid.toml` has every setting, and each result file the whole config. The scripts want Arctag
installed, or `PYTHONPATH=src` before them.{sources}

p values of the findings: `python experiments/compare.py A B`, with cells as `{example}`.

## Findings

{findings}

## What was run

The command above a table runs what is missing of it; move a result file away to run it again. To add a row, add a line
to `[parsers]` of the grid file (or a treebank, an encoder, a variant: a line each), name it in a block, and run
`python experiments/run.py --only BLOCK`, then `python experiments/report.py`. Parsers named under `[report]` stand in
the main tables, others beyond them.

{state}
## Main tables

{main}
## Beyond the paper

{beyond}
## Accuracy against speed

{pareto}
## Speed

{speed}
## Sentence length

{lengths}"""


def main_page(context: Context, findings: str) -> str:
    """The whole page."""
    text = _OUTLINE.format(
        appendix=f"{context.pictures.name}/appendix.md",
        findings=findings.strip(),
        samples=context.samples,
        level=LEVEL,
        nothing=NOTHING,
        state=_state(context),
        sources="".join(_sources(context)),
        example="en_ewt--bits6-4--verified--bilstm",
        main="".join(_main_tables(context)),
        beyond="".join([*_beyond(context), *weights_sections(context), *choices_sections(context)]),
        pareto="".join(pareto_sections(context)),
        speed="".join(speed_sections(context)),
        lengths="".join(length_sections(context)),
    )
    return page_text(text)


def _sources(context: Context) -> Iterator[str]:
    """Where pretrained encoders come from."""
    for name, encoder in context.grid.encoders.items():
        if encoder.source:
            yield f" `{name}=FOLDER` in commands is a folder with {encoder.title}: {encoder.source}."


def _state(context: Context) -> str:
    """How much of the grid was run, and where."""
    done = {r["id"]: r for cell in context.summary.cells.values() for r in cell}
    table = Table(["block", "runs", "done", "machine"])
    for block in context.grid.blocks:
        runs = [run for run in context.runs if block.name in run.blocks]
        found = [done[run.id] for run in runs if run.id in done]
        machines = "; ".join(context.machines(found)) or NOTHING
        table.rows.append([block.name, str(len(runs)), str(len(found)), machines])
    text = f"`python experiments/run.py --list`\n\n{table.text()}\n"
    outdated = [r["id"] for r in _outdated(context, done)]
    if outdated:
        text += f"Made with other settings than the grid has now: {', '.join(outdated)}.\n\n"
    return text


def _outdated(context: Context, done: dict[str, Result]) -> list[Result]:
    known = {run.id: run.fingerprint for run in context.runs}
    return [r for name, r in sorted(done.items()) if known.get(name, r["fingerprint"]) != r["fingerprint"]]


def _main_tables(context: Context) -> Iterator[str]:
    """A table for each encoder, variant and group of treebanks."""
    for encoder, described in context.grid.encoders.items():
        for variant in context.grid.main_variants:
            for group, treebanks in context.groups().items():
                columns = context.main_columns(treebanks, variant, encoder)
                if columns:
                    table = main_table(context, columns, variant, encoder)
                    heading = f"### {group}, {described.title}: {context.grid.variants[variant].title}"
                    yield section(heading, table, context.command(variant, encoder))


def main_table(context: Context, treebanks: list[str], variant: str, encoder: str) -> Table:
    """UF, LF and OF of each parser on each treebank."""
    summary = context.summary
    names = [f"{context.treebank(name).title} {figure}" for name in treebanks for figure in ("UF", "LF", "OF")]
    table = Table(["parser", *names])
    for parser in context.main_rows(treebanks, variant, encoder):
        row = [context.short(parser)]
        for treebank in treebanks:
            key = context.key(treebank, parser, variant, encoder)
            row.append(summary.show(key, sdp("UF")))
            row.append(summary.show(key, sdp("LF")) + summary.mark(key, context.baseline))
            row.append(show(summary.values(key, of_test("oracle", "UF"))[:1]))  # no seed changes it
        table.rows.append(row)
    baselines = {context.short(name) for name, parser in context.grid.parsers.items() if parser.baseline}
    scores = [i for i in range(1, len(table.columns)) if i % 3]
    bold_best(table, scores, lambda row: row[0] not in baselines)
    return table


def _beyond(context: Context) -> Iterator[str]:
    """For each encoder: the variants and unions that the paper does not have."""
    for encoder, described in context.grid.encoders.items():
        rows = _beyond_rows(context, encoder)
        treebanks = [name for name in context.grid.treebanks if any(key.treebank == name for key in rows)]
        if not treebanks:
            continue
        table = Table(["parser", *(f"{context.treebank(t).title} {f}" for t in treebanks for f in ("UF", "LF", "Δ"))])
        for key in dict.fromkeys(key._replace(treebank="") for key in rows):
            cells = list(_beyond_cells(context, key, treebanks))
            if any(cell != NOTHING for cell in cells):
                table.rows.append([context.row_name(key), *cells])
        blocks = list(
            dict.fromkeys(run.blocks[-1] for run in context.runs if _special(context, run) and run.encoder == encoder)
        )
        command = f"python experiments/run.py --only {' '.join(blocks)}{context.with_encoder(encoder)}"
        yield section(f"### {described.title}", table, command, "Δ is the difference of LF to biaffine.")


def _special(context: Context, run: Run) -> bool:
    """Whether the main tables, and those of weights, have no room for a run."""
    grid = context.grid
    known = run.parser in grid.main_parsers and (not run.variant or run.variant in grid.main_variants)
    return (bool(run.overrides) or not known) and not weighs(context, run)


def _beyond_rows(context: Context, encoder: str) -> list[Key]:
    """The cells of runs that the main tables have no room for, and of their parsers' others; the baseline's last."""
    special = {(run.parser, run.treebank) for run in context.runs if run.encoder == encoder and _special(context, run)}
    treebanks = {treebank for _, treebank in special}
    parsers, variants = list(context.grid.parsers), ["", *context.grid.variants]
    found = [
        key
        for key in context.wanted
        if key.encoder == encoder
        and key.treebank in treebanks
        and (key.parser in {parser for parser, _ in special} or key.parser == context.baseline)
    ]
    return sorted(found, key=lambda k: (parsers.index(k.parser), variants.index(k.variant), str(k.overrides)))


def _beyond_cells(context: Context, key: Key, treebanks: list[str]) -> Iterator[str]:
    summary = context.summary
    for treebank in treebanks:
        here = key._replace(treebank=treebank)
        base = here._replace(parser=context.baseline, variant="", overrides=())
        ours = {r["seed"]: sdp("LF")(r) for r in summary.cells.get(here, [])}
        theirs = {r["seed"]: sdp("LF")(r) for r in summary.cells.get(base, [])}
        seeds = sorted(ours.keys() & theirs.keys())
        gaps = [(ours[s] or 0.0) - (theirs[s] or 0.0) for s in seeds]
        gap = show(gaps)
        yield summary.show(here, sdp("UF"))
        yield summary.show(here, sdp("LF")) + summary.mark(here, context.baseline)
        yield NOTHING if here == base or not gaps else ("+" if not gap.startswith("-") else "") + gap
