"""What is asked of words and arcs, as graphs; each is the twin of a head in `arctag.backends.torch.heads`."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch import nn

from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Array, Graph
from arctag.backends.torch.heads import (
    SLOPE,
    ArcScorer,
    BiaffineRelationHead,
    ConcatRelationHead,
    ProductRelationHead,
    TagHead,
)

_IMPOSSIBLE = -1e30
_EVEN = 16  # sums of rows whose length is a multiple of this run alike wherever a row stands


def numbers(tensor: Any) -> Array:
    """A parameter's numbers."""
    found: Array = tensor.detach().cpu().numpy()
    return found


def linear(dense: Dense, rows: str, layer: Any, maker: str = "") -> str:
    """Torch's `Linear`."""
    bias = None if layer.bias is None else numbers(layer.bias)
    return dense.linear(rows, numbers(layer.weight).T, bias, maker=maker)


def hidden(dense: Dense, rows: str, layers: Any) -> str:
    """`feed_forward`."""
    return dense.graph.add("LeakyRelu", linear(dense, rows, layers[0]), alpha=SLOPE)


def _missing(labels: int) -> int:
    return -labels % _EVEN


def even(weights: Array, bias: Array) -> tuple[Array, Array]:
    """Weights [in, labels] with as many impossible labels more as make their number even."""
    more = (0, _missing(len(bias)))
    return np.pad(weights, ((0, 0), more)), np.pad(bias, more, constant_values=_IMPOSSIBLE)


def best_two(graph: Graph, scores: str, labels: int) -> tuple[str, str, str]:
    """The best and the second of so many labels [n, 1], and how much probability all have beside the best one's.

    This last is 1 where nothing is in doubt. (Its logarithm would round differently at the end of an array.)
    """
    values, order = graph.add_many("TopK", scores, graph.integers(min(2, labels)), outputs=2, axis=-1)
    best, largest = (_column(graph, table, 0) for table in (order, values))
    total = graph.add("ReduceSum", graph.add("Exp", graph.add("Sub", scores, largest)), graph.integers(-1))
    return best, _column(graph, order, 1) if labels > 1 else best, total


def _column(graph: Graph, table: str, i: int) -> str:
    return graph.add("Slice", table, graph.integers(i), graph.integers(i + 1), graph.integers(-1))


def tags(dense: Dense, nodes: str, head: TagHead, names: tuple[str, str, str]) -> None:
    """Best and second label and doubt of every node, [nodes, groups] each."""
    rows = hidden(dense, nodes, head.hidden)
    weights, bias = numbers(head.out.weight).T, numbers(head.out.bias)
    cuts = np.cumsum(head.groups)[:-1]
    parts = zip(np.split(weights, cuts, axis=1), np.split(bias, cuts), strict=True)
    scores = [dense.linear(rows, *even(*part)) for part in parts]
    answers = [best_two(dense.graph, group, labels) for group, labels in zip(scores, head.groups, strict=True)]
    for name, columns in zip(names, zip(*answers, strict=True), strict=True):
        dense.graph.rename(dense.graph.add("Concat", *columns, axis=-1), name)


def arcs(dense: Dense, nodes: str, head: ArcScorer, names: tuple[str, str]) -> None:
    """Of every node, its vector as a head, and as a dependent after the bilinear form.

    An arc's score is the product of the two, and the last number of the dependent's.
    """
    form = numbers(head.weight)
    left = dense.linear(hidden(dense, nodes, head.dependent), form[:-1], form[-1])
    dense.graph.rename(hidden(dense, nodes, head.head), names[0])
    dense.graph.rename(left, names[1])


def relation_tables(dense: Dense, nodes: str, head: nn.Module, names: tuple[str, str]) -> None:
    """Of every node, what it gives to its arcs' relations as a head and as a dependent."""
    each: Any = head
    make = linear if isinstance(head, ConcatRelationHead) else hidden
    for name, layer in zip(names, (each.head, each.dependent), strict=True):
        dense.graph.rename(make(dense, nodes, layer), name)


def relation_scores(dense: Dense, heads: str, dependents: str, head: nn.Module) -> str:
    """Scores [arcs, relations] from what the two words of each arc give."""
    graph = dense.graph
    if isinstance(head, ConcatRelationHead):
        rows = graph.add("LeakyRelu", graph.add("Add", heads, dependents), alpha=SLOPE)
        return _out(dense, [rows], head.after[-1])
    if isinstance(head, ProductRelationHead):
        return _out(dense, [graph.add("Mul", heads, dependents), heads, dependents], head.out)
    assert isinstance(head, BiaffineRelationHead)
    return _biaffine(dense, heads, dependents, numbers(head.weight))


def _out(dense: Dense, parts: list[str], layer: Any) -> str:
    """A linear layer over parts that stand side by side; each is multiplied for itself, since they differ in size."""
    weights, bias = even(numbers(layer.weight).T, numbers(layer.bias))
    blocks = np.split(weights, len(parts))
    scores = dense.linear(parts[0], blocks[0], bias)
    for rows, block in zip(parts[1:], blocks[1:], strict=True):
        scores = dense.graph.add("Add", scores, dense.linear(rows, block))
    return scores


def _biaffine(dense: Dense, heads: str, dependents: str, form: Array) -> str:
    """The form [relations, size + 1, size + 1] between the two vectors, each with a constant 1 at its end."""
    graph, (relations, size, _) = dense.graph, form.shape
    count = relations + _missing(relations)
    wider = np.pad(form.transpose(1, 2, 0), ((0, 0), (0, 0), (0, count - relations)))
    wider[-1, -1, relations:] = _IMPOSSIBLE  # [of the dependent, of the head, relations]
    mixed = dense.linear(dependents, wider[:-1].reshape(size - 1, -1), wider[-1].ravel())
    mixed = graph.add("Reshape", mixed, graph.integers(-1, size, count))
    with_one = graph.add("Pad", heads, graph.integers(0, 0, 0, 1), graph.number(1))
    scores = graph.add("MatMul", graph.add("Unsqueeze", with_one, graph.integers(1)), mixed)
    return graph.add("Squeeze", scores, graph.integers(1))
