"""What every metric is made of: integer counts per sentence, and figures from their sum.

A metric turns two lists of sentences into one row of counts per *gold* sentence. Rows add up, so
the corpus figures, a bootstrap sample and a breakdown are all sums over the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from arctag import __version__
from arctag.graph import Graph
from arctag.sentence import Sentence

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Figures = dict[str, dict[str, float | None]]
"""Group → figure → value; None where the figure is not defined (the official scorer prints NaN)."""
Triple = tuple[int, int, str]
"""Head, dependent, relation."""
Table = tuple[list[str], list[list[str]]]
"""Column names and rows, as text."""


@dataclass(frozen=True)
class Pair:
    """One gold sentence and what the system has for it, in a numbering of words that both share."""

    graph: Graph
    """The gold graph, after its empty nodes were treated."""
    gold: dict[Triple, int]
    """Each gold arc and its length."""
    system: dict[Triple, int]
    """Each system arc and its length; it is correct if it is in `gold`."""


@dataclass(frozen=True)
class Metric:
    """One way to score: how to count, and how to turn counts into figures."""

    name: str
    options: str
    """The middle of the signature: what was done with tops, empty nodes and so on."""
    columns: tuple[str, ...]
    """What each column of the counts holds."""
    count: Callable[[list[Sentence], list[Sentence]], Counts]
    """Gold and system sentences → one row of counts per gold sentence."""
    pairs: Callable[[list[Sentence], list[Sentence]], Iterable[Pair]]
    """The same sentences as arcs, for breakdowns."""
    figures: Callable[[Counts], Figures]
    """The sum of the rows → the figures, rounded as the official scorer prints them."""
    headline: str
    """What the figure that stands for the whole is called."""
    headline_place: tuple[str, str]
    """Its group and name in the figures."""
    headline_columns: tuple[int, int, int]
    """Where the counts have gold, system and correct of the headline figure, an F1."""
    scale: float
    """What a perfect headline figure is: 1 or 100."""
    digits: int
    """How many decimals the official scorer prints."""
    unlabelled_place: tuple[str, str] | None = None
    """Group and name of the headline figure without relations, if there is one."""

    @property
    def signature(self) -> str:
        """Everything someone needs to compute the same figures again."""
        return f"{self.name}|{self.options}|arctag:{__version__}"

    def headline_values(self, totals: Floats) -> Floats:
        """The headline figure of each row of summed counts, not rounded; 0 where there is nothing to score."""
        gold, system, correct = (totals[..., column] for column in self.headline_columns)
        values: Floats = self.scale * 2 * correct / np.maximum(gold + system, 1)
        return values


@dataclass(frozen=True)
class Cell:
    """One group of a breakdown."""

    gold: int
    system: int
    correct: int

    @property
    def precision(self) -> float | None:
        """Correct arcs among the system's."""
        return ratio(self.correct, self.system)

    @property
    def recall(self) -> float | None:
        """Correct arcs among the gold ones."""
        return ratio(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        return 2 * self.correct / max(self.gold + self.system, 1)

    def as_dict(self) -> dict[str, float | None]:
        """Figures (six decimals) and counts."""
        figures = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        rounded = {name: None if value is None else round(value, 6) for name, value in figures.items()}
        return {**rounded, "gold": self.gold, "system": self.system, "correct": self.correct}


Breakdown = dict[str, Cell]
"""Group → its counts, in the order to show them."""


@dataclass(frozen=True, eq=False)
class Score:
    """What a system scores against gold."""

    metric: str
    signature: str
    figures: Figures
    main: tuple[str, float]
    """Name and value of the headline figure; 0 where the official scorer prints NaN, so that values compare."""
    counts: Counts
    """One row of counts per gold sentence."""
    digits: int = 6
    """How many decimals to show."""
    breakdowns: dict[str, Breakdown] = field(default_factory=dict)
    """What was asked for (`relation`, `length`, …) → group → counts."""

    def table(self) -> Table:
        """The figures as a table whose longer side runs down."""
        groups, names = list(self.figures), list(next(iter(self.figures.values())))
        if len(groups) >= len(names):
            cells = [[group, *(show(self.figures[group][name], self.digits) for name in names)] for group in groups]
            return [self.metric, *names], cells
        cells = [[name, *(show(self.figures[group][name], self.digits) for group in groups)] for name in names]
        return [self.metric, *groups], cells

    def __str__(self) -> str:
        columns, rows = self.table()
        widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
        lines = [_justified(row, widths) for row in (columns, *rows)]
        return "\n".join([*lines, self.signature])


def _justified(row: list[str], widths: list[int]) -> str:
    cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
    return "  ".join(cells)


def ratio(part: int, whole: int) -> float | None:
    """A fraction, or None where there is nothing to divide by."""
    return part / whole if whole else None


def show(value: float | None, digits: int) -> str:
    """A figure for people."""
    return "-" if value is None else f"{value:.{digits}f}"
