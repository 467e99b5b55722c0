"""Train what the grid describes and has no result yet. Each run adds one line to experiments/results/TREEBANK.jsonl.

    python experiments/run.py --list
    python experiments/run.py --only 'iwpt_ta--*'
    python experiments/run.py --encoders minilm=FOLDER mpnet=FOLDER --processes 12 --limit 1500
    python experiments/run.py --only 'iwpt_ta--*' --epochs 3 --results FOLDER --keep MODELS

Unless --processes is given, as many runs are trained at a time as the machine has cores and memory for. After an
interruption the same command resumes. If the package is not installed: PYTHONPATH=src python experiments/run.py …
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from harness.capacity import capacity
from harness.grid import Run, read_grid
from harness.options import HERE, add_run_options, add_training_options, command_line, run_script
from harness.runner import Runner
from harness.store import RUN

from arctag.errors import InputError


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    add_run_options(parser)
    add_training_options(parser)
    parser.add_argument(
        "--processes", type=int, metavar="N", help="runs at a time (default: as many as the machine can hold)"
    )
    parser.add_argument("--keep", default="", metavar="FOLDER", help="keep the models there, for speed.py")
    parser.add_argument(
        "--epochs", type=int, metavar="N", help="another number of epochs, for models to be timed (needs --results)"
    )
    options = parser.parse_args()
    grid = read_grid(options.grid)
    runs = grid.runs() if options.epochs is None else _shorter(grid.runs(), options)
    processes = capacity(options.device) if options.processes is None else options.processes
    if processes < 1:
        raise InputError(f"--processes must be at least 1, not {processes}")
    runner = Runner(grid, runs, RUN, options, processes=processes, keep=options.keep)
    if options.list:
        runner.show()
        return 0
    return runner.run(options.limit)


def _shorter(runs: list[Run], options: argparse.Namespace) -> list[Run]:
    """The same runs with fewer epochs; their results are not those of the grid."""
    if Path(options.results).resolve() == (HERE / "results").resolve():
        raise InputError("results with --epochs are not those of the grid: give another folder with --results")
    if options.epochs < 1:
        raise InputError(f"--epochs must be at least 1, not {options.epochs}")
    return [replace(run, keys={**run.keys, "epochs": options.epochs}) for run in runs]


if __name__ == "__main__":
    run_script(main)
