"""Make the results that are missing: what `run.py` and `energy.py` have in common."""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from arctag.errors import ArctagError, InputError
from harness.environment import this_machine
from harness.estimate import Estimates, work
from harness.grid import Grid, Run, chosen, find_file, rank
from harness.nursery import Nursery
from harness.schedule import Process, Schedule
from harness.spec import Spec
from harness.store import RUN, error_path, read_result, read_results, result_path, write_text

HERE = Path(__file__).resolve().parent.parent
DONE, MISSING, FAILED, OUTDATED, NO_DATA, NO_ENCODER, NO_MODEL = (
    "done", "missing", "failed", "other settings", "no data", "no encoder", "no model kept",
)  # fmt: skip
_TAIL = 4000  # characters of a log that an error file holds


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options that all scripts have."""
    parser.add_argument("--grid", default=str(HERE / "grid.toml"), help="what to run (default: %(default)s)")
    parser.add_argument("--results", default=str(HERE / "results"), help="folder of results (default: %(default)s)")
    parser.add_argument(
        "--data", default=str(HERE.parent.parent / "shared" / "data"), help="folder of treebanks (default: %(default)s)"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="PATTERN",
        help="ids or blocks, with * and ?, in this order (default: all)",
    )
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS", help="end after so long")
    parser.add_argument("--device", default="", help="cpu, cuda, …; the GPU if there is one unless set")
    parser.add_argument("--again", action="store_true", help="also what is there but was made with other settings")
    parser.add_argument("--list", action="store_true", help="show the runs and how they stand; run nothing")


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """The options of those that train."""
    parser.add_argument("--scratch", default="", help="where models are kept while they are trained")
    parser.add_argument(
        "--encoders", nargs="+", default=[], metavar="NAME=FOLDER", help="folders of pretrained encoders"
    )


def check_some(launches: Sequence[Launch]) -> None:
    """Patterns that match nothing are a mistake."""
    if not any(launch.runs for launch in launches):
        raise InputError(f"no run matches {' '.join(launches[0].options.only)!r}; --list shows their names")


class Launch:
    """Runs of a grid, each in a process of its own that writes one result."""

    def __init__(
        self, grid: Grid, runs: list[Run], script: str, options: argparse.Namespace, *, prefix: str = "",
        processes: int = 1, extra: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        """`script` does one run, and is told `extra`; `prefix` is what the names of its results begin with."""
        self.grid, self.script, self.options, self.prefix = grid, script, options, prefix
        self.processes, self.extra = processes, extra or {}
        self.results, self.data = Path(options.results), Path(options.data)
        self.folders = _folders(options.encoders, grid)
        self.runs = chosen(runs, options.only)
        self.states = {run.id: self.state(run) for run in self.runs}
        self.todo = [run for run in self.runs if self._wanted(self.states[run.id])]
        self.beside = max(1, min(processes, len(self.todo)))
        self.estimates = Estimates(grid, self.data, this_machine(options.device), self.beside)
        self.estimates.learn(result for result in read_results(self.results) if result["kind"] == RUN)
        self.failed = 0

    def _wanted(self, state: str) -> bool:
        return state in (MISSING, FAILED, NO_MODEL) or (state == OUTDATED and self.options.again)

    def name(self, run: Run) -> str:
        """What a run's files are called."""
        return self.prefix + run.id

    def state(self, run: Run) -> str:
        """How a run stands."""
        path = result_path(self.results, self.name(run))
        if path.exists():
            if read_result(path)["fingerprint"] != run.fingerprint:
                return OUTDATED
            keep = self.extra.get("keep")
            return DONE if not keep or (Path(keep) / run.id).is_dir() else NO_MODEL
        if any(find_file(self.data, file) is None for file in self.grid.treebanks[run.treebank].files):
            return NO_DATA
        if not self.grid.encoders[run.encoder].encoder and run.encoder not in self.folders:
            return NO_ENCODER
        return FAILED if error_path(self.results, self.name(run)).exists() else MISSING

    def show(self) -> None:
        """A line for each run."""
        for run in self.runs:
            state = self.states[run.id]
            seconds = f"{self.estimates.seconds(run):7.0f} s" if self._wanted(state) else " " * 9
            print(f"{state:14} {seconds}  {self.name(run)}  [{', '.join(run.blocks)}]")
        print(self.summary())

    def summary(self) -> str:
        """How many runs stand how."""
        counts = Counter(self.states.values())
        total = sum(map(self.estimates.seconds, self.todo)) / self.beside
        text = ", ".join(f"{count} {state}" for state, count in counts.most_common())
        return f"{len(self.runs)} runs: {text}; about {total:,.0f} s to go with {self.beside} side by side"

    def go(self, limit: float) -> int:
        """Run what is missing, within so many seconds; the exit code: 1 if any failed."""
        if not self.data.is_dir():
            raise InputError(f"there is no folder {self.data}: give that of the treebanks with --data")
        print(self.summary(), flush=True)
        for state, advice in (
            (NO_DATA, f"files are missing in {self.data}"),
            (NO_ENCODER, "give its folder with --encoders NAME=FOLDER"),
            (OUTDATED, "results are kept; --again makes them anew"),
        ):
            if count := sum(s == state and not self._wanted(s) for s in self.states.values()):
                print(f"{count} left out ({state}): {advice}", flush=True)
        self.results.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="arctag-runs-", dir=self.options.scratch or None) as scratch:
            self.scratch, self.nursery = Path(scratch), Nursery(HERE)
            with _interruptible():
                schedule = Schedule(
                    self._start, self._ended, self.estimates.seconds, self.processes, limit,
                    lambda run: rank(run, self.options.only),
                )  # fmt: skip
                left = schedule.run(self.todo)
        if left:
            print(f"{len(left)} not done within {limit:,.0f} s: the same command goes on", flush=True)
        return 1 if self.failed else 0

    def _place(self, run: Run) -> Path:
        return self.scratch / run.id

    def _start(self, run: Run) -> Process:
        place = self._place(run)
        place.mkdir()
        (place / "log").touch()  # a process may end before it can write there
        return self.nursery.start(self.script, self._spec(run, place))

    def _spec(self, run: Run, place: Path) -> Spec:
        treebank = self.grid.treebanks[run.treebank]
        files = {"train": [treebank.train], "dev": [treebank.dev], "encoder": run.encoder}
        here = {key: [self._file(name) for name in files[key]] for key in ("train", "dev")}
        encoder = self.folders.get(run.encoder) or self.grid.encoders[run.encoder].encoder
        about = {
            "block": run.blocks[0], "treebank": run.treebank, "parser": run.parser, "variant": run.variant,
            "encoder": run.encoder, "seed": run.seed, "overrides": dict(run.overrides), "fingerprint": run.fingerprint,
        }  # fmt: skip
        return Spec(
            id=run.id,
            about=about,
            config={**run.keys, **here, "encoder": encoder, "device": self.options.device},
            files=files,
            tests={name: self._file(file) for name, file in treebank.tests.items()},
            result=str(result_path(self.results, self.name(run)).resolve()),
            scratch=str(place),
            beside=self.beside,
            work=work(self.grid, run, self.data),
            options=self.extra,
        )

    def _file(self, name: str) -> str:
        return str(find_file(self.data, name))

    def _ended(self, run: Run, code: int, seconds: float) -> None:
        result, error = result_path(self.results, self.name(run)), error_path(self.results, self.name(run))
        if code == 0 and result.exists():
            error.unlink(missing_ok=True)
            found = read_result(result)
            self.estimates.learn([found] if found["kind"] == RUN else [])
            print(f"done {seconds:6.0f} s  {self.name(run)}  {_headline(found)}", flush=True)
        else:
            self.failed += 1
            log = (self._place(run) / "log").read_text(encoding="utf-8", errors="replace").strip()
            write_text(error, f"{run.id}: exit code {code} after {seconds:.0f} s\n\n{log[-_TAIL:]}\n")
            last = log.splitlines()[-1] if log else "nothing was printed"
            print(f"FAILED (exit code {code})  {self.name(run)}: {last}; more in {error}", flush=True)
        shutil.rmtree(self._place(run), ignore_errors=True)


def _headline(result: dict[str, Any]) -> str:
    if "tests" in result:
        figures = result["tests"]["test"]["sdp"]["including_tops"]
        return f"UF {100 * (figures['UF'] or 0):.2f} LF {100 * (figures['LF'] or 0):.2f}"
    return f"{result['joules_per_epoch']} joules an epoch"


def _folders(given: Sequence[str], grid: Grid) -> dict[str, str]:
    """Encoder → folder, from NAME=FOLDER."""
    found = {}
    for item in given:
        name, equals, folder = item.partition("=")
        if not equals or name not in grid.encoders:
            raise InputError(f"--encoders takes NAME=FOLDER, with NAME one of {', '.join(grid.encoders)}; not {item!r}")
        if not Path(folder).is_dir():
            raise InputError(f"--encoders {item}: there is no folder {folder}")
        found[name] = str(Path(folder).resolve())
    return found


@contextmanager
def _interruptible() -> Iterator[None]:
    """A polite kill is an interruption: processes are ended and folders removed before this one goes."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def script(main: Callable[[], int]) -> NoReturn:
    """The end of each script: what the user gave wrong is one line, an interruption is no traceback."""
    try:
        code = main()
    except ArctagError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        code = 130
    sys.exit(code)
