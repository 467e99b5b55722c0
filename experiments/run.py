"""Run what is missing of the grid: one training run, one small result file.

    python experiments/run.py --list
    python experiments/run.py --only 'iwpt_ta--*'
    python experiments/run.py --encoders minilm=FOLDER mpnet=FOLDER --processes 12 --limit 1500

As many runs are made side by side as the machine has cores and memory for, unless --processes says otherwise. Killed at
any moment, the same command goes on with what is missing. Without the package installed:
PYTHONPATH=src python experiments/run.py …
"""

from __future__ import annotations

import argparse

from harness.grid import read_grid
from harness.launch import Launch, add_options, add_training_options, check_some, script
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
    options = parser.parse_args()
    grid = read_grid(options.grid)
    extra = {"keep": options.keep}
    processes = room(options.device) if options.processes is None else options.processes
    if processes < 1:
        raise InputError(f"--processes must be at least 1, not {processes}")
    launch = Launch(grid, grid.runs(), "one_run", options, processes=processes, extra=extra)
    check_some([launch])
    if options.list:
        launch.show()
        return 0
    return launch.go(options.limit)


if __name__ == "__main__":
    script(main)
