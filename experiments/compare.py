"""Compare two cells of the tables: LF of each, the difference, and its p value.

    python experiments/compare.py en_ewt--bits6-4--verified--bilstm en_ewt--biaffine--bilstm
    python experiments/compare.py dm_wescience--brackets-3--verified--mpnet dm_wescience--biaffine--mpnet --test ood

A cell is the id of a run without its seed; settings of its block come last: en_ewt--biaffine--bilstm,
en_ewt--biaffine--bilstm--relation_weight=2.0. Means are over all seeds; the difference and p (paired bootstrap over
sentences) are of the seeds that both cells have.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from statistics import mean

from harness.options import add_samples, command_line, run_script
from harness.store import RUN, Result, read_results
from harness.summary import Key, Summary, key_of_result, sdp, show_p

from arctag.errors import InputError


def main() -> int:
    """The command line."""
    parser = command_line(__doc__)
    parser.add_argument("cells", nargs=2, metavar="CELL")
    parser.add_argument(
        "--test", default="test", metavar="NAME", help="test, or another file of the treebank: pud, ood"
    )
    add_samples(parser)
    options = parser.parse_args()
    runs = [result for result in read_results(Path(options.results)) if result["kind"] == RUN]
    names = {_name(run): key_of_result(run) for run in runs}
    summary = Summary.of(runs, options.samples)
    one, other = (_cell(name, names) for name in options.cells)
    if one.treebank != other.treebank:
        raise InputError("cells of two treebanks cannot be compared: their sentences are not the same")
    for name, key in zip(options.cells, (one, other), strict=True):
        print(f"{name}: {_scores(summary, key, options.test)}")
    comparison = summary.compare(one, other, options.test)
    if comparison is None:
        raise InputError("the two have no seed in common that was scored on this file")
    p = show_p(comparison.p_value, options.samples)
    seeds = ", ".join(map(str, comparison.seeds))
    print(f"difference of LF {comparison.difference:+.2f}, p {p} (seeds {seeds})")
    return 0


def _name(run: Result) -> str:
    return re.sub(r"--s\d+(?=--|$)", "", run["id"])


def _cell(name: str, names: dict[str, Key]) -> Key:
    if name not in names:
        similar = get_close_matches(name, names, n=4, cutoff=0.5)
        raise InputError(f"there is no cell {name!r}" + (f"; similar: {', '.join(similar)}" if similar else ""))
    return names[name]


def _scores(summary: Summary, key: Key, test: str) -> str:
    values = {figure: summary.values(key, sdp(figure, test)) for figure in ("UF", "LF")}
    if not values["LF"]:
        raise InputError(f"{key.treebank} was not scored on {test!r}")
    figures = ", ".join(f"{figure} {mean(scores):.2f}" for figure, scores in values.items())
    return f"{figures} ({len(values['LF'])} seeds)" if len(values["LF"]) > 1 else f"{figures} (1 seed)"


if __name__ == "__main__":
    run_script(main)
