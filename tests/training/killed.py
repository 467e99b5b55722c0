"""Runs killed at one moment after another, then resumed: `python -m tests.training.killed FOLDER`.

A moment is a step of the optimiser, or something done to a file of the run. The first run makes a teacher, which
labels text for the others. Each of these is a fork of this process, which has loaded torch once and for all. Prints, as
JSON, the moments tried and what went wrong.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch

from arctag import read
from arctag.parsing import jobs
from arctag.training import loop
from arctag.training.config import TrainConfig
from tests.networks import events, small
from tests.places import SAMPLES

MOMENTS = 9
WATCHED = {"os.rename", "os.mkdir", "os.rmdir", "os.remove"}


def config(out: Path, **more: Any) -> TrainConfig:
    sdp = (str(SAMPLES / "sample.sdp"),)
    return small(out, train=sdp, dev=sdp, test=sdp, encoder="lookup", epochs=3, dropout=0.2, batch_tokens=80, **more)


def taught(out: Path) -> TrainConfig:
    folder = out.parent.parent
    return config(out, unlabelled=(str(folder / "text.tok"),), teacher=(str(folder / "first"),), gold_repeat=1)


def make_teacher(folder: Path) -> None:
    """Kernels are compiled here, too, and not in each fork."""
    events(config(folder / "first"))
    lines = [" ".join(sentence.words) + "\n" for sentence in read(SAMPLES / "sample.conllu")]
    (folder / "text.tok").write_text("".join(lines), encoding="utf-8")
    jobs.WORDS = 40  # so that some are done, and some are not


def on_each_moment(out: Path, act: Callable[[], None]) -> None:
    """Call `act` before each step and each change of a file."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        written = event == "open" and isinstance(arguments[1], str) and "r" not in arguments[1]
        if (event in WATCHED or written) and any(str(out.parent) in str(argument) for argument in arguments):
            act()

    step = loop.Run._step

    def counted(self: loop.Run, *rest: Any) -> Any:
        act()
        return step(self, *rest)

    sys.addaudithook(hook)
    setattr(loop.Run, "_step", counted)  # noqa: B010  # as a test would with monkeypatch


def in_a_fork(action: Callable[[], object]) -> int:
    """Do something in a copy of this process; how it ended."""
    pid = os.fork()
    if not pid:
        try:
            action()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]


def count_moments(out: Path) -> int:
    counted = out.with_suffix(".count")

    def action() -> None:
        count = 0

        def act() -> None:
            nonlocal count
            count += 1

        on_each_moment(out, act)
        events(taught(out))
        counted.write_text(str(count))

    assert in_a_fork(action) == 0
    return int(counted.read_text())


def run_until(out: Path, moment: int) -> int:
    def action() -> None:
        left = moment

        def act() -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        on_each_moment(out, act)
        events(taught(out))

    return in_a_fork(action)


def outcome(out: Path) -> dict[str, Any]:
    """Everything a run leaves behind that does not depend on the clock."""
    rows = [json.loads(line) for line in (out / "train.jsonl").read_text().splitlines()]
    for row in rows:
        del row["seconds"], row["tokens_per_s"]
    files = {p.name: p.read_bytes() for p in out.iterdir() if p.is_file() and p.suffix not in (".jsonl", ".toml")}
    return {"rows": rows, "files": files, "folders": [p.name for p in out.glob("[!.]*/")]}


def main(folder: Path) -> None:
    torch.set_num_threads(1)
    make_teacher(folder)
    total = count_moments(folder / "whole" / "run")
    expected = outcome(folder / "whole" / "run")
    wrong: list[str] = []
    tried = sorted({round(i * (total - 1) / (MOMENTS - 1)) for i in range(MOMENTS)})
    for moment in tried:
        out = folder / f"killed-{moment}" / "run"
        status = run_until(out, moment)
        if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGKILL:
            wrong.append(f"{moment}: was not killed ({status})")
        finished = (out / ".checkpoints.done").exists()  # killed while the last ones were deleted
        if not finished and in_a_fork(partial(events, taught(out), True)):
            wrong.append(f"{moment}: could not be resumed")
            continue
        found = outcome(out)
        wrong.extend(f"{moment}: {key} differ" for key in expected if found[key] != expected[key])
    left = sorted(p.name for moment in tried for p in (folder / f"killed-{moment}").iterdir() if p.name != "run")
    print(json.dumps({"moments": total, "tried": tried, "wrong": wrong, "left": left}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
