"""A tiny grid, the scripts in this process, and results without training."""

from __future__ import annotations

import io
import os
import runpy
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from harness.grid import Grid, Run, read_grid
from harness.packing import COLUMNS, METRIC, pack
from harness.pages.context import Context
from harness.pages.template import SECTIONS

from arctag.metrics import Counts
from tests.experiments import SCRIPTS
from tests.places import SAMPLES

_BLOCK = """
[[{kind}]]
name = "{name}"
treebanks = ["sample"]
parsers = [{parsers}]
variants = [{variants}]
encoders = ["{encoder}"]
seeds = [0]
{settings}
"""


def block(
    name: str, parsers: str = '"bits6-4"', *, kind: str = "blocks", variants: str = '"plain"', encoder: str = "bilstm",
    settings: str = "",
) -> str:  # fmt: skip
    """A block of the tiny grid; `settings` are what it sets."""
    settings = f"set = {settings}" if settings else ""
    return _BLOCK.format(
        kind=kind, name=name, parsers=parsers, variants=variants, encoder=encoder, settings=settings
    )  # fmt: skip


TINY = f"""
startup_seconds = 1

[treebanks.sample]
title = "Sample"
group = "Samples"
size = "tiny"
train = "sample.conllu"
dev = "sample.conllu"
test = "sample.conllu"
also = {{ sdp = "sample.sdp" }}

[parsers]
bits6-4 = {{ short = "B6_4", encoding = "bits6-4" }}
absolute = {{ short = "A", encoding = "absolute" }}
relative = {{ short = "R", encoding = "relative" }}
biaffine = {{ short = "Biaf", encoding = "biaffine", baseline = true }}

[variants]
plain = {{ title = "plain", set = {{ verify = false, arc_scorer = false, relation_head = "concat" }} }}
verified = {{ title = "verified", set = {{}} }}

[encoders]
bilstm = {{ title = "BiLSTM", encoder = "bilstm" }}
large = {{ title = "Large" }}

[settings.bilstm]
all = {{ size = 8, encoder_layers = 1, word_size = 8, chars = false, tag_hidden = 8, arc_hidden = 8 }}
tiny = {{ epochs = 2, batch_tokens = 100, learning_rate = 0.02, tokenizer = false, seconds_per_mb = 1 }}

[lists]
two = ["bits6-4", "biaffine"]

{block("main", '"@two"', variants='"plain", "verified"')}
{block("broken", settings='{ vectors = "nowhere.txt" }')}
{block("elsewhere", encoder="large")}
{block("endless", settings="{ epochs = 100000, patience = 100000 }")}
{block("speed", '"biaffine"', kind="speed")}
{block("lengths", kind="lengths", variants='"verified"')}
{block("energy", '"biaffine"', kind="energy", settings="{ epochs = 3 }")}
[report]
parsers = ["absolute", "relative", "@two"]
variants = ["plain", "verified"]
"""


def changed(path: Path, *changes: tuple[str, str]) -> Path:
    """A grid file with some of its text replaced."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def runs_by_id(grid: Path) -> tuple[Grid, dict[str, Run]]:
    """A grid, and its runs by their id."""
    read = read_grid(grid)
    return read, {run.id: run for run in read.runs()}


def arguments(name: str, *more: str | Path, folder: Path | None = None) -> list[str]:
    """The arguments of a script, with those for the tiny grid where a folder is given."""
    options: list[str | Path] = []
    if folder is not None:
        options += ["--grid", folder / "tiny.toml", "--results", folder / "results"]
        if name != "report.py":
            options += ["--data", SAMPLES, "--device", "cpu"]
    return [str(SCRIPTS / name), *map(str, [*options, *more])]


def call(name: str, *more: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a script in this process: importing the packages again would take longer than most of what is tested."""
    argv, out, err = arguments(name, *more, folder=folder), io.StringIO(), io.StringIO()
    # a script that trains sets variables for its workers
    with patch.object(sys, "argv", argv), patch.dict(os.environ), redirect_stdout(out), redirect_stderr(err):
        try:
            runpy.run_path(argv[0], run_name="__main__")
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return subprocess.CompletedProcess(argv, code, out.getvalue(), err.getvalue())


def some_counts(sentences: int, right: float, seed: int = 0) -> Counts:
    """Counts of a parser that gets this share of arcs right."""
    random = np.random.default_rng(seed)
    gold = np.random.default_rng(7).poisson(17, sentences) + 1
    counts = np.zeros((sentences, len(METRIC.columns)), dtype=np.int64)
    correct = random.binomial(gold, right)
    for column, values in zip(COLUMNS, (gold, np.maximum(gold + 1, correct), correct), strict=True):
        counts[:, column] = values
    return counts


def lf_of(counts: Counts) -> float:
    """The labelled F score."""
    return float(METRIC.headline.values(counts.sum(axis=0, dtype=np.float64)))


def fake_result(run: Run, right: float, seed: int = 0, sentences: int = 400) -> dict[str, Any]:
    """A result like those of real runs, of a parser that gets this share of arcs right."""
    counts = some_counts(sentences, right, seed)
    figures = dict.fromkeys(("UF", "LF", "UM", "LM", "UP", "UR", "LP", "LR"), lf_of(counts))
    return {
        "format": 1, "kind": "run", "id": run.id, **run.about, "fingerprint": run.fingerprint,
        "config": {"tag_head": "softmax", "planes": "greedy", "min_label_count": 1, "epochs": 20},
        "environment": {"gpu": "A GPU"}, "parallel": 1,
        "tests": {"test": {"sdp": {"including_tops": figures, "excluding_tops": figures}, "by_planes": {},
                           "oracle": {"UF": 99.5, "LF": 99.5}, "counts": pack(counts)}},
    }  # fmt: skip


def fake_speed(run: Run, speed: int, epoch: int = 20) -> dict[str, Any]:
    """A measured speed."""
    about = {key: value for key, value in fake_result(run, 0.5).items() if key not in ("tests", "fingerprint")}
    return {**about, "kind": "speed", "machine": "a-gpu", "tokens_per_s": speed, "best_epoch": epoch}


def context_of(grid: Grid, results: list[dict[str, Any]], folder: Path) -> Context:
    """What pages are filled with."""
    return Context(grid, results, 200, folder / "pages")


def section(name: str, context: Context) -> str:
    """What is inserted into a page under this name."""
    return "".join(SECTIONS[name](context))
