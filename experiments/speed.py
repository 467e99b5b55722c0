"""Measure what the grid says under [[speed]] and [[lengths]], on an otherwise idle machine.

    python experiments/run.py --keep MODELS --only 'iwpt_ta--*'
    python experiments/speed.py MODELS

Speed: words a second from words to arcs, the models of a treebank in turns. Lengths: time and memory for sentences of
10 to 5,000 words. MODELS is the folder in which run.py has kept its models. Results bear the machine's name, so that
those of several machines stand side by side; what is there already is not measured again, unless with --again.
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
from harness.grid import Grid, Run, chosen, find_file, read_grid
from harness.launch import add_options, script
from harness.store import FORMAT, LENGTHS, SPEED, result_path, write_result
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", metavar="MODELS", help="the folder that `run.py --keep` has filled")
    add_options(parser)
    kinds = [SPEED, LENGTHS]
    parser.add_argument("--what", nargs="+", choices=kinds, default=kinds, help="both unless said")
    parser.add_argument("--batch-tokens", type=int, default=8_192, metavar="N", help="words parsed at a time (8192)")
    parser.add_argument("--words", type=int, default=16_384, metavar="N", help="for speed: words to parse (16384)")
    parser.add_argument(
        "--seconds", type=float, default=1.0, metavar="N", help="for speed: measure each at least so long (1)"
    )
    parser.add_argument("--sentences", type=int, default=4, metavar="N", help="for lengths: sentences of each (4)")
    parser.add_argument(
        "--lengths", type=int, nargs="+", default=SENTENCE_LENGTHS, metavar="N", help="sentence lengths (10 … 5000)"
    )
    options = parser.parse_args()
    _check(options)
    grid = read_grid(options.grid)
    asked = {SPEED: grid.speed, LENGTHS: grid.lengths}
    todo = [(kind, run) for kind in options.what for run in chosen(grid.runs(asked[kind]), options.only)]
    encoders, treebanks = list(grid.encoders), list(grid.treebanks)
    todo.sort(key=lambda item: (item[0], encoders.index(item[1].encoder), treebanks.index(item[1].treebank)))
    if not todo:
        raise InputError(f"nothing matches {' '.join(options.only)!r}; --list shows the names")
    states = {(kind, run.id): _state(kind, run, options) for kind, run in todo}
    if options.list:
        for (kind, name), state in states.items():
            print(f"{state:10}  {kind:7}  {name}")
    print(", ".join(f"{count} {state}" for state, count in Counter(states.values()).most_common()), flush=True)
    if NO_MODEL in states.values() and not options.list:
        print(f"models that are not there: run.py --keep {options.models} --only … (--list shows which)", flush=True)
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


def _result(kind: str, run: Run, options: argparse.Namespace) -> Path:
    return result_path(Path(options.results), f"{kind}--{machine_slug(options.device)}--{run.id}")


def _state(kind: str, run: Run, options: argparse.Namespace) -> str:
    if _result(kind, run, options).exists() and not options.again:
        return DONE
    return READY if (Path(options.models) / run.id).is_dir() else NO_MODEL


def _measure(grid: Grid, todo: list[tuple[str, Run]], options: argparse.Namespace, end: float) -> None:
    """Those of a treebank and encoder together: they will be compared, and no machine is equally fast all the time."""
    for (kind, _, treebank), items in groupby(todo, key=lambda item: (item[0], item[1].encoder, item[1].treebank)):
        if monotonic() > end:
            print("not all were measured within the limit: the same command goes on", flush=True)
            return
        test = find_file(Path(options.data), grid.treebanks[treebank].test)
        if test is None:
            raise InputError(f"{grid.treebanks[treebank].test} is not in {options.data}")
        runs = [run for _, run in items]
        for run, figures in (_speeds if kind == SPEED else _lengths)(runs, str(test), options):
            _write(kind, run, figures, options)


def _speeds(runs: list[Run], test: str, options: argparse.Namespace) -> Iterator[tuple[Run, dict[str, Any]]]:
    parsers = [_load(run, options) for run in runs]
    found = speeds(parsers, _sentences(test), options.words, options.batch_tokens, options.seconds)
    for run, parser, figures in zip(runs, parsers, found, strict=True):
        asked = {"words": options.words, "seconds": options.seconds}
        yield run, {**figures, **asked, "best_epoch": parser.config.card.get("best_epoch")}


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


def _write(kind: str, run: Run, figures: dict[str, Any], options: argparse.Namespace) -> None:
    about = {"treebank": run.treebank, "parser": run.parser, "variant": run.variant, "encoder": run.encoder,
             "seed": run.seed, "overrides": dict(run.overrides)}  # fmt: skip
    write_result(_result(kind, run, options), {
        "format": FORMAT, "kind": kind, "id": run.id, **about,
        "environment": environment(options.device or _device()), "threads": _threads(), **figures,
    })  # fmt: skip
    told = f"{figures['tokens_per_s']:,} tokens/s" if kind == SPEED else ""
    print(f"{kind:7}  {run.id}  {told}", flush=True)


if __name__ == "__main__":
    script(main)
