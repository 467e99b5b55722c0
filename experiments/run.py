"""Run what is missing of the grid: one training run, one small result file.

    python experiments/run.py --list
    python experiments/run.py --only 'iwpt_ta--*'
    python experiments/run.py --encoders minilm=FOLDER mpnet=FOLDER --processes 12 --limit 1500
    python experiments/run.py --only 'iwpt_ta--*' --epochs 3 --results SOMEWHERE --keep MODELS

As many runs are made side by side as the machine has cores and memory for, unless --processes says otherwise. Killed at
any moment, the same command goes on with what is missing. Without the package installed:
PYTHONPATH=src python experiments/run.py …
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from harness.grid import Run, read_grid
from harness.launch import HERE, Launch, add_options, add_training_options, check_some, script
from harness.room import room

from arctag.errors import InputError


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    add_training_options(parser)
    parser.add_argument(
        "--processes", type=int, metavar="N", help="runs side by side (default: as many as the machine has room for)"
    )
    parser.add_argument("--keep", default="", metavar="FOLDER", help="keep models there, for speed.py")
    parser.add_argument(
        "--epochs", type=int, metavar="N", help="train for so long instead: models to be timed (give --results, too)"
    )
    options = parser.parse_args()
    grid = read_grid(options.grid)
    runs = grid.runs() if options.epochs is None else _shorter(grid.runs(), options)
    extra = {"keep": options.keep}
    processes = room(options.device) if options.processes is None else options.processes
    if processes < 1:
        raise InputError(f"--processes must be at least 1, not {processes}")
    launch = Launch(grid, runs, "one_run", options, processes=processes, extra=extra)
    check_some([launch])
    if options.list:
        launch.show()
        return 0
    return launch.go(options.limit)


def _shorter(runs: list[Run], options: argparse.Namespace) -> list[Run]:
    """The same runs with fewer epochs; they are no results of the grid."""
    if Path(options.results).resolve() == (HERE / "results").resolve():
        raise InputError("--epochs makes other results than the grid's: give a folder of their own with --results")
    if options.epochs < 1:
        raise InputError(f"--epochs must be at least 1, not {options.epochs}")
    return [replace(run, keys={**run.keys, "epochs": options.epochs}) for run in runs]


if __name__ == "__main__":
    script(main)
