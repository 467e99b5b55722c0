"""Layers that heads share."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

SLOPE = 0.01  # of the LeakyReLU, as in the paper
_NODES_AT_ONCE = 1 << 16


def feed_forward(input_size: int, size: int, dropout: float) -> nn.Sequential:
    """One hidden layer."""
    return nn.Sequential(nn.Linear(input_size, size), nn.LeakyReLU(SLOPE), nn.Dropout(dropout))


def of_words(layer: Callable[[Tensor], Tensor], nodes: Tensor, numbers: Tensor) -> Tensor:
    """`layer(nodes)[numbers]`; on a processor, words that are not among the numbers are not multiplied.

    Half of the words of a sentence are the head of nothing. A GPU multiplies them sooner than it could find out, unless
    they are many more than the numbers: some arcs of a very long sentence.
    """
    if nodes.requires_grad or (nodes.device.type != "cpu" and len(nodes) <= max(len(numbers), _NODES_AT_ONCE)):
        return layer(nodes)[numbers]
    needed, places = torch.unique(numbers, return_inverse=True)
    return layer(nodes[needed])[places]


def with_one(vectors: Tensor) -> Tensor:
    """Append a constant, so that a bilinear form also has linear terms and a bias."""
    return torch.cat([vectors, vectors.new_ones(*vectors.shape[:-1], 1)], dim=-1)
