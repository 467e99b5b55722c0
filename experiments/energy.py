"""Measure what the grid says under [[energy]]: joules an epoch, one training run after another on an idle machine.

    python experiments/energy.py --encoders minilm=FOLDER

Results bear the machine's name; what is there already is not measured again.
"""

from __future__ import annotations

import argparse

from harness.environment import machine_slug
from harness.grid import read_grid
from harness.launch import Launch, add_options, add_training_options, check_some, script
from harness.store import ENERGY


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    add_training_options(parser)
    options = parser.parse_args()
    grid = read_grid(options.grid)
    prefix = f"{ENERGY}--{machine_slug(options.device)}--"
    launch = Launch(grid, grid.runs(grid.energy), "one_energy", options, prefix=prefix)
    check_some([launch])
    if options.list:
        launch.show()
        return 0
    return launch.go(options.limit)


if __name__ == "__main__":
    script(main)
