"""Development scores, from counts that add up over batches and processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.graph import Graph
from arctag.parsing.batches import batches
from arctag.parsing.parser import Parser
from arctag.parsing.proposals import Predicted
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
        found = parser.predict([data.tokens[chosen[i]] for i in batch], float(grid[0]) if tuned else None)
        for place, i in enumerate(batch):
            gold = data.graphs[chosen[i]]
            labelled = sum(map(len, gold.relations))
            probable, cells = _cells(parser, found, place, gold)
            for t, threshold in enumerate(grid.tolist()):  # compared in single precision, as the parser does
                kept = cells[probable >= threshold].sum(0) if tuned else cells.sum(0)
                table[t, :4] += kept
                table[t, 4] += kept[0] == kept[1] == labelled
            other[:3] += labelled, len(gold), gold.n
        other[3] += _right_tags(data, found.tag_ids, [chosen[i] for i in batch])
        other[4] += int(np.count_nonzero(found.repairs == 0))
    return np.concatenate([table.reshape(-1), other])


def _cells(parser: Parser, found: Predicted, place: int, gold: Graph) -> tuple[npt.NDArray[np.float32], Floats]:
    """The probability of each arc of a sentence, and what it adds to the first four counts if it is kept."""
    graph = parser.graph(found, place)
    wanted = {(arc.head, arc.dependent): set(arc.relations) for arc in gold}
    rows = [
        (len(wanted.get((head, dependent), set()) & set(names)), len(names), (head, dependent) in wanted, 1)
        for head, dependent, names in graph
    ]
    probable = found.arc_probabilities[found.starts[place] : found.starts[place + 1]]
    return probable, np.array(rows, dtype=np.float64).reshape(-1, 4)


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
