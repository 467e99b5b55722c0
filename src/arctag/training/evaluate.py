"""The development score, from counts that add up over batches and processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.parser import Parser, batches
from arctag.training.data import Dataset

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
    """Everything countable of the parser's answers on some sentences, in one flat array."""
    tuned = parser.config.verify or parser.config.biaffine
    grid = GRID if tuned else np.zeros(1)
    table = np.zeros((len(grid), _ARCS))
    other = np.zeros(5)  # gold labelled, gold unlabelled, words, right tags, well-formed sentences
    sets = [{(a.head, a.dependent): set(a.relations) for a in data.graphs[i]} for i in chosen]
    for batch in batches([data.graphs[i].n for i in chosen], batch_tokens):
        found = parser.predict([data.tokens[chosen[i]] for i in batch], float(grid[0]) if tuned else None)
        names = parser.config.relations
        for place, i in enumerate(batch):
            gold = sets[i]
            part = slice(found.starts[place], found.starts[place + 1])
            heads, dependents = found.heads[part].tolist(), found.dependents[part].tolist()
            relations = found.relations[part].tolist()
            probable = found.arc_probabilities[part] if tuned else np.ones(len(heads))
            cells = np.array(
                [
                    (len(gold.get((h, d), set()) & set(names[r])), len(names[r]), (h, d) in gold, 1)
                    for h, d, r in zip(heads, dependents, relations, strict=True)
                ],
                dtype=np.float64,
            ).reshape(-1, 4)
            other[:2] += sum(map(len, gold.values())), len(gold)
            for t, threshold in enumerate(grid.tolist()):  # compared in single precision, as the parser does
                kept = cells[probable >= threshold].sum(0)
                table[t, :4] += kept
                table[t, 4] += kept[0] == kept[1] == sum(map(len, gold.values()))
            other[2] += data.graphs[chosen[i]].n
        other[3] += _right_tags(data, found.tag_ids, [chosen[i] for i in batch])
        other[4] += int(np.count_nonzero(found.repairs == 0))
    return np.concatenate([table.reshape(-1), other])


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
