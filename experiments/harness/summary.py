"""Results by cell: a treebank, a parser, a variant and an encoder, with the runs of all seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from statistics import mean, stdev
from typing import Any, NamedTuple

from arctag.metrics import compare
from harness.grid import Run
from harness.packing import METRIC, unpack
from harness.store import Result

NOTHING = "–"
LEVEL = 0.05
"""Differences with a smaller p value are marked."""
Get = Callable[[Result], float | None]


class Key(NamedTuple):
    """Identifies a cell."""

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
    """The difference of two cells."""

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
    _comparisons: dict[tuple[Key, Key, str], Comparison | None] = field(default_factory=dict)
    """What was compared: the same cells are in several tables."""

    @classmethod
    def of(cls, results: Iterable[Result], samples: int) -> Summary:
        """Group results by cell."""
        cells: dict[Key, list[Result]] = {}
        for result in sorted(results, key=lambda r: int(r["seed"])):
            cells.setdefault(key_of_result(result), []).append(result)
        return cls(cells, samples)

    def values(self, key: Key, get: Get) -> list[float]:
        """A figure of each seed."""
        return [value for result in self.cells.get(key, []) if (value := get(result)) is not None]

    def show(self, key: Key, get: Get, digits: int = 2) -> str:
        """A figure as text: the mean, with the standard deviation of several seeds."""
        return show(self.values(key, get), digits)

    def mark(self, key: Key, baseline: str, test: str = "test") -> str:
        """An arrow where LF differs significantly from the baseline's."""
        return self.mark_difference(key, key._replace(parser=baseline, variant="", overrides=()), test)

    def mark_difference(self, key: Key, other: Key, test: str = "test") -> str:
        """An arrow where LF of two cells differs significantly."""
        comparison = None if key == other else self.compare(key, other, test)
        if comparison is None or comparison.p_value >= LEVEL:
            return ""
        return " ↑" if comparison.difference > 0 else " ↓"

    def compare(self, key: Key, other: Key, test: str = "test") -> Comparison | None:
        """LF of two cells in the seeds that both have; None where there is no such seed."""
        cells = key, other, test
        if cells not in self._comparisons:
            self._comparisons[cells] = self._compare(*cells)
        return self._comparisons[cells]

    def _compare(self, key: Key, other: Key, test: str) -> Comparison | None:
        ours, theirs = ({r["seed"]: r for r in self.cells.get(k, []) if test in r["tests"]} for k in (key, other))
        seeds = sorted(ours.keys() & theirs.keys())
        if not seeds:
            return None
        # the counts of a sentence are added up over seeds, which evens out differences between them
        counts = [reduce(add, (unpack(side[s]["tests"][test]["counts"]) for s in seeds)) for side in (ours, theirs)]
        result = compare(METRIC, counts[0], counts[1], self.samples)
        return Comparison(100 * result.difference, result.p_value, seeds)


def show(values: list[float], digits: int = 2) -> str:
    """The mean, with the standard deviation of several values."""
    if not values:
        return NOTHING
    deviation = f" ±{stdev(values):.{digits}f}" if len(values) > 1 else ""
    return f"{mean(values):,.{digits}f}{deviation}"


def show_p(p_value: float, samples: int) -> str:
    """`= 0.04`, or `< 0.001` where no sample was as extreme."""
    least = 1 / (samples + 1)
    return f"= {p_value:.3g}" if p_value > least else f"< {2 * least:.1g}"


def sdp(figure: str, test: str = "test", tops: str = "including_tops") -> Get:
    """A figure of the SDP scorer, in per cent; 0 where nothing is correct."""
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
    """The accuracy of labels; the mean over encodings where there are several."""
    accuracies = result["tests"]["test"].get("tag_accuracy")
    return mean(accuracies.values()) if accuracies else None
