"""`TagHead` and `ArcScorer` in ONNX."""

from __future__ import annotations

import numpy as np

from arctag.backends.onnx.file import ARC_TABLES
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Shape
from arctag.backends.torch.export.layers import best_two, even, hidden
from arctag.backends.torch.heads.arcs import ArcScorer
from arctag.backends.torch.heads.tags import TagHead


def tags(dense: Dense, nodes: str, head: TagHead, names: tuple[str, str, str]) -> dict[str, Shape]:
    """Best and second label and doubt of every node, [nodes, groups] each."""
    rows = hidden(dense, nodes, head.hidden)
    weights, bias = head.out.weight.numpy(force=True).T, head.out.bias.numpy(force=True)
    cuts = np.cumsum(head.groups)[:-1]
    parts = zip(np.split(weights, cuts, axis=1), np.split(bias, cuts), strict=True)
    scores = [dense.linear(rows, *even(*part)) for part in parts]
    answers = [best_two(dense.graph, group, labels) for group, labels in zip(scores, head.groups, strict=True)]
    for name, columns in zip(names, zip(*answers, strict=True), strict=True):
        dense.graph.rename(dense.graph.add("Concat", *columns, axis=-1), name)
    return dict.fromkeys(names, ("nodes", len(head.groups)))


def arcs(dense: Dense, nodes: str, head: ArcScorer) -> dict[str, Shape]:
    """Of every node, its vector as a head, and as a dependent after the bilinear form.

    An arc's score is the product of the two, and the last number of the dependent's.
    """
    form = head.weight.numpy(force=True)
    left = dense.linear(hidden(dense, nodes, head.dependent), form[:-1], form[-1])
    dense.graph.rename(hidden(dense, nodes, head.head), ARC_TABLES[0])
    dense.graph.rename(left, ARC_TABLES[1])
    return {ARC_TABLES[0]: ("nodes", len(form) - 1), ARC_TABLES[1]: ("nodes", len(form))}
