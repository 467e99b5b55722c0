"""Scores of predicted arcs on development data, from counts that add up over batches and processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.blocks.arcs import BlockArcs
from arctag.cells import Longs
from arctag.encodings.labels import offsets_of
from arctag.layers.types import Counts
from arctag.metrics.matching import BothRelations, Dependencies, per_group, same_relations
from arctag.metrics.protocol import Counts as Integers

GRID = np.round(np.arange(0.1, 0.95, 0.05), 2)
"""The thresholds that are tried."""
ARCS = 5
"""Counts for each threshold: labelled right, labelled predicted, unlabelled right, unlabelled predicted, exact."""


@dataclass(frozen=True)
class Compared:
    """Predicted arcs beside those of gold."""

    wanted: Integers
    """The relations of each gold graph."""
    places: Longs
    """The sentence of each predicted arc."""
    cells: Integers
    """What each predicted arc adds to the first four counts if it is kept."""

    @classmethod
    def of(cls, gold: BlockArcs, predicted: BlockArcs) -> Compared:
        """Match arcs of the same sentences."""
        first = offsets_of(gold.arcs.sizes)
        ours, theirs = (Dependencies(side.arcs, first) for side in (gold, predicted))
        relations = BothRelations.of(gold, predicted)
        sizes = np.array([len(names) for names in relations.names], dtype=np.int64)
        in_gold, right = ours.shared(theirs)
        cells = np.zeros((len(theirs.heads), 4), dtype=np.int64)
        cells[right, 0] = relations.in_common(same_relations, in_gold, right)
        cells[:, 1] = sizes[relations.system]
        cells[right, 2] = 1
        cells[:, 3] = 1
        return cls(per_group(ours.places, len(gold.arcs), sizes[relations.gold]), theirs.places, cells)

    def counts(self, kept: npt.NDArray[np.bool_] | slice) -> Integers:
        """The counts of the arcs that are kept."""
        places, cells = self.places[kept], self.cells[kept]
        right, found = (per_group(places, len(self.wanted), cells[:, column]) for column in range(2))
        exact = np.count_nonzero((right == found) & (found == self.wanted))
        return np.append(cells.sum(0), exact)


def f_scores(table: Counts, labelled: float, unlabelled: float) -> tuple[Counts, Counts]:
    """Labelled and unlabelled F1 for each row of counts, in percent; the gold numbers are given."""
    return (
        200 * table[:, 0] / np.maximum(table[:, 1] + labelled, 1),
        200 * table[:, 2] / np.maximum(table[:, 3] + unlabelled, 1),
    )
