"""Which encoding to train with: the rule behind `--encoding auto` and `arctag diagnose`, as experiments found it.

On nine treebanks (docs/experiments.md) the first encoding of these lists that covers enough of the arcs was the best
one, or so close to it that chance explains the difference.
"""

from __future__ import annotations

from collections.abc import Callable

from arctag.encodings import Arcs, encoding

AUTO = "auto"
ENOUGH = 99.9  # per cent of arcs (as F1): below it, what an encoding leaves out costs more than its labels save
_VERIFIED = (("bits6-4", ENOUGH), ("brackets-3", ENOUGH), ("hierarchical", 0.0))
# a wrong label does more harm where no arc is looked at twice: fewer planes, and so fewer labels, are better
_PLAIN = (("bits6-2", 99.0), ("bits6-4", 99.0), ("brackets-3", 99.0), ("hierarchical", 0.0))


def oracle_f(kept: int, total: int) -> float:
    """F1, in per cent, when all that is kept is right."""
    return 200 * kept / (kept + total) if total else 100.0


def choose(coverage: Callable[[str], float | None], verify: bool = True) -> str | None:
    """The encoding to train with, from the coverage of each (None where it is not to be had)."""
    for name, least in _VERIFIED if verify else _PLAIN:
        found = coverage(name)
        if found is not None and found >= least:
            return name
    return None


def best_encoding(arcs: Arcs, verify: bool = True) -> str:
    """The encoding to train with on these graphs."""

    def coverage(name: str) -> float:
        covered = encoding(name).covers_all(arcs)
        return oracle_f(int(covered.sum()), len(covered))

    found = choose(coverage, verify)
    assert found is not None  # the last one of each list takes every graph
    return found
