"""Which encoding to train with: the rule behind `--encoding auto` and `arctag diagnose`, as experiments suggest it.

The first encoding of these lists that covers enough of the arcs was the best one on most of nine treebanks, or close
to it (docs/experiments.md, under "The default encoding"). For trees seven bits were the best of those
that were tried, verified or not (docs/experiments/trees.md).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arctag.encodings import encoding
from arctag.encodings.encoded import EncodedGraphs

AUTO = "auto"
ENOUGH = 99.9  # per cent of arcs (as F1): below it, what an encoding leaves out costs more than its labels save
_VERIFIED = (("bits6-4", ENOUGH), ("brackets-3", ENOUGH), ("hierarchical", 0.0))
# a wrong label does more harm where arcs are not verified: fewer planes, and so fewer labels, are better
_PLAIN = (("bits6-2", 99.0), ("brackets-3", 99.0), ("hierarchical", 0.0))
_TREES = (("treebits7", ENOUGH), ("treehierarchical", 0.0))
FOR_TREES = tuple(encoding(name) for name, _ in _TREES)
"""Those from which one is chosen for trees."""


def oracle_f(kept: int, total: int, replaced: bool = False) -> float:
    """F1, in per cent with two digits, when all that is kept is right.

    `replaced`: whether there is a wrong arc for each that is lost, as in trees.
    """
    return round(200 * kept / ((total if replaced else kept) + total), 2) if total else 100.0


def choose(coverage: Callable[[str], float | None], verify: bool = True, trees: bool = False) -> str | None:
    """The encoding to train with, from the coverage of each; None where an unknown coverage could decide."""
    for name, least in _TREES if trees else _VERIFIED if verify else _PLAIN:
        covered = coverage(name)
        if covered is None:
            return None
        if covered >= least:
            return name
    return None


def best_encoding(graphs: EncodedGraphs, verify: bool = True, trees: bool = False, **options: Any) -> str:
    """The encoding to train with on these graphs, or trees; options as `encoding` takes them."""

    def coverage(name: str) -> float:
        chosen = encoding(name, **options)
        covered = graphs.covered(chosen)
        return oracle_f(int(covered.sum()), len(covered), chosen.trees_only)

    best = choose(coverage, verify, trees)
    assert best is not None  # the last one of each list covers every graph
    return best
