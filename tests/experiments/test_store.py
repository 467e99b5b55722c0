"""The files of results: what they hold, writers side by side, interruptions."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import store
from harness.grid import read_grid
from harness.packing import COLUMNS, METRIC, pack, unpack

from arctag.errors import InputError
from arctag.metrics import compare
from tests.experiments import SCRIPTS
from tests.experiments.tools import some_counts
from tests.patience import HANGS


def result(name: str, **more: Any) -> dict[str, Any]:
    return {"format": 1, "kind": "run", "id": name, "treebank": "bank", "environment": {}, **more}


def test_packed_counts_give_the_same_comparison() -> None:
    ours, theirs = some_counts(2_000, 0.86), some_counts(2_000, 0.85, seed=1)
    packed = [pack(counts) for counts in (ours, theirs)]
    comparison = compare(METRIC, unpack(packed[0]), unpack(packed[1]), samples=200)
    assert comparison == compare(METRIC, ours, theirs, samples=200)
    assert max(map(len, packed)) < 6_000


def test_packed_counts_refuse_what_does_not_fit() -> None:
    counts = some_counts(3, 0.5)
    counts[0, COLUMNS[0]] = 40_000
    with pytest.raises(ValueError, match="32,767"):
        pack(counts)


def test_results_are_complete_or_absent(tmp_path: Path) -> None:
    whole = result("a", rows=[1, 2])
    store.add_result(tmp_path, whole)
    with pytest.raises(TypeError):
        store.add_result(tmp_path, result("b", rows=object()))
    assert store.read_results(tmp_path) == [whole]
    assert [p.name for p in tmp_path.iterdir() if not p.name.startswith(".")] == ["bank.jsonl"]
    path = tmp_path / "bank.jsonl"
    path.write_text("{\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1: not JSON"):
        store.read_results(tmp_path)
    path.write_text('{"format": 1}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: not a result"):
        store.read_results(tmp_path)
    path.write_text(f"{json.dumps(whole)}\n" * 2, encoding="utf-8")
    with pytest.raises(InputError, match="line 2: a second result a;"):
        store.read_results(tmp_path)


def test_results_are_sorted_and_replaced(tmp_path: Path) -> None:
    speed = result("a", kind="speed", machine="here")
    for item in (result("c"), speed, result("a"), result("b"), result("x", treebank="other")):
        store.add_result(tmp_path, item)
    before = (tmp_path / "bank.jsonl").read_text(encoding="utf-8").splitlines()
    assert [store.name_of(json.loads(line)) for line in before] == ["a", "b", "c", "speed--here--a"]
    store.add_result(tmp_path, result("b", rows=[1]))
    after = (tmp_path / "bank.jsonl").read_text(encoding="utf-8").splitlines()
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, False, True, True]
    assert store.find_result(tmp_path, "bank", "b") == result("b", rows=[1])
    assert store.find_result(tmp_path, "bank", "speed--here--a") == speed
    assert store.find_result(tmp_path, "bank", "x") is store.find_result(tmp_path, "none", "x") is None
    assert [store.name_of(r) for r in store.read_results(tmp_path)] == ["a", "b", "c", "speed--here--a", "x"]


def test_half_a_line_at_the_end_is_as_if_it_had_not_been_run(tmp_path: Path) -> None:
    for name in "ab":
        store.add_result(tmp_path, result(name))
    path = tmp_path / "bank.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    assert [r["id"] for r in store.read_results(tmp_path)] == ["a"]
    store.add_result(tmp_path, result("c"))
    assert [r["id"] for r in store.read_results(tmp_path)] == ["a", "c"]


_WRITER = """
import sys
from pathlib import Path
from harness.store import add_result
for k in range(int(sys.argv[3])):
    add_result(Path(sys.argv[1]), {"format": 1, "kind": "run", "id": f"{sys.argv[2]}-{k:04}", "treebank": "bank",
                                   "environment": {}, "text": "x" * 20_000})
    print(k, flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    """A process that adds results one after another and prints the number of each that it has added."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(SCRIPTS), *sys.path])}
    command = [sys.executable, "-c", _WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [writer(tmp_path, name, 20) for name in "abc"]
    for process in writers:
        process.communicate(timeout=HANGS)
        assert process.returncode == 0
    assert [r["id"] for r in store.read_results(tmp_path)] == [f"{name}-{k:04}" for name in "abc" for k in range(20)]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_a_killed_writer_leaves_whole_results(tmp_path: Path) -> None:
    with writer(tmp_path, "a", 100_000) as process:
        assert process.stdout is not None
        added = [int(process.stdout.readline()) for _ in range(30)]
        process.kill()
        added += map(int, process.stdout)
    results = store.read_results(tmp_path)
    assert len(results) in (len(added), len(added) + 1)  # it may have been killed before it could print
    store.add_result(tmp_path, result("b"))  # neither the lock nor a part is in the way
    assert [r["id"] for r in store.read_results(tmp_path)] == [*(r["id"] for r in results), "b"]
    assert {p.name for p in tmp_path.iterdir()} == {"bank.jsonl", ".lock"}


def test_committed_results_fit_the_grid() -> None:
    """The results in the repository: sorted, small, without paths, of runs that the grid has."""
    grid = read_grid(SCRIPTS / "grid.toml")
    blocks = {"run": grid.blocks, "speed": grid.speed, "lengths": grid.lengths, "energy": grid.energy}
    known = {(kind, run.id) for kind, some in blocks.items() for run in grid.runs(some)}
    results = store.read_results(SCRIPTS / "results")
    assert {r["treebank"] for r in results} == grid.treebanks.keys()
    for item in results:
        outside = item["kind"] in (store.CHOICES, store.TREES)  # of no run of the grid
        assert outside or (item["kind"], item["id"]) in known, item["id"]
    for path in (SCRIPTS / "results").glob("*.jsonl"):
        lines = path.read_text(encoding="utf-8").splitlines()
        items = [json.loads(line) for line in lines]
        assert {item["treebank"] for item in items} == {path.stem}
        names = list(map(store.name_of, items))
        assert names == sorted(names)
        assert max(map(len, lines)) <= 20_000, path.name
        assert not any('"/' in line for line in lines), f"{path.name}: a path on somebody's machine"
