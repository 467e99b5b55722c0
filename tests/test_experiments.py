"""The experiment scripts: the grid, the runner, the result files, the report and its pictures."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arctag.encodings import encoding, standard_names
from arctag.errors import InputError, UnknownName
from arctag.metrics import compare
from arctag.metrics.sdp import METRIC
from tests.places import ROOT, SAMPLES

SCRIPTS = ROOT / "experiments"
sys.path.insert(0, str(SCRIPTS))  # as it is when one of the scripts is run

context: Any = import_module("harness.context")
energy: Any = import_module("harness.energy")
estimate: Any = import_module("harness.estimate")
grids: Any = import_module("harness.grid")
main_page: Any = import_module("harness.main_page")
axes: Any = import_module("harness.plots.axes")
lines: Any = import_module("harness.plots.lines")
oracle: Any = import_module("harness.oracle")
packing: Any = import_module("harness.packing")
pareto: Any = import_module("harness.plots.pareto")
places: Any = import_module("harness.plots.places")
room: Any = import_module("harness.room")
schedule: Any = import_module("harness.schedule")
store: Any = import_module("harness.store")
summaries: Any = import_module("harness.summary")
timing: Any = import_module("harness.timing")

TINY = """
startup_seconds = 1

[treebanks.sample]
title = "Sample"
group = "Samples"
size = "tiny"
train = "sample.conllu"
dev = "sample.conllu"
test = "sample.conllu"
also = { sdp = "sample.sdp" }

[parsers]
bits6-4 = { short = "B6_4", encoding = "bits6-4" }
absolute = { short = "A", encoding = "absolute" }
relative = { short = "R", encoding = "relative" }
biaffine = { short = "Biaf", encoding = "biaffine", baseline = true }

[variants]
plain = { title = "plain", set = { verify = false, arc_scorer = false, relation_head = "concat" } }
verified = { title = "verified", set = {} }

[encoders]
bilstm = { title = "BiLSTM", encoder = "bilstm" }
large = { title = "Large" }

[settings.bilstm]
all = { size = 8, layers = 1, word_size = 8, chars = false, tag_hidden = 8, arc_hidden = 8, seconds_per_mb = 1 }
tiny = { epochs = 2, batch_tokens = 100, learning_rate = 0.02, tokenizer = false }

[lists]
two = ["bits6-4", "biaffine"]

[[blocks]]
name = "main"
treebanks = ["sample"]
parsers = ["@two"]
variants = ["plain", "verified"]
encoders = ["bilstm"]
seeds = [0]

[[blocks]]
name = "broken"
treebanks = ["sample"]
parsers = ["bits6-4"]
variants = ["plain"]
encoders = ["bilstm"]
seeds = [0]
set = { vectors = "nowhere.txt" }

[[blocks]]
name = "elsewhere"
treebanks = ["sample"]
parsers = ["bits6-4"]
variants = ["plain"]
encoders = ["large"]
seeds = [0]

[[blocks]]
name = "endless"
treebanks = ["sample"]
parsers = ["bits6-4"]
variants = ["plain"]
encoders = ["bilstm"]
seeds = [0]
set = { epochs = 100000, patience = 100000 }

[[speed]]
name = "speed"
treebanks = ["sample"]
parsers = ["biaffine"]
variants = ["plain"]
encoders = ["bilstm"]
seeds = [0]

[[lengths]]
name = "lengths"
treebanks = ["sample"]
parsers = ["bits6-4"]
variants = ["verified"]
encoders = ["bilstm"]
seeds = [0]

[[energy]]
name = "energy"
treebanks = ["sample"]
parsers = ["biaffine"]
variants = ["plain"]
encoders = ["bilstm"]
seeds = [0]
set = { epochs = 3 }

[report]
parsers = ["absolute", "relative", "@two"]
variants = ["plain", "verified"]
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    return path


def changed(path: Path, *changes: tuple[str, str]) -> Path:
    """A grid file with some of its text replaced."""
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def script(name: str, *arguments: str | Path, folder: Path) -> list[str]:
    """A command line for the tiny grid in a folder."""
    options = ["--grid", folder / "tiny.toml", "--results", folder / "results"]
    if name != "report.py":
        options += ["--data", SAMPLES, "--device", "cpu"]
    return [sys.executable, str(SCRIPTS / name), *map(str, [*options, *arguments])]


