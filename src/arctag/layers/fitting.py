"""Weights of evidence, fitted to examples: those that make what is right most likely, and stay close to given ones.

Newton's method, with a pull towards the given weights: a few examples change them little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from arctag.graph import BoolArray
from arctag.layers.types import Counts, Longs


class Examples(NamedTuple):
    """Arcs of which it is known whether they are right."""

    evidence: Counts
    """[arcs, kinds of evidence]."""
    right: BoolArray
    starts: Longs
    """Where the arcs of each word begin."""

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """One after another."""
        before = np.cumsum([0, *(len(part.right) for part in parts)])
        return cls(
            np.concatenate([part.evidence for part in parts]),
            np.concatenate([part.right for part in parts]),
            np.concatenate([part.starts + at for part, at in zip(parts, before.tolist(), strict=False)]),
        )


Weights = tuple[float, ...]
Fit = Callable[[Counts], tuple[float, Counts, Counts]]
"""For some weights: the log-likelihood of the examples, its slope, and its curvature (positive)."""
_PULL = 1.0  # what a weight that is 1 away from the given one costs, twice
_MOST_STEPS, _MOST_HALVES = 50, 20
_SMALL = 1e-6


def fit_each(examples: Examples, given: Weights) -> Weights:
    """Weights with which evidence adds up to the log-odds that an arc is right."""
    evidence, right, _ = examples

    def fit(weights: Counts) -> tuple[float, Counts, Counts]:
        scores = evidence @ weights
        likely = -np.logaddexp(0, np.where(right, -scores, scores)).sum()
        chance = np.exp(-np.logaddexp(0, -scores))
        curvature = (evidence * (chance * (1 - chance))[:, None]).T @ evidence
        return float(likely), evidence.T @ (right - chance), curvature

    return _fitted(fit, given)


def fit_choice(examples: Examples, given: Weights) -> Weights:
    """The same where one arc of each word is right; words without one say nothing."""
    evidence, right, starts = examples
    sizes = np.diff(starts, append=len(right))
    known = np.add.reduceat(right.astype(np.int64), starts) == 1 if len(starts) else np.zeros(0, np.bool_)
    evidence, right = evidence[np.repeat(known, sizes)], right[np.repeat(known, sizes)]
    sizes = sizes[known]
    starts = np.cumsum(sizes) - sizes

    def fit(weights: Counts) -> tuple[float, Counts, Counts]:
        scores = evidence @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        raised = np.exp(scores)
        sums = np.add.reduceat(raised, starts)
        chance = (raised / np.repeat(sums, sizes))[:, None]
        means = np.add.reduceat(evidence * chance, starts, axis=0)
        likely = scores[right].sum() - np.log(sums).sum()
        return float(likely), (evidence[right] - means).sum(0), (evidence * chance).T @ evidence - means.T @ means

    return _fitted(fit, given) if len(starts) else given


def _fitted(fit: Fit, given: Weights) -> Weights:
    """The weights with the highest likelihood, less what their distance from the given ones costs."""
    start = np.array(given, np.float64)

    def whole(weights: Counts) -> tuple[float, Counts, Counts]:
        likely, slope, curvature = fit(weights)
        away = weights - start
        return likely - _PULL * float(away @ away) / 2, slope - _PULL * away, curvature + _PULL * np.eye(len(start))

    weights = start
    value, slope, curvature = whole(weights)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(curvature, slope)
        for _ in range(_MOST_HALVES):  # a whole step may lead too far
            new = whole(weights + step)
            if new[0] >= value:
                break
            step /= 2
        else:
            break
        weights, (value, slope, curvature) = weights + step, new
        if np.abs(step).max() < _SMALL:
            break
    return tuple(weights.tolist())
