"""Command lines: what the scripts share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from arctag.errors import ArctagError

HERE = Path(__file__).resolve().parent.parent
"""The folder of the scripts."""


def command_line(description: str | None) -> argparse.ArgumentParser:
    """A parser with the option that all scripts have."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", default=str(HERE / "results"), help="folder of results (default: %(default)s)")
    return parser


def add_grid(parser: argparse.ArgumentParser) -> None:
    """The file that describes all runs."""
    parser.add_argument("--grid", default=str(HERE / "grid.toml"), help="what to run (default: %(default)s)")


def add_data(parser: argparse.ArgumentParser) -> None:
    """Where the treebanks are."""
    parser.add_argument(
        "--data", default=str(HERE.parent.parent / "shared" / "data"), help="folder of treebanks (default: %(default)s)"
    )


def add_samples(parser: argparse.ArgumentParser) -> None:
    """How exact p values are."""
    parser.add_argument("--samples", type=int, default=2_000, metavar="N", help="bootstrap samples (default: 2000)")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The options of the scripts that train or measure."""
    add_grid(parser)
    add_data(parser)
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="PATTERN",
        help="ids or blocks, with * and ?, in this order (default: all)",
    )
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS", help="stop after this time")
    parser.add_argument("--device", default="", help="cpu, cuda, … (default: the GPU if there is one)")
    parser.add_argument("--again", action="store_true", help="repeat runs whose results have other settings")
    parser.add_argument("--list", action="store_true", help="list the runs and their states; run nothing")


def add_training_options(parser: argparse.ArgumentParser) -> None:
    """The options of the scripts that train."""
    parser.add_argument("--scratch", default="", help="folder for models during training")
    parser.add_argument(
        "--encoders", nargs="+", default=[], metavar="NAME=FOLDER", help="folders of pretrained encoders"
    )


def run_script(main: Callable[[], int]) -> NoReturn:
    """Run a script: a mistake of the user is one line, an interruption has no traceback."""
    try:
        code = main()
    except ArctagError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("interrupted; the same command resumes", file=sys.stderr)
        code = 130
    sys.exit(code)