def call(name: str, *arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(script(name, *arguments, folder=folder), capture_output=True, text=True, timeout=300)


# The grid


def test_experiments_grid_has_every_run_once() -> None:
    grid = grids.read_grid(SCRIPTS / "grid.toml")
    runs = grid.runs()
    assert len({run.id for run in runs}) == len(runs)
    sizes = {block.name: sum(block.name in run.blocks for run in runs) for block in grid.blocks}
    taggers, treebanks = len(standard_names()), len(grid.treebanks)
    assert sizes["paper-bilstm"] == treebanks * (taggers + 1)
    assert sizes["paper-minilm"] == 3 * (taggers + 1)
    assert sizes["beyond-bilstm"] == 3 * 10
    ids = {run.id for run in runs}
    assert {"iwpt_ta--absolute--plain--bilstm--s0", "dm_wescience--biaffine--minilm--s2"} <= ids
    assert {"dm_wescience--union-3--vote--minilm--s0", "en_ewt--bits6-4--best-planes--bilstm--s0"} <= ids
    assert not any("--biaffine--plain" in name for name in ids)
    measured = {run.id for run in grid.runs([*grid.speed, *grid.lengths])}
    assert measured <= ids  # only a model that is trained can be timed


def test_experiments_grid_knows_only_real_encodings() -> None:
    grid = grids.read_grid(SCRIPTS / "grid.toml")
    taggers = {name: parser for name, parser in grid.parsers.items() if not parser.baseline}
    assert {encoding(part).name for parser in taggers.values() for part in parser.encoding.split(",")} <= set(
        standard_names()
    )
    assert set(standard_names()) <= taggers.keys()
    for name in standard_names():  # the short name is one that the package takes too
        assert encoding(grid.parsers[name].short).name == name == grid.parsers[name].encoding


def test_experiments_grid_settings_come_from_encoder_size_variant_and_block(tiny: Path) -> None:
    grid = grids.read_grid(tiny)
    runs = {run.id: run for run in grid.runs()}
    plain = runs["sample--bits6-4--plain--bilstm--s0"]
    assert (plain.keys["size"], plain.keys["epochs"], plain.keys["verify"]) == (8, 2, False)
    assert "seconds_per_mb" not in plain.keys
    endless = runs["sample--bits6-4--plain--bilstm--s0--epochs=100000--patience=100000"]
    assert endless.keys["epochs"] == 100000
    assert endless.fingerprint != plain.fingerprint
    assert "verify" not in runs["sample--biaffine--bilstm--s0"].keys


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"@two"', '"@three"', "unknown list"),
        ('parsers = ["bits6-4"]', 'parsers = ["bits6-5"]', "Did you mean 'bits6-4'"),
        ('encoding = "bits6-4" }', 'encoding = "bit6-4" }', "unknown encoding 'bit6-4'"),
        ("tag_hidden = 8", "tag_hiden = 8", "unknown key"),
        ('size = "tiny"', 'sise = "tiny"', "unknown key"),
        ('title = "Sample"\n', "", "missing 1 required"),
        ("[encoders]", "[encoders]\n'a/b' = { title = 'x' }", "the name 'a/b'"),
        ("startup_seconds", "startup", "unknown key"),
        ("seeds = [0]", "seeds = 0", "seeds must be a list of whole numbers"),
        ("seeds = [0]", "seeds = ['a']", "seeds must be a list of whole numbers"),
        ('treebanks = ["sample"]', "treebanks = 3", "a list of names was expected"),
    ],
)
def test_experiments_grid_mistakes_are_told(tiny: Path, old: str, new: str, message: str) -> None:
    changed(tiny, (old, new))
    with pytest.raises((InputError, UnknownName), match=re.escape(message)):
        grids.read_grid(tiny).runs()


def test_experiments_grid_same_run_in_two_blocks_is_one(tiny: Path) -> None:
    changed(tiny, ('name = "broken"', 'name = "main-again"'), ('set = { vectors = "nowhere.txt" }\n', ""))
    assert grids.read_grid(tiny).runs()[0].blocks == ("main", "main-again")


def test_experiments_grid_two_runs_of_one_name_are_refused(tiny: Path) -> None:
    changed(tiny, ('"nowhere.txt"', '"a/b"'), ("epochs = 100000, patience = 100000", 'vectors = "a:b"'))
    with pytest.raises(InputError, match="blocks broken and endless differ"):
        grids.read_grid(tiny).runs()


def test_experiments_grid_patterns_match_ids_and_blocks(tiny: Path) -> None:
    runs = grids.read_grid(tiny).runs()
    assert {run.id for run in grids.chosen(runs, ["*--biaffine--*"])} == {"sample--biaffine--bilstm--s0"}
    assert len(grids.chosen(runs, ["main"])) == 3
    assert grids.chosen(runs, []) == runs
    assert grids.chosen(runs, ["bits6-4"]) == []


def test_experiments_grid_files_may_be_packed(tmp_path: Path) -> None:
    assert grids.find_file(tmp_path, "test.conllu") is None
    packed = tmp_path / "test.conllu.gz"
    packed.write_bytes(gzip.compress(b"x"))
    assert grids.find_file(tmp_path, "test.conllu") == packed
    plain = tmp_path / "test.conllu"
    plain.write_bytes(b"x")
    assert grids.find_file(tmp_path, "test.conllu") == plain


# What a result holds


