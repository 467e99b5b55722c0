"""Scores of arcs as probabilities: of an arc by itself, or of the arcs of a word, of which one holds."""

from __future__ import annotations

import math

import numpy as np

from arctag.layers.types import Floats, Longs

_CERTAIN = 24 * math.log(2)  # beyond it probabilities of 32 bits are 1


def log_odds(probability: float) -> float:
    """The score from which on an arc is at least this probable, in numbers of 32 bits."""
    if not 0 < probability < 1:
        return -math.inf if probability <= 0 else _CERTAIN
    return min(math.log(probability / (1 - probability)), _CERTAIN)


def sigmoid(scores: Floats) -> Floats:
    """The probability of each arc, where any number of them may hold; never 0, and no overflow."""
    small = np.exp(-np.abs(scores))
    probabilities: Floats = np.where(scores >= 0, 1, small) / (1 + small)
    return np.maximum(probabilities, np.float32(1e-30))


def softmax(scores: Floats, starts: Longs) -> Floats:
    """The probability of each arc, where one of each group holds; group i begins at `starts[i]`, none is empty."""
    if not len(starts):
        return np.zeros(0, np.float32)
    sizes = np.diff(starts, append=len(scores))
    raised = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    probabilities: Floats = raised / np.repeat(np.add.reduceat(raised, starts), sizes)
    return np.maximum(probabilities, np.float32(1e-30))
