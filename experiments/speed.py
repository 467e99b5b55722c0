"""Measure what the grid says under [[speed]] and [[lengths]], one thing at a time on an otherwise idle machine.

    python experiments/speed.py --encoders minilm=FOLDER mpnet=FOLDER
    python experiments/speed.py --what lengths --device cpu

Speed: words a second from file to file. Lengths: time and memory for sentences of 10 to 5,000 words. Models are trained
for a moment first (the grid says how long), since what they propose, and so their speed, depends on it. Results bear
the machine's name, so that those of several machines stand side by side; what is there already is not measured again.
"""

from __future__ import annotations

import argparse
import re
from time import monotonic

from harness.environment import this_machine
from harness.grid import Block, Grid, read_grid
from harness.launch import Launch, add_options, check_some, script
from harness.store import LENGTHS, SPEED

SCRIPTS = {SPEED: "one_speed.py", LENGTHS: "one_lengths.py"}
SENTENCE_LENGTHS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--what", nargs="+", choices=SCRIPTS, default=list(SCRIPTS), help="both unless said")
    parser.add_argument("--batch-tokens", type=int, default=32_768, metavar="N", help="words parsed at a time in files")
    parser.add_argument("--words", type=int, default=20_000, metavar="N", help="the least words to parse (20000)")
    parser.add_argument(
        "--lengths", type=int, nargs="+", default=SENTENCE_LENGTHS, metavar="N", help="sentence lengths (10 … 5000)"
    )
    options = parser.parse_args()
    grid = read_grid(options.grid)
    machine = re.sub(r"\W+", "-", this_machine(options.device).lower()).strip("-")
    extra = {"batch_tokens": options.batch_tokens, "words": options.words, "lengths": options.lengths}
    launches = [
        Launch(grid, grid.runs(blocks(grid, kind)), SCRIPTS[kind], options, prefix=f"{kind}--{machine}--", extra=extra)
        for kind in options.what
    ]
    check_some(launches)
    begin, code = monotonic(), 0
    for launch in launches:
        if options.list:
            launch.show()
        else:
            code = max(code, launch.go(options.limit + begin - monotonic()))
    return code


def blocks(grid: Grid, kind: str) -> list[Block]:
    """What the grid asks for."""
    return grid.speed if kind == SPEED else grid.lengths


if __name__ == "__main__":
    script(main)
