"""Development scores of all layers, from counts that add up over batches and processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arctag.layers import LearnedLayer
from arctag.layers.arc_scores import GRID
from arctag.layers.types import Counts
from arctag.parsing.batches import batches
from arctag.parsing.parser import Parser
from arctag.training.dataset import Dataset


@dataclass(frozen=True)
class Scores:
    """Scores on development files, and the layers as they are tuned there."""

    layers: dict[str, LearnedLayer]
    each: dict[str, dict[str, float]]
    """The scores of each layer; the first one is what models are compared by."""

    def selected(self, name: str) -> float:
        """What models are compared by: the mean over layers, or the score of the one named."""
        main = {layer: next(iter(scores.values())) for layer, scores in self.each.items()}
        return main[name] if name else sum(main.values()) / max(len(main), 1)

    @property
    def flat(self) -> dict[str, float]:
        """All scores by name; with several layers the name begins with the layer's."""
        if len(self.each) == 1:
            return dict(*self.each.values())
        return {f"{layer}.{name}": value for layer, scores in self.each.items() for name, value in scores.items()}


def count(parser: Parser, data: Dataset, chosen: Sequence[int], batch_tokens: int) -> dict[str, Counts]:
    """The counts behind the scores of each layer of the data, on some sentences."""
    layers = [parser.config.learned(name) for name in data.targets]
    totals: dict[str, Counts] = {}
    for batch in batches(parser.inputs.costs([data.tokens[i] for i in chosen]), batch_tokens):
        sentences = [chosen[i] for i in batch]
        # the least threshold that is tried
        found = parser.predict([data.tokens[i] for i in sentences], float(GRID[0]), data.targets.keys())
        selection = data.selection(sentences)
        for layer in layers:
            counts = layer.counts(data.targets[layer.name], selection, found[layer.name])
            totals[layer.name] = totals[layer.name] + counts if layer.name in totals else counts
    return totals or {layer.name: np.zeros(0) for layer in layers}


def scores(layers: Mapping[str, LearnedLayer], counts: Mapping[str, Counts], sentences: Mapping[str, int]) -> Scores:
    """Scores from the counts of each layer over so many sentences."""
    outcomes = {name: layers[name].outcome(some, sentences[name]) for name, some in counts.items()}
    return Scores(
        {name: outcome.layer for name, outcome in outcomes.items()},
        {name: outcome.scores for name, outcome in outcomes.items()},
    )
