"""Measure speed, as the grid describes it under [[speed]] and [[lengths]], on an otherwise idle machine.

    python experiments/run.py --keep MODELS --only 'iwpt_ta--*'
    python experiments/speed.py MODELS

`speed` is words per second from words to arcs; the models of a treebank take turns. `lengths` is time and memory for
sentences of 10 to 5,000 words. MODELS is the folder in which run.py has kept its models. Results are kept by machine;
what was measured on this one is not measured again, unless with --again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any

from harness.environment import environment, machine_slug
from harness.grid import Grid, Run, find_file, read_grid, select
from harness.options import add_run_options, command_line, run_script
from harness.store import FORMAT, LENGTHS, SPEED, add_result, measurement_name, name_of, read_results
from harness.timing import by_length, speeds

from arctag.errors import InputError
from arctag.formats import read
from arctag.parsing.loading import load
from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

SENTENCE_LENGTHS = (10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
DONE, READY, NO_MODEL = "done", "to measure", "no model"


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("models", metavar="MODELS", help="the folder that `run.py --keep` has filled")
    add_run_options(parser)
    kinds = [SPEED, LENGTHS]
    parser.add_argument("--what", nargs="+", choices=kinds, default=kinds, help="what to measure (default: both)")
    parser.add_argument("--batch-tokens", type=int, default=8_192, metavar="N", help="words in a batch (8192)")
    parser.add_argument("--words", type=int, default=16_384, metavar="N", help="for speed: words to parse (16384)")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="N", help="for speed: time each model at least this long (1)"
    )
    parser.add_argument("--sentences", type=int, default=4, metavar="N", help="for lengths: sentences of each (4)")
    parser.add_argument(
        "--lengths", type=int, nargs="+", default=SENTENCE_LENGTHS, metavar="N", help="sentence lengths (10 … 5000)"
    )
    options = parser.parse_args()
    _check(options)
    grid = read_grid(options.grid)
    blocks = {SPEED: grid.speed, LENGTHS: grid.lengths}
    todo = [(kind, run) for kind in options.what for run in select(grid.runs(blocks[kind]), options.only)]
    encoders, treebanks = list(grid.encoders), list(grid.treebanks)
    todo.sort(key=lambda item: (item[0], encoders.index(item[1].encoder), treebanks.index(item[1].treebank)))
    if not todo:
        raise InputError(f"nothing matches {' '.join(options.only)!r}; --list shows the names")
    done = set() if options.again else {name_of(result) for result in read_results(Path(options.results))}
    states = {(kind, run.id): _state(kind, run, options, done) for kind, run in todo}
    if options.list:
        for (kind, name), state in states.items():
            print(f"{state:10}  {kind:7}  {name}")
    print(", ".join(f"{count} {state}" for state, count in Counter(states.values()).most_common()), flush=True)
    if NO_MODEL in states.values() and not options.list:
        print(f"missing models: run.py --keep {options.models} --only … (--list shows which)", flush=True)
    if not options.list:
        ready = [(kind, run) for kind, run in todo if states[kind, run.id] == READY]
        _measure(grid, ready, options, monotonic() + options.limit)
    return 0


def _check(options: argparse.Namespace) -> None:
    if not Path(options.models).is_dir():
        raise InputError(
            f"there is no folder {options.models}; python experiments/run.py --keep {options.models} fills it"
        )
    for name in ("batch_tokens", "words", "seconds", "sentences"):
        if getattr(options, name) <= 0:
            raise InputError(f"--{name.replace('_', '-')} must be more than 0")
    if min(options.lengths) < 1:
        raise InputError("--lengths must be 1 or more")


def _state(kind: str, run: Run, options: argparse.Namespace, done: set[str]) -> str:
    if measurement_name(kind, machine_slug(options.device), run.id) in done:
        return DONE
    return READY if (Path(options.models) / run.id).is_dir() else NO_MODEL


def _measure(grid: Grid, todo: list[tuple[str, Run]], options: argparse.Namespace, end: float) -> None:
    """Models of the same treebank and encoder together: they will be compared, and machines change speed."""
    for (kind, _, treebank), items in groupby(todo, key=lambda item: (item[0], item[1].encoder, item[1].treebank)):
        if monotonic() > end:
            print("not all were measured within the limit: the same command resumes", flush=True)
            return
        test = find_file(Path(options.data), grid.treebanks[treebank].test)
        if test is None:
            raise InputError(f"{grid.treebanks[treebank].test} is not in {options.data}")
        runs = [run for _, run in items]
        for run, figures in (_speeds if kind == SPEED else _lengths)(runs, str(test), options):
            _add(kind, run, figures, options)


def _speeds(runs: list[Run], test: str, options: argparse.Namespace) -> Iterator[tuple[Run, dict[str, Any]]]:
    parsers = [_load(run, options) for run in runs]
    rows = speeds(parsers, _sentences(test), options.words, options.batch_tokens, options.seconds)
    for run, parser, figures in zip(runs, parsers, rows, strict=True):
        settings = {"words": options.words, "seconds": options.seconds}
        yield run, {**figures, **settings, "best_epoch": parser.config.card.get("best_epoch")}


def _lengths(runs: list[Run], test: str, options: argparse.Namespace) -> Iterator[tuple[Run, dict[str, Any]]]:
    on_gpu = (options.device or _device()).startswith("cuda")
    for run in runs:
        yield run, by_length(_load(run, options), _sentences(test), options.lengths, options.sentences, on_gpu)


def _load(run: Run, options: argparse.Namespace) -> Parser:
    return load(str(Path(options.models) / run.id), options.device or _device())


@cache
def _sentences(file: str) -> list[Sentence]:
    return [empty_nodes.drop(sentence) for sentence in read(file)]


def _device() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _threads() -> int:
    import torch

    return torch.get_num_threads()


def _add(kind: str, run: Run, figures: dict[str, Any], options: argparse.Namespace) -> None:
    add_result(Path(options.results), {
        "format": FORMAT, "kind": kind, "id": run.id, "machine": machine_slug(options.device), **run.about,
        "environment": environment(options.device or _device()), "threads": _threads(), **figures,
    })  # fmt: skip
    speed = f"{figures['tokens_per_s']:,} tokens/s" if kind == SPEED else ""
    print(f"{kind:7}  {run.id}  {speed}", flush=True)


if __name__ == "__main__":
    run_script(main)
