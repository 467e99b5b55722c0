"""Compare two cells of the tables: LF of each, their difference, and how probable such a one is by chance.

    python experiments/compare.py en_ewt--bits6-4--verified--bilstm en_ewt--biaffine--bilstm
    python experiments/compare.py dm_wescience--brackets-3--verified--mpnet dm_wescience--biaffine--mpnet --test ood

A cell is the name of a result file without its seed; what its block set comes last: en_ewt--biaffine--bilstm,
en_ewt--biaffine--bilstm--relation_weight=2.0. Means are of all seeds; difference and p (paired bootstrap over
sentences) of the seeds that both have.
"""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from pathlib import Path
from statistics import mean

from harness.launch import HERE, script
from harness.store import RUN, read_results
from harness.summary import Key, Result, Summary, key_of_result, sdp

from arctag.errors import InputError


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs=2, metavar="CELL")
    parser.add_argument(
        "--test", default="test", metavar="NAME", help="test, or another file of the treebank: pud, ood"
    )
    parser.add_argument("--results", default=str(HERE / "results"))
    parser.add_argument("--samples", type=int, default=2_000, metavar="N", help="bootstrap samples (default: 2000)")
    options = parser.parse_args()
    runs = [result for result in read_results(Path(options.results)) if result["kind"] == RUN]
    names = {_name(run): key_of_result(run) for run in runs}
    summary = Summary.of(runs, options.samples)
    keys = [_cell(name, names) for name in options.cells]
    if keys[0].treebank != keys[1].treebank:
        raise InputError("cells of two treebanks cannot be compared: their sentences are not the same")
    for name, key in zip(options.cells, keys, strict=True):
        print(f"{name}: {_told(summary, key, options.test)}")
    found = summary.compare(keys[0], keys[1], options.test)
    if found is None:
        raise InputError("the two have no seed in common that was scored on this file")
    least = 1 / (options.samples + 1)
    p = f"p = {found.p_value:.3g}" if found.p_value > least else f"p < {2 * least:.1g}"
    print(f"difference of LF {found.difference:+.2f}, {p} (seeds {', '.join(map(str, found.seeds))})")
    return 0


def _name(run: Result) -> str:
    return re.sub(r"--s\d+(?=--|$)", "", run["id"])


def _cell(name: str, names: dict[str, Key]) -> Key:
    if name not in names:
        near = get_close_matches(name, names, n=4, cutoff=0.5)
        raise InputError(f"there is no cell {name!r}" + (f"; near it: {', '.join(near)}" if near else ""))
    return names[name]


def _told(summary: Summary, key: Key, test: str) -> str:
    values = {figure: summary.values(key, sdp(figure, test)) for figure in ("UF", "LF")}
    if not values["LF"]:
        raise InputError(f"{key.treebank} was not scored on {test!r}")
    figures = ", ".join(f"{figure} {mean(found):.2f}" for figure, found in values.items())
    return f"{figures} ({len(values['LF'])} seeds)" if len(values["LF"]) > 1 else f"{figures} (1 seed)"


if __name__ == "__main__":
    script(main)