def some_counts(sentences: int, right: float, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    gold = np.random.default_rng(7).poisson(17, sentences) + 1
    counts = np.zeros((sentences, len(METRIC.columns)), dtype=np.int64)
    correct = random.binomial(gold, right)
    for column, values in zip(METRIC.headline_columns, (gold, np.maximum(gold + 1, correct), correct), strict=True):
        counts[:, column] = values
    return counts


def test_experiments_packed_counts_give_the_same_comparison() -> None:
    ours, theirs = some_counts(2_000, 0.86), some_counts(2_000, 0.85, seed=1)
    packed = [packing.pack(counts) for counts in (ours, theirs)]
    found = compare(METRIC, packing.unpack(packed[0]), packing.unpack(packed[1]), samples=200)
    assert found == compare(METRIC, ours, theirs, samples=200)
    assert max(map(len, packed)) < 6_000


def test_experiments_packed_counts_refuse_what_does_not_fit() -> None:
    counts = some_counts(3, 0.5)
    counts[0, METRIC.headline_columns[0]] = 40_000
    with pytest.raises(ValueError, match="32,767"):
        packing.pack(counts)


def test_experiments_result_files_are_whole_or_absent(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    whole = {"format": 1, "kind": "run", "id": "a", "environment": {}, "rows": [1, 2]}
    store.write_result(path, whole)
    with pytest.raises(TypeError):
        store.write_result(path, {"format": 1, "rows": object()})
    assert store.read_result(path) == whole
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="not JSON"):
        store.read_results(tmp_path)
    path.write_text('{"format": 1}', encoding="utf-8")
    with pytest.raises(InputError, match="not a result"):
        store.read_results(tmp_path)


def test_experiments_oracle_of_several_encodings(sample: Path) -> None:
    two, three, rest = encoding("bits4-1"), encoding("bits4-2"), encoding("relative")
    narrow, wide = (oracle.oracle(str(sample), [e], "union")["UF"] for e in (two, three))
    assert narrow < wide < 100
    assert oracle.oracle(str(sample), [two, rest], "union")["UF"] == 100
    assert oracle.oracle(str(sample), [two, three, rest], "vote")["UF"] == wide
    assert oracle.oracle(str(sample), [], "union") == {"UF": 100, "LF": 100}


def test_experiments_energy_counters_start_again_when_full(tmp_path: Path) -> None:
    folder = tmp_path / "intel-rapl:0"
    folder.mkdir()
    (tmp_path / "intel-rapl:0:0").mkdir()
    (tmp_path / "intel-rapl:0:0" / "energy_uj").write_text("5")  # a part of the first: not to be counted twice
    (folder / "max_energy_range_uj").write_text("10000000")
    (folder / "energy_uj").write_text("9000000")
    meter = energy.Processor.start(tmp_path)
    (folder / "energy_uj").write_text("9500000")
    assert meter.joules() == 0.5
    (folder / "energy_uj").write_text("1500000")
    assert meter.joules() == 2.5
    assert energy.Processor.start(tmp_path / "nowhere") is None


# Running


class Book:
    """Starts sleeping processes and writes down what happened."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds
        self.started: list[str] = []
        self.ended: list[tuple[str, int]] = []
        self.most = 0
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, job: str) -> subprocess.Popen[bytes]:
        self.started.append(job)
        command = ["false"] if job == "bad" else ["sleep", str(self.seconds[job])]
        self.processes.append(subprocess.Popen(command))
        self.most = max(self.most, len(self.started) - len(self.ended))
        return self.processes[-1]

    def end(self, job: str, code: int, seconds: float) -> None:
        self.ended.append((job, code))

    def run(self, estimate: Callable[[str], float], processes: int, limit: float = 60) -> list[str]:
        made = schedule.Schedule(self.start, self.end, estimate, processes, limit)
        left: list[str] = made.run(list(self.seconds))
        assert all(process.poll() is not None for process in self.processes)
        return left


def test_experiments_schedule_longest_first_and_side_by_side() -> None:
    book = Book({"short": 0.1, "long": 0.6, "middle": 0.3, "bad": 0.0})
    assert book.run(book.seconds.__getitem__, processes=2) == []
    assert book.started == ["long", "middle", "short", "bad"]
    assert book.most == 2
    assert sorted(book.ended) == [("bad", 1), ("long", 0), ("middle", 0), ("short", 0)]


def test_experiments_schedule_keeps_to_the_limit() -> None:
    book = Book({"endless": 1000.0, "short": 0.1, "never": 1000.0})
    guesses = {"endless": 0.02, "short": 0.01, "never": 1000.0}  # the first takes longer than thought
    left = book.run(guesses.__getitem__, processes=1, limit=2.0)
    assert left == ["endless", "short", "never"]
    assert (book.started, book.ended) == (["endless"], [])
    assert book.processes[0].returncode == -signal.SIGKILL


def test_experiments_schedule_leaves_no_process_behind() -> None:
    book = Book({"long": 100.0, "short": 0.1})

    def fail(*_: object) -> None:
        raise RuntimeError("somebody's mistake")

    made = schedule.Schedule(book.start, fail, book.seconds.__getitem__, 2)
    with pytest.raises(RuntimeError, match="mistake"):
        made.run(list(book.seconds))
    assert all(process.poll() is not None for process in book.processes)


def test_experiments_estimates_learn_from_runs_like_these(tiny: Path) -> None:
    grid = grids.read_grid(tiny)
    run = grid.runs()[0]
    made = estimate.Estimates(grid, SAMPLES, "here, 1 cores", 2)
    guess = made.seconds(run)
    work = estimate.work(grid, run, SAMPLES)
    assert guess == pytest.approx(1 + work)
    result = {
        "environment": {"gpu": None, "processor": "here", "cores": 1}, "beside": 2, "treebank": "sample",
        "encoder": "bilstm", "seconds": {"total": 21.0, "work": 10.0},
    }  # fmt: skip
    made.learn([{**result, "beside": 1}, {**result, "environment": {"gpu": "other"}}])
    assert made.seconds(run) == guess
    made.learn([result])
    assert made.seconds(run) == pytest.approx(1 + 2 * work)


@pytest.mark.parametrize(
    ("device", "cores", "memory", "gpu", "runs"),
    [
        ("", 16, 120_000, "139000", 16),  # a core each
        ("", 16, 33_000, "139000", 8),  # memory is short
        ("", 16, 120_000, "24000", 3),  # or that of the GPU
        ("cpu", 16, 120_000, "24000", 16),  # which does not matter to those that are not on it
        ("", 4, None, None, 4),  # what is not told is no limit
        ("", 8, 1_000, "[N/A]", 1),  # one at least
    ],
)
def test_experiments_run_uses_the_room_there_is(
    monkeypatch: pytest.MonkeyPatch, device: str, cores: int, memory: int | None, gpu: str | None, runs: int
) -> None:
    monkeypatch.setattr(room, "usable_cores", lambda: cores)
    monkeypatch.setattr(room, "_free_memory", lambda: memory)
    monkeypatch.setattr(room, "ask_gpu", lambda _: gpu)
    assert room.room(device) == runs


def test_experiments_room_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= room.room("") <= (os.cpu_count() or 1)
    monkeypatch.setattr(room, "_MEMORY", tmp_path / "meminfo")
    assert room._free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal:       9000000 kB\nMemFree:    1000 kB\nMemAvailable:    4321000 kB\n")
    assert room._free_memory() == 4321


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which some runs were made and one failed, then the same command again with one more."""
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("experiments")
    (folder / "tiny.toml").write_text(TINY, encoding="utf-8")
    several: list[str | Path] = ["--processes", "2", "--keep", folder / "models"]
    done = call("run.py", "--only", "*--bits6-4--verified--*", "broken", "elsewhere", *several, folder=folder)
    (folder / "first.txt").write_text(done.stdout + done.stderr)
    assert done.returncode == 1
    kept = folder / "results" / "sample--bits6-4--verified--bilstm--s0.json"
    os.utime(kept, (1, 1))
    done = call("run.py", "--only", "main", *several, folder=folder)
    (folder / "second.txt").write_text(done.stdout + done.stderr)
    assert done.returncode == 0
    assert kept.stat().st_mtime == 1  # it was not made again
    return folder


def test_experiments_run_makes_what_is_missing(ran: Path) -> None:
    names = sorted(path.name for path in (ran / "results").glob("*.json"))
    assert names == [
        "sample--biaffine--bilstm--s0.json",
        "sample--bits6-4--plain--bilstm--s0.json",
        "sample--bits6-4--verified--bilstm--s0.json",
    ]
    first, second = ((ran / f"{name}.txt").read_text() for name in ("first", "second"))
    assert "3 runs: 2 missing, 1 no encoder" in first
    assert "--encoders NAME=FOLDER" in first
    assert "3 runs: 2 missing, 1 done" in second
    assert second.count("\ndone ") == 2


def test_experiments_run_that_fails_leaves_its_reason(ran: Path) -> None:
    errors = list((ran / "results").glob("*.error.txt"))
    assert [path.name for path in errors] == ["sample--bits6-4--plain--bilstm--s0--vectors=nowhere.txt.error.txt"]
    assert "cannot read nowhere.txt" in errors[0].read_text(encoding="utf-8")


def test_experiments_result_has_everything(ran: Path) -> None:
    path = ran / "results" / "sample--bits6-4--verified--bilstm--s0.json"
    assert path.stat().st_size < 20_000
    assert str(ran.parent) not in path.read_text(encoding="utf-8")
    result = store.read_result(path)
    assert (result["treebank"], result["parser"], result["variant"]) == ("sample", "bits6-4", "verified")
    assert (result["encoder"], result["seed"], result["block"], result["beside"]) == ("bilstm", 0, "main", 2)
    assert result["config"]["train"] == ["sample.conllu"]
    assert (result["config"]["epochs"], result["config"]["relations"]) == (2, "product")
    assert {"processor", "gpu", "torch", "transformers", "python", "arctag"} <= result["environment"].keys()
    assert result["model"]["parameters"] > 0
    assert result["model"]["labels"].keys() == {"bits6-4"}
    assert len(result["curve"]["rows"]) == 2
    assert len(result["curve"]["rows"][0]) == len(result["curve"]["columns"])
    test = result["tests"]["test"]
    assert {"UF", "LF", "UM", "LM"} <= test["sdp"]["including_tops"].keys() & test["sdp"]["excluding_tops"].keys()
    assert test["elas"].keys() == {"ELAS", "EULAS"}
    assert test["oracle"]["UF"] == 100
    assert {"tag_accuracy", "well_formed_percent", "by_planes", "by_cyclic", "tokens_per_s"} <= test.keys()
    assert "elas" not in result["tests"]["sdp"]
    counts = packing.unpack(test["counts"])
    assert len(counts) == test["sentences"]
    exact = float(METRIC.headline_values(counts.sum(axis=0, dtype=np.float64)))
    assert exact == pytest.approx(test["sdp"]["including_tops"]["LF"] or 0.0, abs=1e-6)


def test_experiments_run_lists_without_running(ran: Path) -> None:
    done = call("run.py", "--list", folder=ran)
    states = re.findall(r"^(\w[\w ]*?)  .*(sample--\S+)", done.stdout, re.M)
    assert sorted(state for state, _ in states) == ["done", "done", "done", "failed", "missing", "no encoder"]
    # what failed is tried again: it has an estimate
    assert re.search(r"^failed +\d+ s  .*--vectors=nowhere.txt", done.stdout, re.M)


def test_experiments_run_outdated_results_stay_unless_asked(ran: Path, tmp_path: Path) -> None:
    grid = changed(Path(shutil.copy(ran / "tiny.toml", tmp_path)), ("epochs = 2", "epochs = 3"))
    options: list[str | Path] = ["--results", ran / "results", "--only", "main", "--list"]
    kept = call("run.py", *options, folder=grid.parent)
    assert "3 runs: 3 other settings; about 0 s" in kept.stdout
    again = call("run.py", *options, "--again", folder=grid.parent)
    assert "3 other settings; about 0 s" not in again.stdout


def test_experiments_run_starts_nothing_beyond_the_limit(tiny: Path) -> None:
    done = call("run.py", "--only", "main", "--limit", "0.5", folder=tiny.parent)
    assert "3 not done within 0 s" in done.stdout or "3 not done within 1 s" in done.stdout
    assert done.returncode == 0
    assert list((tiny.parent / "results").iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--only", "nothing"], "no run matches 'nothing'"),
        (["--encoders", "huge=."], "NAME one of bilstm, large"),
        (["--encoders", "large=nowhere"], "there is no folder nowhere"),
        (["--processes", "0"], "--processes must be at least 1"),
        (["--epochs", "0", "--results", "other"], "--epochs must be at least 1"),
        (["--data", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_experiments_run_mistakes_are_one_line(tiny: Path, arguments: list[str], message: str) -> None:
    done = call("run.py", *arguments, folder=tiny.parent)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def running(pid: int) -> bool:
    """Whether a process is there, and not just waiting to be counted."""
    try:
        return not re.search(r"\) [ZX] ", Path(f"/proc/{pid}/stat").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return False


def descendants(pid: int) -> list[int]:
    children = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*children, *(below for child in children for below in descendants(child))]


def wait_for(ready: Callable[[], Any], seconds: float = 120) -> Any:
    end = time.monotonic() + seconds
    while not (found := ready()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.full)])
def test_experiments_run_killed_leaves_nothing_running(tiny: Path, how: signal.Signals) -> None:
    pytest.importorskip("torch")
    scratch = tiny.parent / "scratch"
    scratch.mkdir()
    command = script("run.py", "--only", "endless", "--scratch", scratch, folder=tiny.parent)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner:
        wait_for(lambda: list(scratch.rglob("train.jsonl")))  # an epoch is done
        children = descendants(runner.pid)
        runner.send_signal(how)
        runner.wait(60)
    wait_for(lambda: not any(map(running, children)))
    assert len(children) >= 2  # the server, and the run that it forked
    assert list((tiny.parent / "results").iterdir()) == []
    if how == signal.SIGTERM:
        assert runner.returncode == 130
        assert list(scratch.iterdir()) == []


def test_experiments_speed_measures_kept_models_and_remembers(ran: Path, tmp_path: Path) -> None:
    options: list[str | Path] = ["--results", tmp_path, "--words", "300", "--sentences", "3", "--lengths", "5", "30"]
    done = call("speed.py", ran / "models", *options, folder=ran)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("2 to measure")
    found = {result["kind"]: result for result in store.read_results(tmp_path)}
    assert found.keys() == {"speed", "lengths"}
    assert found["speed"]["tokens"] >= 300
    assert 0 < found["speed"]["tokens_per_s"] < 1e7  # more would mean that nothing was parsed
    assert found["speed"]["best_epoch"] >= 1
    assert found["lengths"]["sentences"] == 3
    rows = found["lengths"]["rows"]
    assert [row["length"] for row in rows] == [5, 30]
    assert all(row["microseconds_per_word"] > 0 for row in rows)
    again = call("speed.py", ran / "models", *options, "--list", folder=ran)
    assert again.stdout.endswith("2 done\n")
    elsewhere = call("speed.py", tmp_path, "--results", tmp_path / "none", folder=ran)
    assert elsewhere.stdout.startswith("2 no model\nmodels that are not there: run.py --keep")
    assert "there is no folder" in call("speed.py", tmp_path / "typo", folder=ran).stderr
    assert "--words must be more than 0" in call("speed.py", tmp_path, "--words", "0", folder=ran).stderr


def test_experiments_speeds_are_taken_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    works = {name: (lambda name=name: order.append(name), 10) for name in ("one", "other")}
    monkeypatch.setattr(timing, "_work", lambda parser, *_: works[parser])
    found = timing.speeds(["one", "other"], [], 10, 10, 0.0)
    assert order == ["one", "other"] * 6  # once to warm up
    assert [row["turns"] for row in found] == [5, 5]


def test_experiments_choices_are_tried_and_told(ran: Path, tmp_path: Path) -> None:
    def choose(model: str | Path, file: str) -> subprocess.CompletedProcess[str]:
        command = [SCRIPTS / "choices.py", model, file, "--data", SAMPLES, "--results", tmp_path]
        return subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=300)

    done = choose("en", "sample.conllu")
    assert done.returncode == 0, done.stdout + done.stderr
    (result,) = store.read_results(tmp_path)
    reachable = [row["reachable"] for row in result["candidates"]]
    per_word = [row["candidates_per_word"] for row in result["candidates"]]
    assert (reachable[0], per_word[0]) == (min(reachable), min(per_word))
    assert max(per_word) > per_word[0]  # second labels propose arcs that the best ones do not
    recalls = [row["UR"] for row in result["thresholds"]]
    assert recalls == sorted(recalls, reverse=True)
    page = main_page.main_page(made_context(grids.read_grid(ran / "tiny.toml"), [result], tmp_path), "")
    assert page.count(" (chosen) |") == 2
    assert "none.conllu is not in" in choose("en", "none.conllu").stderr
    assert "does not verify arcs" in choose(ran / "models" / "sample--biaffine--bilstm--s0", "sample.conllu").stderr


def test_experiments_energy_is_told_or_the_reason(ran: Path, tmp_path: Path) -> None:
    done = call("energy.py", "--results", tmp_path, folder=ran)
    assert done.returncode == 0, done.stdout + done.stderr
    (result,) = store.read_results(tmp_path)
    assert (result["kind"], result["parser"]) == ("energy", "biaffine")
    assert result["seconds_per_epoch"] > 0
    assert (result["joules_per_epoch"] is None) == (result["reason"] is not None)


# The report


def test_experiments_report_of_real_runs(ran: Path) -> None:
    findings = ran / "findings.md"
    findings.write_text("It **works**.\n", encoding="utf-8")
    done = call("report.py", "--findings", findings, "--out", ran / "docs" / "pages.md", "--samples", "50", folder=ran)
    assert done.returncode == 0, done.stderr
    page = (ran / "docs" / "pages.md").read_text(encoding="utf-8")
    assert "It **works**." in page
    table = page.split("### Samples, BiLSTM: verified")[1].split("###")[0]
    rows = {row.split(" | ")[0].strip("| "): row for row in table.splitlines() if row.startswith("|")}
    assert rows.keys() == {"parser", "---", "bits6-4 (B6_4)", "biaffine (Biaf)"}
    result = store.read_result(ran / "results" / "sample--biaffine--bilstm--s0.json")
    figures = result["tests"]["test"]["sdp"]["including_tops"]
    assert f"{100 * (figures['LF'] or 0):.2f}" in rows["biaffine (Biaf)"]
    assert "python experiments/run.py --only '*--verified--bilstm--*'" in table
    appendix = (ran / "docs" / "pages" / "appendix.md").read_text(encoding="utf-8")
    for heading in ("Exact match", "Tagging", "By number of planes", "Sentences with cycles", "ELAS", "Labels",
                    "Other test files", "Parameters", "Training time", "Energy"):  # fmt: skip
        assert f"## {heading}\n" in appendix
    assert "2 runs side by side on the machine" in appendix


@pytest.mark.parametrize(
    ("option", "message"),
    [("--grid", "nowhere"), ("--results", "there are no results in"), ("--findings", "cannot be read")],
)
def test_experiments_report_touches_nothing_if_something_is_missing(
    ran: Path, tmp_path: Path, option: str, message: str
) -> None:
    old = [tmp_path / "pages.md", tmp_path / "pages" / "old.svg"]
    for path in old:
        path.parent.mkdir(exist_ok=True)
        path.write_text("kept", encoding="utf-8")
    done = call("report.py", option, tmp_path / "nowhere", "--out", old[0], folder=ran)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr
    assert [path.read_text(encoding="utf-8") for path in old] == ["kept", "kept"]


def test_experiments_compare_two_cells(ran: Path) -> None:
    one, other = "sample--bits6-4--plain--bilstm", "sample--biaffine--bilstm"
    results = ["--results", str(ran / "results")]
    done = subprocess.run(
        [sys.executable, SCRIPTS / "compare.py", one, other, *results, "--samples", "50"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert [line.split(":")[0] for line in done.stdout.splitlines()[:2]] == [one, other]
    assert re.search(r"difference of LF [+-]\d+\.\d\d, p [=<] \S+ \(seeds 0\)\n$", done.stdout)
    for cells, message in (([one, "sample--biafine"], f"near it: {other}"), ([one, other, "--test", "x"], "on 'x'")):
        done = subprocess.run(
            [sys.executable, SCRIPTS / "compare.py", *cells, *results], capture_output=True, text=True
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert message in done.stderr


def test_experiments_run_for_fewer_epochs_wants_a_folder_of_its_own(tiny: Path) -> None:
    grid = ["--grid", str(tiny), "--only", "main", "--epochs", "1", "--list"]
    refused = subprocess.run([sys.executable, SCRIPTS / "run.py", *grid], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "give a folder of their own with --results" in refused.stderr
    pytest.importorskip("torch")
    done = call("run.py", "--only", "*--bits6-4--plain--bilstm--s0", "--epochs", "1", folder=tiny.parent)
    assert done.returncode == 0, done.stderr
    made = store.read_result(tiny.parent / "results" / "sample--bits6-4--plain--bilstm--s0.json")
    assert made["config"]["epochs"] == 1
    listed = call("run.py", "--only", "*--bits6-4--plain--bilstm--s0", "--list", folder=tiny.parent)
    assert listed.stdout.startswith("other settings")


def fake(run: Any, right: float, seed: int = 0, sentences: int = 400) -> dict[str, Any]:
    """A result like those that runs leave, of a parser that gets so much right."""
    counts = some_counts(sentences, right, seed)
    lf = float(METRIC.headline_values(counts.sum(axis=0, dtype=np.float64)))
    figures = dict.fromkeys(("UF", "LF", "UM", "LM", "UP", "UR", "LP", "LR"), lf)
    return {
        "format": 1, "kind": "run", "id": run.id, "treebank": run.treebank, "parser": run.parser,
        "variant": run.variant, "encoder": run.encoder, "seed": run.seed, "overrides": dict(run.overrides),
        "fingerprint": run.fingerprint,
        "config": {"tag_head": "softmax", "planes": "greedy", "min_label_count": 1, "epochs": 20},
        "environment": {"gpu": "A GPU"}, "beside": 1,
        "tests": {"test": {"sdp": {"including_tops": figures, "excluding_tops": figures}, "by_planes": {},
                           "oracle": {"UF": 99.5, "LF": 99.5}, "counts": packing.pack(counts)}},
    }  # fmt: skip


def fake_speed(run: Any, speed: int, epoch: int = 20) -> dict[str, Any]:
    about = {key: value for key, value in fake(run, 0.5).items() if key not in ("tests", "fingerprint")}
    return {**about, "kind": "speed", "tokens_per_s": speed, "best_epoch": epoch}


def made_context(grid: Any, results: list[dict[str, Any]], folder: Path) -> Any:
    return context.Context(grid, results, 200, folder / "pages")


def test_experiments_report_marks_differences_and_dashes(tiny: Path) -> None:
    changed(
        tiny, ('parsers = ["@two"]', 'parsers = ["absolute", "relative", "@two"]'), ("seeds = [0]", "seeds = [0, 1]")
    )
    grid = grids.read_grid(tiny)
    runs = {run.id: run for run in grid.runs()}
    results = [
        fake(runs["sample--relative--plain--bilstm--s0"], 0.60),
        fake(runs["sample--bits6-4--plain--bilstm--s0"], 0.80, 1),
        fake(runs["sample--bits6-4--plain--bilstm--s1"], 0.80, 2),
        fake(runs["sample--bits6-4--verified--bilstm--s0"], 0.951, 3),
        fake(runs["sample--biaffine--bilstm--s0"], 0.90, 4),
        fake(runs["sample--biaffine--bilstm--s1"], 0.90, 5),
    ]
    made = made_context(grid, results, tiny.parent)
    plain = {row[0]: row[1:] for row in main_page.main_table(made, ["sample"], "plain", "bilstm").rows}
    assert re.fullmatch(r"\*\*\d\d\.\d\d ±\d\.\d\d ↓\*\*", plain["bits6-4 (B6_4)"][1])
    assert plain["bits6-4 (B6_4)"][2] == "99.50"
    assert re.fullmatch(r"\d\d\.\d\d ↓", plain["relative (R)"][1])
    assert plain["absolute (A)"] == ["–", "–", "–"]
    assert re.fullmatch(r"\d\d\.\d\d ±\d\.\d\d", plain["biaffine (Biaf)"][1])
    verified = {row[0]: row[1:] for row in main_page.main_table(made, ["sample"], "verified", "bilstm").rows}
    assert verified["bits6-4 (B6_4)"][1].endswith(" ↑")
    page = main_page.main_page(made, "")
    assert "Not run yet." in page  # the other encoder


WEIGHTED = (
    ('verified = { title = "verified", set = {} }', 'verified = { title = "verified", set = {} }\n'
     'single = { title = "once", set = { relation_weight = 1.0 } }'),
    ('variants = ["plain", "verified"]\nencoders', 'variants = ["plain", "verified", "single"]\nencoders'),
    ('set = { vectors = "nowhere.txt" }', 'set = { vectors = "nowhere.txt" }\n\n[[blocks]]\nname = "double"\n'
     'treebanks = ["sample"]\nparsers = ["biaffine"]\nvariants = ["plain"]\nencoders = ["bilstm"]\nseeds = [0]\n'
     'set = { relation_weight = 2.0 }'),
    ("[report]", '[report]\nweights = { once = "single", double = "verified", baseline = { relation_weight = 2.0 } }'),
)  # fmt: skip


def test_experiments_report_shows_what_double_weight_brings(tiny: Path) -> None:
    changed(tiny, *WEIGHTED)
    grid = grids.read_grid(tiny)
    runs = {run.id: run for run in grid.runs()}
    results = [
        fake(runs["sample--bits6-4--single--bilstm--s0"], 0.60, 1),
        fake(runs["sample--bits6-4--verified--bilstm--s0"], 0.90, 2),
        fake(runs["sample--biaffine--bilstm--s0"], 0.80, 3),
    ]
    page = main_page.main_page(made_context(grid, results, tiny.parent), "")
    title, _, rest = page.partition("### How much relations count: BiLSTM")
    assert rest
    assert "`python experiments/run.py --only double`" in rest
    columns, row = [line.strip("| ").split(" | ") for line in rest.splitlines() if line.startswith("|")][::2]
    assert columns == ["treebank", "bits6-4 once", "bits6-4 double", "biaffine once", "biaffine double"]
    assert re.fullmatch(r"\d\d\.\d\d ↑", row[2])
    assert row[4] == "–"
    assert "relation_weight = 2.0" not in title  # no table of its own beyond the paper


def test_experiments_grid_refuses_unknown_variants_to_weigh(tiny: Path) -> None:
    changed(tiny, ("[report]", '[report]\nweights = { once = "twice", double = "verified", baseline = {} }'))
    with pytest.raises(UnknownName, match="twice"):
        grids.read_grid(tiny)


def test_experiments_report_tells_of_outdated_results(tiny: Path) -> None:
    grid = grids.read_grid(tiny)
    old = {**fake(grid.runs()[0], 0.8), "fingerprint": "another"}
    assert f"other settings than the grid has now: {old['id']}" in main_page.main_page(
        made_context(grid, [old], tiny.parent), ""
    )


def test_experiments_report_draws_fronts_with_the_machine_beside(tiny: Path) -> None:
    grid = grids.read_grid(tiny)
    runs = {run.id: run for run in grid.runs()}
    names = ["sample--bits6-4--plain--bilstm--s0", "sample--biaffine--bilstm--s0"]
    results = [fake(runs[name], 0.8 + 0.1 * k) for k, name in enumerate(names)]
    results += [fake_speed(runs[name], 900 - 100 * k) for k, name in enumerate(names)]
    page = main_page.main_page(made_context(grid, results, tiny.parent), "")
    assert "### Sample, A GPU" in page
    assert "### BiLSTM, A GPU" in page
    pictures = re.findall(r"!\[[^]]*\]\(([^)]*\.svg)\)", page)
    assert len(pictures) == 2
    for name in pictures:
        words = "".join(ElementTree.fromstring((tiny.parent / name).read_text(encoding="utf-8")).itertext())
        assert "A GPU" in words
        assert "B64" in words  # the 4 is set as a subscript


def test_experiments_report_marks_speeds_of_models_made_to_be_timed(tiny: Path) -> None:
    changed(tiny, ("seeds = [0]", "seeds = [0, 1]"))
    grid = grids.read_grid(tiny)
    runs = {run.id: run for run in grid.runs()}
    plain, other, baseline = (
        runs[f"sample--{name}"]
        for name in ("bits6-4--plain--bilstm--s0", "bits6-4--plain--bilstm--s1", "biaffine--bilstm--s0")
    )
    results = [fake(plain, 0.8), fake(baseline, 0.8), fake_speed(plain, 900, 4), fake_speed(baseline, 700, 15)]
    page = main_page.main_page(made_context(grid, results, tiny.parent), "")
    assert "| 900° |" in page
    assert "| 700 |" in page
    better = main_page.main_page(made_context(grid, [*results, fake_speed(other, 850, 19)], tiny.parent), "")
    assert "| 850 |" in better  # the model that was trained longest
    assert "900" not in better


def test_experiments_report_tells_speeds_of_other_networks_apart(tiny: Path) -> None:
    grid = grids.read_grid(tiny)
    run = next(run for run in grid.runs() if run.id == "sample--bits6-4--plain--bilstm--s0")
    smaller = {**fake_speed(run, 950), "overrides": {"layers": 0}}
    heavier = {**fake_speed(run, 900, 19), "overrides": {"relation_weight": 2.0}}
    page = main_page.main_page(
        made_context(grid, [fake(run, 0.8), fake_speed(run, 910), smaller, heavier], tiny.parent), ""
    )
    assert "| bits6-4 (B6_4), plain | 910 |" in page
    assert "| bits6-4 (B6_4), plain, layers = 0 | 950 |" in page
    assert "| 900 |" not in page  # the same network, trained in another way


def point(speed: float, score: float, **changes: Any) -> Any:
    given = {"label": "B_2", "variant": "plain", "family": "B", "encoder": "E", "filled": True, **changes}
    return pareto.Point(speed, score, **given)


def test_experiments_front_is_what_nobody_beats() -> None:
    points = [point(10, 90), point(20, 80), point(15, 85), point(12, 84), point(20, 79), point(5, 90)]
    assert [(p.speed, p.score) for p in pareto.front(points)] == [(10, 90), (15, 85), (20, 80)]
    slow = {
        (p.speed, p.score)
        for p in points
        if not any(
            (q.speed >= p.speed and q.score >= p.score) and (q.speed, q.score) != (p.speed, p.score) for q in points
        )
    }
    assert {(p.speed, p.score) for p in pareto.front(points)} == slow


def test_experiments_picture_is_sound_and_shows_outliers() -> None:
    points = [point(100 + k, 80 + k, label=f"<{k}&>") for k in range(8)] + [point(50, 20, label="A", filled=False)]
    text = pareto.picture(points, "T <&>", "M", "LF", ["B"], ["E"], ("plain", "verified"))
    words = "".join(ElementTree.fromstring(text).itertext())
    assert "A 20.0 ↓" in words
    assert all(f"<{k}&>" in words for k in range(8))


def test_experiments_labels_do_not_cover_each_other() -> None:
    spots = [(100.0 + 3 * k, 100.0 + 2 * (k % 3)) for k in range(12)]
    frame = places.Box(0, 0, 400, 300)
    boxes = [placed.box for placed in places.place_labels(spots, [(30.0, 12.0)] * 12, frame)]
    assert all(box.inside(frame) for box in boxes)
    assert sum(a.overlap(b) for i, a in enumerate(boxes) for b in boxes[:i]) == 0


@pytest.mark.parametrize(("low", "high", "log"), [(80, 90, False), (0.1, 0.5, False), (10, 5000, True), (3, 4, True)])
def test_experiments_axes_have_round_numbers_inside(low: float, high: float, log: bool) -> None:
    scale = axes.Scale.around([low, high], 0, 100, log)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 10
    assert all(scale.low <= tick <= scale.high and 0 <= scale(tick) <= 100 for tick in ticks)
    assert scale(low) < scale(high)


def test_experiments_lines_are_named() -> None:
    text = lines.picture([lines.Line("B6_4", [(10, 1), (100, 1.2)]), lines.Line("Biaf", [(10, 1), (100, 9)])],
                         "Time", "M", "words", "s")  # fmt: skip
    words = "".join(ElementTree.fromstring(text).itertext())
    assert "B64" in words
    assert "Biaf" in words


def test_experiments_committed_results_fit_the_grid() -> None:
    """Whatever results are kept in the repository: small, readable, of runs that the grid knows."""
    grid = grids.read_grid(SCRIPTS / "grid.toml")
    blocks = {"run": grid.blocks, "speed": grid.speed, "lengths": grid.lengths, "energy": grid.energy}
    known = {(kind, run.id) for kind, some in blocks.items() for run in grid.runs(some)}
    for path in sorted((SCRIPTS / "results").glob("*.json")):
        assert path.stat().st_size <= 20_000, path.name
        result = store.read_result(path)
        assert (result["kind"], result["id"]) in known or result["kind"] == store.CHOICES, (
            path.name
        )  # those are of none
        assert '"/' not in path.read_text(encoding="utf-8"), f"{path.name}: a place on somebody's machine"
