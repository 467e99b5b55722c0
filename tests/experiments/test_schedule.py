"""Scheduling: order, limits, estimates, how many runs a machine can hold."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import capacity, estimate
from harness.grid import read_grid
from harness.schedule import Schedule

from tests.places import SAMPLES


class Book:
    """Starts sleeping processes and records what happened."""

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
        left = Schedule(self.start, self.end, estimate, processes, limit).run(list(self.seconds))
        assert all(process.poll() is not None for process in self.processes)
        return left


def test_longest_first_and_several_at_a_time() -> None:
    book = Book({"short": 0.1, "long": 0.6, "middle": 0.3, "bad": 0.0})
    assert book.run(book.seconds.__getitem__, processes=2) == []
    assert book.started == ["long", "middle", "short", "bad"]
    assert book.most == 2
    assert sorted(book.ended) == [("bad", 1), ("long", 0), ("middle", 0), ("short", 0)]


def test_schedule_keeps_to_the_limit() -> None:
    book = Book({"endless": 1000.0, "short": 0.1, "never": 1000.0})
    estimates = {"endless": 0.02, "short": 0.01, "never": 1000.0}  # the first takes longer than estimated
    left = book.run(estimates.__getitem__, processes=1, limit=1.0)
    assert left == ["endless", "short", "never"]
    assert (book.started, book.ended) == (["endless"], [])
    assert book.processes[0].returncode == -signal.SIGKILL


def test_schedule_leaves_no_process_behind() -> None:
    book = Book({"long": 100.0, "short": 0.1})

    def fail(*_: object) -> None:
        raise RuntimeError("a mistake")

    schedule = Schedule(book.start, fail, book.seconds.__getitem__, 2)
    with pytest.raises(RuntimeError, match="mistake"):
        schedule.run(list(book.seconds))
    assert all(process.poll() is not None for process in book.processes)


def test_estimates_learn_from_comparable_runs(tiny: Path) -> None:
    grid = read_grid(tiny)
    run = grid.runs()[0]
    estimates = estimate.Estimates(grid, SAMPLES, "here, 1 cores", 2)
    first = estimates.seconds(run)
    work = estimate.work(grid, run, SAMPLES)
    assert first == pytest.approx(1 + work)
    result = {
        "environment": {"gpu": None, "processor": "here", "cores": 1}, "parallel": 2, "treebank": "sample",
        "encoder": "bilstm", "seconds": {"total": 21.0, "work": 10.0},
    }  # fmt: skip
    estimates.learn([{**result, "parallel": 1}, {**result, "environment": {"gpu": "other"}}])
    assert estimates.seconds(run) == first
    estimates.learn([result])
    assert estimates.seconds(run) == pytest.approx(1 + 2 * work)


@pytest.mark.parametrize(
    ("device", "cores", "memory", "gpu", "runs"),
    [
        ("", 16, 120_000, "139000", 16),  # a core each
        ("", 16, 33_000, "139000", 8),  # memory is short
        ("", 16, 120_000, "24000", 3),  # or that of the GPU
        ("cpu", 16, 120_000, "24000", 16),  # which does not matter on the processor
        ("", 4, None, None, 4),  # what is unknown is no limit
        ("", 8, 1_000, "[N/A]", 1),  # at least one
    ],
)
def test_capacity_of_a_machine(
    monkeypatch: pytest.MonkeyPatch, device: str, cores: int, memory: int | None, gpu: str | None, runs: int
) -> None:
    monkeypatch.setattr(capacity, "usable_cores", lambda: cores)
    monkeypatch.setattr(capacity, "_free_memory", lambda: memory)
    monkeypatch.setattr(capacity, "query_gpu", lambda _: gpu)
    assert capacity.capacity(device) == runs


def test_capacity_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 1 <= capacity.capacity("") <= (os.cpu_count() or 1)
    monkeypatch.setattr(capacity, "_MEMINFO", tmp_path / "meminfo")
    assert capacity._free_memory() is None
    (tmp_path / "meminfo").write_text("MemTotal:       9000000 kB\nMemFree:    1000 kB\nMemAvailable:    4321000 kB\n")
    assert capacity._free_memory() == 4321
