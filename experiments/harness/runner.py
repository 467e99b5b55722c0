"""Run what has no result yet: what `run.py` and `energy.py` have in common."""

from __future__ import annotations

import argparse
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arctag.errors import InputError
from harness.environment import this_machine
from harness.estimate import Estimates, work
from harness.grid import Grid, Run, find_file, rank, select
from harness.job import Job
from harness.options import HERE
from harness.schedule import Process, Schedule
from harness.store import (
    RUN,
    Result,
    error_path,
    find_result,
    measurement_name,
    name_of,
    read_results,
    write_text,
)
from harness.workers import Workers

DONE, MISSING, FAILED, OUTDATED, NO_DATA, NO_ENCODER, NO_MODEL = (
    "done", "missing", "failed", "other settings", "no data", "no encoder", "no model kept",
)  # fmt: skip
_TAIL = 4000  # characters of a log that an error file holds


class Runner:
    """Runs of a grid, each in a process of its own that adds one result."""

    def __init__(
        self, grid: Grid, runs: list[Run], kind: str, options: argparse.Namespace, *, machine: str = "",
        processes: int = 1, keep: str = "",
    ) -> None:  # fmt: skip
        """`kind` is the kind of the results; with `machine`, they are kept separately for each machine."""
        self.grid, self.kind, self.options, self.machine = grid, kind, options, machine
        self.processes, self.keep = processes, keep
        self.results, self.data = Path(options.results), Path(options.data)
        self.folders = _encoder_folders(options.encoders, grid)
        self.runs = select(runs, options.only)
        if not self.runs:
            raise InputError(f"no run matches {' '.join(options.only)!r}; --list shows their names")
        known = {name_of(result): result for result in read_results(self.results)}
        self.states = {run.id: self._state(run, known.get(self.name(run))) for run in self.runs}
        self.todo = [run for run in self.runs if self._wanted(self.states[run.id])]
        self.parallel = max(1, min(processes, len(self.todo)))
        self.estimates = Estimates(grid, self.data, this_machine(options.device), self.parallel)
        self.estimates.learn(result for result in known.values() if result["kind"] == RUN)
        self.failed = 0

    def name(self, run: Run) -> str:
        """The name of a run's result."""
        return measurement_name(self.kind, self.machine, run.id) if self.machine else run.id

    def _wanted(self, state: str) -> bool:
        return state in (MISSING, FAILED, NO_MODEL) or (state == OUTDATED and self.options.again)

    def _state(self, run: Run, result: Result | None) -> str:
        """What is known about a run."""
        if result is not None:
            if result["fingerprint"] != run.fingerprint:
                return OUTDATED
            return DONE if not self.keep or (Path(self.keep) / run.id).is_dir() else NO_MODEL
        if any(find_file(self.data, file) is None for file in self.grid.treebanks[run.treebank].files):
            return NO_DATA
        if not self.grid.encoders[run.encoder].encoder and run.encoder not in self.folders:
            return NO_ENCODER
        return FAILED if error_path(self.results, self.name(run)).exists() else MISSING

    def show(self) -> None:
        """Print a line for each run."""
        for run in self.runs:
            state = self.states[run.id]
            seconds = f"{self.estimates.seconds(run):7.0f} s" if self._wanted(state) else " " * 9
            print(f"{state:14} {seconds}  {self.name(run)}  [{', '.join(run.blocks)}]")
        print(self.summary())

    def summary(self) -> str:
        """How many runs are in which state."""
        counts = Counter(self.states.values())
        total = sum(map(self.estimates.seconds, self.todo)) / self.parallel
        text = ", ".join(f"{count} {state}" for state, count in counts.most_common())
        return f"{len(self.runs)} runs: {text}; about {total:,.0f} s to go, {self.parallel} at a time"

    def run(self, limit: float) -> int:
        """Run what is missing, within a number of seconds; the exit code: 1 if any failed."""
        if not self.data.is_dir():
            raise InputError(f"there is no folder {self.data}: give the folder of the treebanks with --data")
        print(self.summary(), flush=True)
        for state, advice in (
            (NO_DATA, f"files are missing in {self.data}"),
            (NO_ENCODER, "give its folder with --encoders NAME=FOLDER"),
            (OUTDATED, "results are kept; --again replaces them"),
        ):
            if count := sum(s == state and not self._wanted(s) for s in self.states.values()):
                print(f"{count} left out ({state}): {advice}", flush=True)
        self.results.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="arctag-runs-", dir=self.options.scratch or None) as scratch:
            self.scratch, self.workers = Path(scratch), Workers(HERE)
            with _sigterm_as_interrupt():
                schedule = Schedule(
                    self._start, self._ended, self.estimates.seconds, self.processes, limit,
                    lambda run: rank(run, self.options.only),
                )  # fmt: skip
                left = schedule.run(self.todo)
        if left:
            print(f"{len(left)} not done within {limit:,.0f} s: the same command resumes", flush=True)
        return 1 if self.failed else 0

    def _folder(self, run: Run) -> Path:
        return self.scratch / run.id

    def _start(self, run: Run) -> Process:
        folder = self._folder(run)
        folder.mkdir()
        (folder / "log").touch()  # a process may end before it can write there
        return self.workers.start("harness.train_job" if self.kind == RUN else "harness.energy_job", self._job(run))

    def _job(self, run: Run) -> Job:
        treebank = self.grid.treebanks[run.treebank]
        files = {"train": [treebank.train], "dev": [treebank.dev], "encoder": run.encoder}
        here = {key: [self._file(name) for name in files[key]] for key in ("train", "dev")}
        encoder = self.folders.get(run.encoder) or self.grid.encoders[run.encoder].encoder
        machine = {"machine": self.machine} if self.machine else {}
        return Job(
            id=run.id,
            about={**machine, "block": run.blocks[0], **run.about, "fingerprint": run.fingerprint},
            config={**run.keys, **here, "encoder": encoder, "device": self.options.device},
            files=files,
            tests={name: self._file(file) for name, file in treebank.tests.items()},
            results=str(self.results.resolve()),
            scratch=str(self._folder(run)),
            parallel=self.parallel,
            work=work(self.grid, run, self.data),
            keep=self.keep,
        )

    def _file(self, name: str) -> str:
        return str(find_file(self.data, name))

    def _ended(self, run: Run, code: int, seconds: float) -> None:
        error = error_path(self.results, self.name(run))
        result = find_result(self.results, run.treebank, self.name(run)) if code == 0 else None
        if result is not None:
            error.unlink(missing_ok=True)
            self.estimates.learn([result] if self.kind == RUN else [])
            print(f"done {seconds:6.0f} s  {self.name(run)}  {_headline(result)}", flush=True)
        else:
            self.failed += 1
            log = (self._folder(run) / "log").read_text(encoding="utf-8", errors="replace").strip()
            write_text(error, f"{run.id}: exit code {code} after {seconds:.0f} s\n\n{log[-_TAIL:]}\n")
            last = log.splitlines()[-1] if log else "nothing was printed"
            print(f"FAILED (exit code {code})  {self.name(run)}: {last}; more in {error}", flush=True)
        shutil.rmtree(self._folder(run), ignore_errors=True)


def _headline(result: Result) -> str:
    if "tests" in result:
        figures = result["tests"]["test"]["sdp"]["including_tops"]
        return f"UF {100 * (figures['UF'] or 0):.2f} LF {100 * (figures['LF'] or 0):.2f}"
    return f"{result['joules_per_epoch']} joules per epoch"


def _encoder_folders(items: Sequence[str], grid: Grid) -> dict[str, str]:
    """Encoder → folder, from NAME=FOLDER."""
    folders = {}
    for item in items:
        name, equals, folder = item.partition("=")
        if not equals or name not in grid.encoders:
            raise InputError(f"--encoders takes NAME=FOLDER, with NAME one of {', '.join(grid.encoders)}; not {item!r}")
        if not Path(folder).is_dir():
            raise InputError(f"--encoders {item}: there is no folder {folder}")
        folders[name] = str(Path(folder).resolve())
    return folders


@contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """SIGTERM is an interruption: processes are ended and folders removed before this one exits."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
