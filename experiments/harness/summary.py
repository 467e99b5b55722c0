"""Results by cell: a treebank, a parser, a variant and an encoder, with the runs of all seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add
from statistics import mean, stdev
from typing import Any, NamedTuple

from arctag.metrics import METRICS, compare
from harness.grid import Run
from harness.packing import unpack

NOTHING = "–"
LEVEL = 0.05
"""Differences less probable than this by chance are marked."""
Result = dict[str, Any]
Get = Callable[[Result], float | None]


class Key(NamedTuple):
    """Which cell."""

    treebank: str
    parser: str
    variant: str
    encoder: str
    overrides: tuple[tuple[str, Any], ...] = ()


def key_of_run(run: Run) -> Key:
    """The cell of a run of the grid."""
    return Key(run.treebank, run.parser, run.variant, run.encoder, run.overrides)


def key_of_result(result: Result) -> Key:
    """The cell of a result."""
    overrides = tuple(sorted(result["overrides"].items()))
    return Key(result["treebank"], result["parser"], result["variant"], result["encoder"], overrides)


class Comparison(NamedTuple):
    """How two cells differ."""

    difference: float
    """Of LF, in points."""
    p_value: float
    seeds: list[int]


@dataclass(frozen=True)
class Summary:
    """All results of training runs, by cell."""

    cells: dict[Key, list[Result]]
    samples: int
    """Of the bootstrap."""

    @classmethod
    def of(cls, results: Iterable[Result], samples: int) -> Summary:
        """Gather results."""
        cells: dict[Key, list[Result]] = {}
        for result in sorted(results, key=lambda r: int(r["seed"])):
            cells.setdefault(key_of_result(result), []).append(result)
        return cls(cells, samples)

    def values(self, key: Key, get: Get) -> list[float]:
        """A figure of each seed."""
        return [value for result in self.cells.get(key, []) if (value := get(result)) is not None]

    def show(self, key: Key, get: Get, digits: int = 2) -> str:
        """A figure for people: mean, and spread where there are several seeds."""
        return show(self.values(key, get), digits)

    def mark(self, key: Key, baseline: str, test: str = "test") -> str:
        """An arrow where LF differs from the baseline's more than the choice of sentences explains."""
        return self.differs(key, key._replace(parser=baseline, variant="", overrides=()), test)

    def differs(self, key: Key, other: Key, test: str = "test") -> str:
        """The same for any two cells."""
        found = None if key == other else self.compare(key, other, test)
        if found is None or found.p_value >= LEVEL:
            return ""
        return " ↑" if found.difference > 0 else " ↓"

    def compare(self, key: Key, other: Key, test: str = "test") -> Comparison | None:
        """LF of two cells in the seeds that both have; None where there is no such seed."""
        ours, theirs = ({r["seed"]: r for r in self.cells.get(k, []) if test in r["tests"]} for k in (key, other))
        seeds = sorted(ours.keys() & theirs.keys())
        if not seeds:
            return None
        # the same sentences, each as often as there are seeds: differences between seeds even out
        counts = [reduce(add, (unpack(side[s]["tests"][test]["counts"]) for s in seeds)) for side in (ours, theirs)]
        found = compare(METRICS["sdp"], counts[0], counts[1], self.samples)
        return Comparison(100 * found.difference, found.p_value, seeds)


def show(values: list[float], digits: int = 2) -> str:
    """A mean, with the standard deviation of several values."""
    if not values:
        return NOTHING
    spread = f" ±{stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):,.{digits}f}{spread}"


def sdp(figure: str, test: str = "test", tops: str = "including_tops") -> Get:
    """A figure of the SDP scorer, in per cent; nothing correct is 0."""
    return lambda result: 100 * (result["tests"][test]["sdp"][tops][figure] or 0.0) if test in result["tests"] else None


def of_test(*path: str, test: str = "test", scale: float = 1.0) -> Get:
    """Another figure on a test file, by its path."""

    def get(result: Result) -> float | None:
        value: Any = result["tests"].get(test)
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return None if value is None else scale * float(value)

    return get


def tag_accuracy(result: Result) -> float | None:
    """Of the labels; the mean over encodings where there are several."""
    found = result["tests"]["test"].get("tag_accuracy")
    return mean(found.values()) if found else None
