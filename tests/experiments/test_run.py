"""`run.py`: what it trains, what it leaves out, and how it ends."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness import store
from harness.oracle import oracle
from harness.packing import unpack

from arctag.encodings import encoding
from tests.experiments.tools import arguments, call, changed, lf_of


def test_run_trains_what_is_missing(ran: Path) -> None:
    assert [store.name_of(result) for result in store.read_results(ran / "results")] == [
        "sample--biaffine--bilstm--s0",
        "sample--bits6-4--plain--bilstm--s0",
        "sample--bits6-4--verified--bilstm--s0",
    ]
    first, second = ((ran / f"{name}.txt").read_text() for name in ("first", "second"))
    assert "3 runs: 2 missing, 1 no encoder" in first
    assert "--encoders NAME=FOLDER" in first
    assert "3 runs: 2 missing, 1 done" in second
    assert second.count("\ndone ") == 2


def test_run_that_fails_leaves_its_reason(ran: Path) -> None:
    errors = list((ran / "results").glob("*.error.txt"))
    assert [path.name for path in errors] == ["sample--bits6-4--plain--bilstm--s0--vectors=nowhere.txt.error.txt"]
    assert "cannot read nowhere.txt" in errors[0].read_text(encoding="utf-8")


def test_result_has_everything(ran: Path) -> None:
    result = store.find_result(ran / "results", "sample", "sample--bits6-4--verified--bilstm--s0")
    assert result is not None
    text = (ran / "results" / "sample.jsonl").read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) < 20_000
    assert str(ran.parent) not in text
    assert (result["treebank"], result["parser"], result["variant"]) == ("sample", "bits6-4", "verified")
    assert (result["encoder"], result["seed"], result["block"], result["parallel"]) == ("bilstm", 0, "main", 2)
    assert result["config"]["train"] == ["sample.conllu"]
    assert (result["config"]["epochs"], result["config"]["relation_head"]) == (2, "product")
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
    counts = unpack(test["counts"])
    assert len(counts) == test["sentences"]
    assert lf_of(counts) == pytest.approx(test["sdp"]["including_tops"]["LF"] or 0.0, abs=1e-6)


def test_oracle_of_several_encodings(sample: Path) -> None:
    two, three, rest = encoding("bits4-1"), encoding("bits4-2"), encoding("relative")
    narrow, wide = (oracle(str(sample), [e], "union")["UF"] for e in (two, three))
    assert narrow < wide < 100
    assert oracle(str(sample), [two, rest], "union")["UF"] == 100
    assert oracle(str(sample), [two, three, rest], "vote")["UF"] == wide
    assert oracle(str(sample), [], "union") == {"UF": 100, "LF": 100}


def test_run_lists_without_running(ran: Path) -> None:
    done = call("run.py", "--list", folder=ran)
    states = re.findall(r"^(\w[\w ]*?)  .*(sample--\S+)", done.stdout, re.M)
    assert sorted(state for state, _ in states) == ["done", "done", "done", "failed", "missing", "no encoder"]
    # what failed is tried again: it has an estimate
    assert re.search(r"^failed +\d+ s  .*--vectors=nowhere.txt", done.stdout, re.M)


def test_outdated_results_are_kept_unless_asked(ran: Path, tmp_path: Path) -> None:
    grid = changed(Path(shutil.copy(ran / "tiny.toml", tmp_path)), ("epochs = 2", "epochs = 3"))
    options: list[str | Path] = ["--results", ran / "results", "--only", "main", "--list"]
    kept = call("run.py", *options, folder=grid.parent)
    assert "3 runs: 3 other settings; about 0 s" in kept.stdout
    again = call("run.py", *options, "--again", folder=grid.parent)
    assert "3 other settings; about 0 s" not in again.stdout


def test_nothing_is_started_beyond_the_limit(tiny: Path) -> None:
    done = call("run.py", "--only", "main", "--limit", "0.5", folder=tiny.parent)
    assert "3 not done within 0 s" in done.stdout or "3 not done within 1 s" in done.stdout
    assert done.returncode == 0
    assert list((tiny.parent / "results").iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "nothing"], "no run matches 'nothing'"),
        (["--encoders", "huge=."], "NAME one of bilstm, large"),
        (["--encoders", "large=nowhere"], "there is no folder nowhere"),
        (["--processes", "0"], "--processes must be at least 1"),
        (["--epochs", "0", "--results", "other"], "--epochs must be at least 1"),
        (["--data", "nowhere"], "there is no folder nowhere"),
    ],
)
def test_mistakes_are_one_line(tiny: Path, options: list[str], message: str) -> None:
    done = call("run.py", *options, folder=tiny.parent)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert message in done.stderr


def test_damaged_results_are_one_line(ran: Path, tmp_path: Path) -> None:
    (tmp_path / "sample.jsonl").write_text("<<<<<<< HEAD\n", encoding="utf-8")
    done = call("run.py", "--list", "--results", tmp_path, folder=ran)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "sample.jsonl, line 1: not JSON" in done.stderr


def test_fewer_epochs_want_their_own_folder(tiny: Path) -> None:
    refused = call("run.py", "--grid", tiny, "--only", "main", "--epochs", "1", "--list")
    assert refused.returncode == 2
    assert "give another folder with --results" in refused.stderr
    pytest.importorskip("torch")
    name = "sample--bits6-4--plain--bilstm--s0"
    done = call("run.py", "--only", name, "--epochs", "1", folder=tiny.parent)
    assert done.returncode == 0, done.stderr
    result = store.find_result(tiny.parent / "results", "sample", name)
    assert result is not None
    assert result["config"]["epochs"] == 1
    listed = call("run.py", "--only", name, "--list", folder=tiny.parent)
    assert listed.stdout.startswith("other settings")


def running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return not re.search(r"\) [ZX] ", Path(f"/proc/{pid}/stat").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return False


def descendants(pid: int) -> list[int]:
    children = [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [*children, *(below for child in children for below in descendants(child))]


def wait_for(ready: Callable[[], Any], seconds: float = 120) -> Any:
    end = time.monotonic() + seconds
    while not (answer := ready()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return answer


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.full)])
def test_killed_run_leaves_nothing_running(tiny: Path, how: signal.Signals) -> None:
    pytest.importorskip("torch")
    scratch = tiny.parent / "scratch"
    scratch.mkdir()
    command = [sys.executable, *arguments("run.py", "--only", "endless", "--scratch", scratch, folder=tiny.parent)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner:
        wait_for(lambda: list(scratch.rglob("train.jsonl")))  # an epoch is done
        children = descendants(runner.pid)
        runner.send_signal(how)
        runner.wait(60)
    wait_for(lambda: not any(map(running, children)))
    assert len(children) >= 2  # the server, and the worker that it forked
    assert list((tiny.parent / "results").iterdir()) == []
    if how == signal.SIGTERM:
        assert runner.returncode == 130
        assert list(scratch.iterdir()) == []
