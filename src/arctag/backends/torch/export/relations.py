"""Relation heads in ONNX: two tables in the network of a layer, and a network for the arcs."""

from __future__ import annotations

import numpy as np
import onnx

from arctag.backends.onnx.file import RELATION_ANSWERS, RELATION_ARCS, RELATION_TABLES
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Graph, Shape
from arctag.backends.torch.export.layers import best_two
from arctag.backends.torch.heads.relations import RelationHead
from arctag.layers.arcs import ArcLayer


def export_tables(head: RelationHead, dense: Dense, nodes: str, layer: ArcLayer) -> dict[str, Shape]:
    """Of every node, what it gives to its arcs' relations as a head and as a dependent."""
    for name, rows in zip(RELATION_TABLES, head.export_tables(dense, nodes), strict=True):
        dense.graph.rename(rows, name)
    return dict.fromkeys(RELATION_TABLES, ("nodes", layer.relation_hidden))


def relations_model(head: RelationHead, precision: type[Dense], layer: ArcLayer) -> onnx.ModelProto:
    """From the two tables and the arcs, as node numbers, to the best relation of each arc."""
    graph = Graph()
    of_head, of_dependent = (graph.add("Gather", *pair) for pair in zip(RELATION_TABLES, RELATION_ARCS, strict=True))
    scores = head.export_scores(precision(graph), of_head, of_dependent)
    best, _, doubt = best_two(graph, scores, len(layer.relations))
    for name, result in zip(RELATION_ANSWERS, (best, doubt), strict=True):
        graph.rename(graph.add("Squeeze", result, graph.integers(-1)), name)
    inputs: dict[str, Shape] = {
        **dict.fromkeys(RELATION_TABLES, ("nodes", layer.relation_hidden)),
        **dict.fromkeys(RELATION_ARCS, ("arcs",)),
    }
    integers = dict.fromkeys([*RELATION_ARCS, RELATION_ANSWERS[0]], np.int64)
    return graph.model(inputs, dict.fromkeys(RELATION_ANSWERS, ("arcs",)), integers)
