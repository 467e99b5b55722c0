"""`Score`: the figures of a system, with breakdowns into `Cell`s."""

from __future__ import annotations

from dataclasses import dataclass, field

from arctag.errors import InputError
from arctag.metrics.bootstrap import Comparison, compare
from arctag.metrics.protocol import Counts, Figures
from arctag.metrics.tables import Table, html_table, text_table


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


@dataclass(frozen=True, eq=False, repr=False)
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
    """The name in `by` (`relation`, `length`, …) → group → counts."""

    def table(self) -> Table:
        """The figures as a table whose longer side runs down."""
        groups, names = list(self.figures), list(next(iter(self.figures.values())))
        if len(groups) >= len(names):
            cells = [[group, *(show(self.figures[group][name], self.digits) for name in names)] for group in groups]
            return [self.metric, *names], cells
        cells = [[name, *(show(self.figures[group][name], self.digits) for group in groups)] for name in names]
        return [self.metric, *groups], cells

    def against(self, other: Score, samples: int = 10_000, seed: int = 0) -> Comparison:
        """Whether this system is better than another one on the same gold sentences, or only by chance."""
        from arctag.metrics import get_metric

        if self.metric != other.metric:
            raise InputError(f"a score in {self.metric} cannot be compared with one in {other.metric}: use one metric")
        return compare(get_metric(self.metric), self.counts, other.counts, samples, seed)

    def __str__(self) -> str:
        return "\n".join([*text_table(self.table()), self.signature])

    def __repr__(self) -> str:
        return f"<Score {self.metric}: {self.main[0]} {show(self.main[1], self.digits)}>"

    def _repr_html_(self) -> str:
        return html_table(self.table(), self.signature)


def ratio(part: int, whole: int) -> float | None:
    """A fraction, or None where there is nothing to divide by."""
    return part / whole if whole else None


def show(value: float | None, digits: int) -> str:
    """A figure for people."""
    return "-" if value is None else f"{value:.{digits}f}"
