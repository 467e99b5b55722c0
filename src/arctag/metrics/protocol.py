"""`Metric`: what a metric provides.

A metric turns two lists of sentences into one row of integer counts per *gold* sentence. Rows add up: the figures of
a corpus, a bootstrap sample and a breakdown are all sums over the same rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from arctag import __version__
from arctag.graph import Graph
from arctag.sentence import Sentence

Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Figures = dict[str, dict[str, float | None]]
"""Group → figure → value; None where the figure is not defined (the official scorer prints NaN)."""
Place = tuple[str, str]
"""The group and the name of one figure in `Figures`."""
Triple = tuple[int, int, str]
"""Head, dependent, relation."""


@dataclass(frozen=True)
class Pair:
    """One gold sentence and what the system has for it, in a numbering of words that both share."""

    graph: Graph
    """The gold graph (for `conll`, the tree), after its empty nodes were treated."""
    gold: dict[Triple, int]
    """Each gold arc and its length."""
    system: dict[Triple, int]
    """Each system arc and its length; it is correct if it is in `gold`."""


@dataclass(frozen=True)
class Headline:
    """The F1 that summarises a metric: breakdowns split it, `compare` tests differences in it."""

    name: str
    """What it is called: 'ELAS'."""
    place: Place
    """Where it is in the figures."""
    columns: tuple[int, int, int]
    """The columns of the counts that hold its gold, system and correct items."""
    scale: float = 1.0
    """The value of a perfect result: 1 or 100."""

    def values(self, totals: Floats) -> Floats:
        """The figure for each row of summed counts, not rounded; 0 where there is nothing to score."""
        gold, system, correct = (totals[..., column] for column in self.columns)
        values: Floats = self.scale * 2 * correct / np.maximum(gold + system, 1)
        return values


class Metric(Protocol):
    """One way to score: how to count, and how to turn counts into figures.

    What is a property here may be a plain attribute of the class."""

    @property
    def name(self) -> str:
        """The name in `METRICS`."""
        ...

    @property
    def options(self) -> str:
        """The middle of the signature: what was done with tops, empty nodes and so on."""
        ...

    @property
    def columns(self) -> tuple[str, ...]:
        """What each column of the counts holds."""
        ...

    @property
    def headline(self) -> Headline:
        """The figure that summarises the metric."""
        ...

    @property
    def unlabelled(self) -> Place:
        """The figure that ignores relations; the headline's place if there is none of its own."""
        ...

    @property
    def digits(self) -> int:
        """The number of decimals to print."""
        ...

    def count(self, gold: list[Sentence], system: list[Sentence]) -> Counts:
        """One row of counts per gold sentence."""
        ...

    def pairs(self, gold: list[Sentence], system: list[Sentence]) -> Iterable[Pair]:
        """The arcs behind the headline figure, sentence by sentence, for breakdowns."""
        ...

    def figures(self, total: Counts) -> Figures:
        """The figures from the sum of some rows, rounded as they are printed."""
        ...


def signature(metric: Metric) -> str:
    """All that is needed to compute the same figures again: metric, options, version."""
    return f"{metric.name}|{metric.options}|arctag:{__version__}"
