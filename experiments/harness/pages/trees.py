"""Trees: every encoding against biaffine with a spanning tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from harness.pages.context import Context
from harness.pages.markdown import Table, bold_best
from harness.store import TREES, Result
from harness.summary import NOTHING, show_p

BASELINE, GRAPH = "biaffine", "graph"
WAYS = ("labels alone", "verified", "all pairs", "from the graph")
OWN = {BASELINE: "all pairs", GRAPH: "from the graph"}
"""The way in which a model finds trees, where it is not `verified`."""
FILES = {"en_ewt/test.conllu": "EWT", "en_pud/test.conllu": "PUD"}


def trees(context: Context) -> Iterator[str]:
    """A table of LAS for each way to find trees, and one of differences."""
    results = context.of_kind(TREES)
    if not results:
        return
    by_encoding: dict[str, list[Result]] = {}
    for result in results:
        by_encoding.setdefault(result["encoding"], []).append(result)
    table = Table(["encoding", "seeds", *(f"{name}, {way}" for name in FILES.values() for way in WAYS), "EWT, UAS"])
    for encoding, some in sorted(by_encoding.items(), key=lambda item: -_mean(item[1], "en_ewt/test.conllu", item[0])):
        cells = [_cell(some, file, way) for file in FILES for way in WAYS]
        table.rows.append(
            [f"`{encoding}`", str(len(some)), *cells, _cell(some, "en_ewt/test.conllu", _way(encoding), "UAS")]
        )
    bold_best(table, [table.columns.index(f"{name}, verified") for name in FILES.values()], bool)
    yield table.text() + "\n"
    yield _differences(by_encoding, context.samples).text()


def _differences(by_encoding: dict[str, list[Result]], samples: int) -> Table:
    """Of each encoding to biaffine, in the seeds that both have."""
    table = Table(["encoding", "seeds", "EWT, LAS to biaffine", "p", "PUD, LAS to biaffine", "p"])
    theirs = {result["seed"]: result for result in by_encoding.get(BASELINE, [])}
    for encoding, some in by_encoding.items():
        shared = [(result, theirs[result["seed"]]) for result in some if result["seed"] in theirs]
        if encoding == BASELINE or not shared:
            continue
        cells = []
        for file in FILES:
            pairs = [(r["files"][file][_way(encoding)], o["files"][file]["all pairs"]) for r, o in shared]
            difference, p_value = paired(
                [(one["right"], other["right"]) for one, other in pairs], pairs[0][0]["words"], samples
            )
            cells += [f"{difference:+.2f}", show_p(p_value, samples).removeprefix("= ")]
        table.rows.append([f"`{encoding}`", str(len(shared)), *cells])
    return table


def paired(counts: Iterable[tuple[Sequence[int], Sequence[int]]], words: int, samples: int) -> tuple[float, float]:
    """The mean difference in percent of words, and its p value: sentences drawn again, pooled over seeds."""
    both = [np.array(pair) for pair in counts]
    difference = np.mean([one - other for one, other in both], axis=0)
    drawn = np.random.default_rng(0).multinomial(len(difference), [1 / len(difference)] * len(difference), samples)
    observed, sampled = difference.sum(), drawn @ difference
    extreme = int(np.sum(np.abs(sampled - observed) >= abs(observed) - 1e-9))
    return 100 * float(observed) / words, (extreme + 1) / (samples + 1)


def _way(encoding: str) -> str:
    return OWN.get(encoding, "verified")


def _mean(some: list[Result], file: str, encoding: str) -> float:
    return float(np.mean([result["files"][file][_way(encoding)]["LAS"] for result in some]))


def _cell(some: list[Result], file: str, way: str, figure: str = "LAS") -> str:
    found = [result["files"][file][way][figure] for result in some if way in result["files"][file]]
    return f"{np.mean(found):.2f}" if found else NOTHING
