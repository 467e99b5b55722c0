"""Paired bootstrap: is one system better than another, or was it the choice of sentences?

Sentences are drawn again with replacement, the same ones for both systems, and the difference of
the headline figures is taken each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from arctag.errors import AlignmentError, InputError
from arctag.metrics.protocol import Counts, Floats, Metric
from arctag.metrics.tables import Table, html_table, text_table

_CHUNK = 1 << 22  # sentences drawn at once: some 100 MB, whatever the number of samples


@dataclass(frozen=True)
class Comparison:
    """How the headline figures of two systems differ."""

    figure: str
    system: float
    other: float
    difference: float
    low: float
    """Lower end of the 95% confidence interval of the difference."""
    high: float
    """Its upper end."""
    p_value: float
    """Two-sided: how often so large a difference would come up if the systems were equally good."""
    samples: int
    seed: int

    def table(self, digits: int | None = None) -> Table:
        """Both systems and their difference; percentages have two decimals, fractions four, if not told otherwise."""
        digits = digits or (2 if max(self.system, self.other) > 1 else 4)
        figures = (self.system, self.other, self.difference, self.low, self.high)
        row = [f"{self.samples} samples", *(f"{figure:.{digits}f}" for figure in figures), f"{self.p_value:.4f}"]
        return [self.figure, "system", "other", "difference", "95% low", "95% high", "p"], [row]

    def __str__(self) -> str:
        return "\n".join(text_table(self.table()))

    def _repr_html_(self) -> str:
        return html_table(self.table(), f"difference in {self.figure}")


def compare(metric: Metric, system: Counts, other: Counts, samples: int = 10_000, seed: int = 0) -> Comparison:
    """Compare two systems by their per-sentence counts against the same gold sentences."""
    if samples < 1:
        raise InputError(f"{samples} samples; at least 1 is needed")
    if len(system) != len(other):
        raise AlignmentError(f"counts of {len(system)} and of {len(other)} sentences cannot be paired")
    ours, theirs = (float(metric.headline.values(rows.sum(axis=0, dtype=np.float64))) for rows in (system, other))
    difference = ours - theirs
    drawn = np.concatenate(list(_differences(metric, system, other, samples, np.random.default_rng(seed))))
    low, high = np.percentile(drawn, [2.5, 97.5]).tolist()
    return Comparison(
        figure=metric.headline.name,
        system=ours,
        other=theirs,
        difference=difference,
        low=low,
        high=high,
        p_value=_p_value(drawn, difference, metric.headline.scale),
        samples=samples,
        seed=seed,
    )


def _p_value(drawn: Floats, difference: float, scale: float) -> float:
    """How often a sample is as far from the observed difference as that is from 0."""
    slack = 1e-9 * scale  # sums in another order: equal must stay equal
    extreme = int(np.sum(np.abs(drawn - difference) >= abs(difference) - slack))
    return (extreme + 1) / (len(drawn) + 1)  # the sentences at hand are one more sample: p is never 0


def _differences(
    metric: Metric, system: Counts, other: Counts, samples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """The difference in each sample, chunk by chunk."""
    size = len(system)
    step = max(1, _CHUNK // size)
    for start in range(0, samples, step):
        weights = _weights(rng, min(step, samples - start), size)
        ours: Floats = metric.headline.values(weights @ system)
        theirs: Floats = metric.headline.values(weights @ other)
        yield ours - theirs


def _weights(rng: np.random.Generator, samples: int, size: int) -> Floats:
    """How often each sample (row) draws each sentence (column); floats, which multiply fast and exactly."""
    drawn = rng.integers(size, size=(samples, size))
    drawn += np.arange(samples)[:, None] * size
    return np.bincount(drawn.ravel(), minlength=samples * size).reshape(samples, size).astype(np.float64)
