"""Layers of heads in ONNX, and the best of their scores."""

from __future__ import annotations

import numpy as np
from torch import nn

from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Array, Graph
from arctag.backends.torch.heads.layers import SLOPE

IMPOSSIBLE = -1e30
_EVEN = 16  # sums of rows whose length is a multiple of this run alike wherever a row stands


def linear(dense: Dense, rows: str, layer: nn.Linear) -> str:
    """Torch's `Linear`."""
    bias = None if layer.bias is None else layer.bias.numpy(force=True)
    return dense.linear(rows, layer.weight.numpy(force=True).T, bias)


def hidden(dense: Dense, rows: str, layers: nn.Sequential) -> str:
    """`feed_forward`."""
    first = layers[0]
    assert isinstance(first, nn.Linear)
    return dense.graph.add("LeakyRelu", linear(dense, rows, first), alpha=SLOPE)


def scores(dense: Dense, parts: list[str], layer: nn.Module) -> str:
    """A last linear layer over parts that stand side by side; each is multiplied by itself, since they differ in size.

    Impossible labels are added: see `even`.
    """
    assert isinstance(layer, nn.Linear)
    weights, bias = even(layer.weight.numpy(force=True).T, layer.bias.numpy(force=True))
    blocks = np.split(weights, len(parts))
    total = dense.linear(parts[0], blocks[0], bias)
    for rows, block in zip(parts[1:], blocks[1:], strict=True):
        total = dense.graph.add("Add", total, dense.linear(rows, block))
    return total


def padding(labels: int) -> int:
    """How many impossible labels make their number even."""
    return -labels % _EVEN


def even(weights: Array, bias: Array) -> tuple[Array, Array]:
    """Weights [in, labels] with as many impossible labels more as make their number even."""
    more = (0, padding(len(bias)))
    return np.pad(weights, ((0, 0), more)), np.pad(bias, more, constant_values=IMPOSSIBLE)


def best_two(graph: Graph, scores: str, labels: int) -> tuple[str, str, str]:
    """The best and the second label [n, 1], and how much probability all have beside the best one's.

    This last is 1 where nothing is in doubt. (Its logarithm would round differently at the end of an array.)
    """
    values, order = graph.add_many("TopK", scores, graph.integers(min(2, labels)), outputs=2, axis=-1)
    best, largest = (_column(graph, table, 0) for table in (order, values))
    total = graph.add("ReduceSum", graph.add("Exp", graph.add("Sub", scores, largest)), graph.integers(-1))
    return best, _column(graph, order, 1) if labels > 1 else best, total


def _column(graph: Graph, table: str, i: int) -> str:
    return graph.add("Slice", table, graph.integers(i), graph.integers(i + 1), graph.integers(-1))
