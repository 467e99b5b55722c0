"""Measure the energy of training, as the grid describes it under [[energy]]: joules per epoch, on an idle machine.

    python experiments/energy.py --encoders minilm=FOLDER

One run is trained at a time. Results are kept by machine; what was measured on this one is not measured again.
"""

from __future__ import annotations

from harness.environment import machine_slug
from harness.grid import read_grid
from harness.options import add_run_options, add_training_options, command_line, run_script
from harness.runner import Runner
from harness.store import ENERGY


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    add_run_options(parser)
    add_training_options(parser)
    options = parser.parse_args()
    grid = read_grid(options.grid)
    runner = Runner(grid, grid.runs(grid.energy), ENERGY, options, machine=machine_slug(options.device))
    if options.list:
        runner.show()
        return 0
    return runner.run(options.limit)


if __name__ == "__main__":
    run_script(main)
