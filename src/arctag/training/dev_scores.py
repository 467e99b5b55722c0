"""Development scores of all layers, from counts that add up over batches and processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from arctag.layers import LearnedLayer, Outcome
from arctag.layers.arc_scores import GRID
from arctag.layers.arcs import ArcLayer
from arctag.layers.types import Counts
from arctag.parsing.batches import batches
from arctag.parsing.parser import Parser
from arctag.training.dataset import Dataset
from arctag.training.distributed import Group


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


def dev_scores(parser: Parser, dev: Sequence[Dataset], batch_tokens: int, group: Group, device: torch.device) -> Scores:
    """The scores of all layers; each process of the group parses a part of the sentences."""
    outcomes: dict[str, Outcome[LearnedLayer]] = {}
    for data in dev:
        found = count(parser, data, list(range(len(data)))[group.rank :: group.size], batch_tokens)
        for name, some in found.items():
            outcomes[name] = parser.config.learned(name).outcome(group.add_up(some, device), len(data))
    return Scores(
        {name: outcome.layer for name, outcome in outcomes.items()},
        {name: outcome.scores for name, outcome in outcomes.items()},
    )


def count(parser: Parser, data: Dataset, chosen: Sequence[int], batch_tokens: int) -> dict[str, Counts]:
    """The counts behind the scores of each layer of the data, on some sentences."""
    layers = [parser.config.learned(name) for name in data.targets]
    weighed = all(layer.weights for layer in layers if isinstance(layer, ArcLayer))
    least = 0.0 if weighed else float(GRID[0])  # the least threshold that is tried; with weights, arcs are few
    totals: dict[str, Counts] = {}
    for batch in batches(parser.inputs.costs([data.tokens[i] for i in chosen]), batch_tokens):
        sentences = [chosen[i] for i in batch]
        found = parser.predict([data.tokens[i] for i in sentences], least, data.targets.keys())
        selection = data.selection(sentences)
        for layer in layers:
            counts = layer.counts(data.targets[layer.name], selection, found[layer.name])
            totals[layer.name] = totals[layer.name] + counts if layer.name in totals else counts
    return totals or {layer.name: np.zeros(0) for layer in layers}
