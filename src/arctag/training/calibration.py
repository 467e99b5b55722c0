"""Calibration: how much all evidence for arcs counts, fitted to development files when the network is trained.

The network does not change, only what is made of its answers. See `layers.evidence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from arctag.layers.arcs import ArcLayer
from arctag.layers.base import in_order
from arctag.layers.fitting import Examples
from arctag.parsing.batches import batches
from arctag.parsing.parser import Parser
from arctag.training.dataset import Dataset

_MOST_WORDS = 100_000  # of development data: more would not change the weights, and take memory


def calibrate(parser: Parser, dev: Sequence[Dataset], batch_tokens: int) -> None:
    """Give the layers of arcs their weights; one that uses another comes after it."""
    data = {name: some for some in dev for name in some.targets}
    for layer in in_order(parser.config.layers, list(data)):
        if isinstance(layer, ArcLayer) and layer.can_weigh and layer.name in data:
            examples = Examples.joined(list(_examples(parser, layer, data[layer.name], batch_tokens)))
            fitted = layer.fitted(examples)
            parser.config = parser.config.with_layers(
                fitted if other.name == fitted.name else other for other in parser.config.layers
            )


def _examples(parser: Parser, layer: ArcLayer, data: Dataset, batch_tokens: int) -> Iterator[Examples]:
    sizes = accumulate(len(tokens.words) for tokens in data.tokens)
    chosen = [i for i, words in enumerate(sizes) if words <= _MOST_WORDS or i == 0]
    for batch in batches(parser.inputs.costs([data.tokens[i] for i in chosen]), batch_tokens):
        tokens = [data.tokens[i] for i in batch]
        undecided = parser.predict(tokens, layers=[layer.name], undecided=layer.name)[layer.name]
        yield layer.examples(data.targets[layer.name], data.selection(batch), undecided)
