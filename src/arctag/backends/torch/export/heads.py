"""Tag heads and `ArcScorer` in ONNX."""

from __future__ import annotations

import numpy as np

from arctag.backends.onnx.file import ARC_TABLES, WORD_SHAPES
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Shape
from arctag.backends.torch.export.layers import best_two, even, hidden, scores
from arctag.backends.torch.heads.arcs import ArcScorer
from arctag.backends.torch.heads.layers import SLOPE
from arctag.backends.torch.heads.tagging import TaggingHead
from arctag.backends.torch.heads.tags import TagHead


def tags(dense: Dense, nodes: str, head: TagHead, names: tuple[str, str, str]) -> dict[str, Shape]:
    """Best and second label and doubt of every node, [nodes, groups] each."""
    rows = hidden(dense, nodes, head.hidden)
    weights, bias = head.out.weight.numpy(force=True).T, head.out.bias.numpy(force=True)
    cuts = np.cumsum(head.groups)[:-1]
    parts = zip(np.split(weights, cuts, axis=1), np.split(bias, cuts), strict=True)
    return _answers(dense, [dense.linear(rows, *even(*part)) for part in parts], head.groups, names)


def tagging(dense: Dense, nodes: str, head: TaggingHead, names: tuple[str, str, str]) -> dict[str, Shape]:
    """The same for a layer of tags: what the shape of a word adds is a row of a table."""
    weights, bias = head.first.weight.numpy(force=True).T, head.first.bias.numpy(force=True)
    if head.last is None:
        weights, bias = even(weights, bias)
    rows = dense.linear(nodes, weights, bias)
    if head.shapes is not None:
        table = head.shapes.weight.numpy(force=True)
        table = np.pad(table, ((0, 0), (0, len(bias) - table.shape[1]))).astype(np.float32)
        rows = dense.graph.add("Add", rows, dense.graph.add("Gather", dense.graph.weight(table), WORD_SHAPES))
    if head.last is not None:
        rows = scores(dense, [dense.graph.add("LeakyRelu", rows, alpha=SLOPE)], head.last)
    return _answers(dense, [rows], [head.labels], names)


def _answers(dense: Dense, scores: list[str], groups: list[int], names: tuple[str, str, str]) -> dict[str, Shape]:
    answers = [best_two(dense.graph, group, labels) for group, labels in zip(scores, groups, strict=True)]
    for name, columns in zip(names, zip(*answers, strict=True), strict=True):
        dense.graph.rename(dense.graph.add("Concat", *columns, axis=-1), name)
    return dict.fromkeys(names, ("nodes", len(groups)))


def arcs(dense: Dense, nodes: str, head: ArcScorer) -> dict[str, Shape]:
    """Of every node, its vector as a head, and as a dependent after the bilinear form.

    An arc's score is the product of the two, and the last number of the dependent's.
    """
    form = head.weight.numpy(force=True)
    left = dense.linear(hidden(dense, nodes, head.dependent), form[:-1], form[-1])
    dense.graph.rename(hidden(dense, nodes, head.head), ARC_TABLES[0])
    dense.graph.rename(left, ARC_TABLES[1])
    return {ARC_TABLES[0]: ("nodes", len(form) - 1), ARC_TABLES[1]: ("nodes", len(form))}
