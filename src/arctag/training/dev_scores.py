"""Development scores, from counts that add up over batches and processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.blocks.block import BlockArcs, joined_numbers
from arctag.cells import Longs
from arctag.encodings.labels import Arcs, offsets_of
from arctag.metrics.matching import BothRelations, Dependencies, per_group, same_relations
from arctag.metrics.protocol import Counts
from arctag.parsing.batches import batches
from arctag.parsing.parser import Parser
from arctag.training.dataset import Dataset

GRID = np.round(np.arange(0.1, 0.95, 0.05), 2)
"""The thresholds that are tried."""
_ARCS = 5  # labelled right, labelled predicted, unlabelled right, unlabelled predicted, exact sentences

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """Scores on a development file with the best threshold."""

    threshold: float
    scores: dict[str, float]


def count(parser: Parser, data: Dataset, chosen: Sequence[int], batch_tokens: int) -> Floats:
    """The counts behind all scores of the parser on some sentences, in one flat array."""
    tuned = parser.config.verify or parser.config.biaffine
    grid = GRID if tuned else np.zeros(1)
    table = np.zeros((len(grid), _ARCS))
    other = np.zeros(5)  # gold labelled, gold unlabelled, words, right tags, well-formed sentences
    for batch in batches(parser.inputs.costs([data.tokens[i] for i in chosen]), batch_tokens):
        sentences = [chosen[i] for i in batch]
        found = parser.predict([data.tokens[i] for i in sentences], float(grid[0]) if tuned else None)
        graphs = [data.graphs[i] for i in sentences]
        gold = BlockArcs(Arcs.of(graphs), joined_numbers(graph.relation_numbers for graph in graphs))
        arcs = _Arcs.of(gold, parser.arcs(found))
        for t, threshold in enumerate(grid.tolist()):  # compared in single precision, as the parser does
            table[t] += arcs.counts(found.arc_probabilities >= threshold if tuned else slice(None))
        other[:3] += arcs.wanted.sum(), len(gold.arcs.heads), gold.arcs.sizes.sum()
        other[3] += _right_tags(data, found.tag_ids, sentences)
        other[4] += int(np.count_nonzero(found.repairs == 0))
    return np.concatenate([table.reshape(-1), other])


@dataclass(frozen=True)
class _Arcs:
    """Predicted arcs beside those of gold."""

    wanted: Counts
    """The relations of each gold graph."""
    places: Longs
    """The sentence of each predicted arc."""
    cells: Counts
    """What each predicted arc adds to the first four counts if it is kept."""

    @classmethod
    def of(cls, gold: BlockArcs, predicted: BlockArcs) -> _Arcs:
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

    def counts(self, kept: npt.NDArray[np.bool_] | slice) -> Counts:
        """The counts of the arcs that are kept."""
        places, cells = self.places[kept], self.cells[kept]
        right, found = (per_group(places, len(self.wanted), cells[:, column]) for column in range(2))
        exact = np.count_nonzero((right == found) & (found == self.wanted))
        return np.append(cells.sum(0), exact)


def _right_tags(data: Dataset, predicted: list[npt.NDArray[np.int64]], sentences: Sequence[int]) -> int:
    """Words whose label is right in the first encoding."""
    if not predicted:
        return 0
    words = np.concatenate([np.arange(data.words[i], data.words[i + 1]) for i in sentences])
    return int(np.count_nonzero((predicted[0] == data.tags[0][words]).all(-1)))


def outcome(parser: Parser, counts: Floats, sentences: int) -> Outcome:
    """The best threshold and the scores it gives."""
    other, table = counts[-5:], counts[:-5].reshape(-1, _ARCS)
    labelled = 200 * table[:, 0] / np.maximum(table[:, 1] + other[0], 1)
    best = int(np.argmax(labelled))
    tuned = len(table) > 1
    scores = {
        "LF": float(labelled[best]),
        "UF": float(200 * table[best, 2] / max(table[best, 3] + other[1], 1)),
        "LM": float(100 * table[best, 4] / max(sentences, 1)),
    }
    if parser.config.encodings:
        scores["tag_accuracy"] = float(100 * other[3] / max(other[2], 1))
        scores["well_formed"] = float(100 * other[4] / max(sentences, 1))
    return Outcome(float(GRID[best]) if tuned else parser.config.threshold, scores)
