"""`AlignedMetric`: what `elas` and `conll` share.

Words are aligned first (see `alignment`), so that a parse of raw text can be scored: precision is
over what the system has, recall over what gold has. Empty nodes are collapsed on both sides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np

from arctag.metrics.aligned import Aligned
from arctag.metrics.protocol import Counts, Figures, Headline, Pair
from arctag.metrics.tree_scores import TREES
from arctag.metrics.word_scores import SEGMENTATION
from arctag.sentence import Sentence

Part = Callable[[Aligned], dict[str, Counts]]
"""Counts some scores: name → gold, system, correct, aligned, one row per gold sentence."""
_SIDES = ("gold", "system", "correct", "aligned")
_DIGITS = 2


def headline_of(name: str, scores: tuple[str, ...]) -> Headline:
    """The F1 of a score as the headline."""
    first = scores.index(name) * len(_SIDES)
    return Headline(name, (name, "f1"), (first, first + 1, first + 2), scale=100.0)


class AlignedMetric(ABC):
    """Scores of aligned words, trees and graphs, each with four columns of counts."""

    scores: ClassVar[tuple[str, ...]]
    """Their names, in the order of the table."""
    parts: ClassVar[tuple[Part, ...]]
    """What counts them."""
    options = "words:aligned|empty:collapsed"
    digits = _DIGITS

    @property
    def columns(self) -> tuple[str, ...]:
        """What each column of the counts holds."""
        return tuple(f"{name} {side}" for name in self.scores for side in _SIDES)

    def count(self, gold: list[Sentence], system: list[Sentence]) -> Counts:
        """One row per gold sentence; what the system has is counted where its text is."""
        both = self.aligned(gold, system)
        counts = {name: counts for part in self.parts for name, counts in part(both).items()}
        return np.concatenate([counts[name] for name in self.scores], axis=1)

    def pairs(self, gold: list[Sentence], system: list[Sentence]) -> Iterator[Pair]:
        """The gold sentences with the arcs of both sides, in gold numbers."""
        return self.arcs(self.aligned(gold, system))

    def aligned(self, gold: list[Sentence], system: list[Sentence]) -> Aligned:
        """Both sides, aligned."""
        return Aligned.of(gold, system)

    @abstractmethod
    def arcs(self, both: Aligned) -> Iterator[Pair]:
        """The arcs behind the headline figure."""

    def figures(self, total: Counts) -> Figures:
        """The scores in percent; None for tree scores where a side has no trees."""
        counts = dict(zip(self.scores, total.reshape(-1, len(_SIDES)).tolist(), strict=True))
        no_trees = 0 in counts["UAS"][:2]
        return {
            name: dict.fromkeys(("precision", "recall", "f1", "aligned"))
            if no_trees and name in TREES
            else _prf(counts[name], name not in SEGMENTATION)
            for name in self.scores
        }


def _prf(counts: list[int], of_aligned: bool) -> dict[str, float | None]:
    gold, system, correct, aligned = counts
    return {
        "precision": _percent(correct, system),
        "recall": _percent(correct, gold),
        "f1": _percent(2 * correct, gold + system),
        "aligned": _percent(correct, aligned) if of_aligned else None,
    }


def _percent(part: int, whole: int) -> float:
    """A rounded percentage; of nothing, 0, as the official scorer has it."""
    return round(100 * (part / whole), _DIGITS) if whole else 0.0
