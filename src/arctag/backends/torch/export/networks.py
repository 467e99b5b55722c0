"""`words.onnx` and `relations.onnx` of a network, put together."""

from __future__ import annotations

import numpy as np
import onnx

from arctag.backends.onnx.file import (
    ARC_TABLES,
    RELATION_ANSWERS,
    RELATION_ARCS,
    RELATION_TABLES,
    TUPLE_ANSWERS,
    VECTORS,
    tag_answers,
)
from arctag.backends.torch.encoders import output_size
from arctag.backends.torch.encoders.transformer import Transformer
from arctag.backends.torch.export import heads
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Graph, Shape
from arctag.backends.torch.export.words import SHAPES, contextual, encode
from arctag.backends.torch.heads import TagHead
from arctag.backends.torch.tagger import Tagger
from arctag.modelfile.config import ModelConfig


def words_model(config: ModelConfig, model: Tagger, precision: type[Dense]) -> onnx.ModelProto:
    """From words, or the vectors a pretrained encoder gave them, to everything known of each node alone."""
    graph = Graph()
    dense = precision(graph)
    words = VECTORS if isinstance(model.encoder, Transformer) else encode(dense, model.encoder)
    if model.context is not None:
        words = contextual(dense, words, model.context)
    nodes = graph.add("Concat", graph.weight(heads.numbers(model.root)), words, axis=0)
    outputs: dict[str, Shape] = {}
    for i, head in enumerate(model.tags):
        assert isinstance(head, TagHead)
        heads.tags(dense, nodes, head, tag_answers(i))
        outputs.update(dict.fromkeys(tag_answers(i), ("nodes", len(head.groups))))
    if model.tuples is not None:
        heads.tags(dense, nodes, model.tuples, TUPLE_ANSWERS)
        outputs.update(dict.fromkeys(TUPLE_ANSWERS, ("nodes", 1)))
    if model.relations is not None:
        heads.relation_tables(dense, nodes, model.relations, RELATION_TABLES)
        outputs.update(dict.fromkeys(RELATION_TABLES, ("nodes", config.relation_size)))
    if model.arcs is not None and (config.verify or config.biaffine):
        heads.arcs(dense, nodes, model.arcs, ARC_TABLES)
        outputs.update({ARC_TABLES[0]: ("nodes", config.arc_size), ARC_TABLES[1]: ("nodes", config.arc_size + 1)})
    inputs = _inputs(graph, model)
    integers = [*SHAPES, *(name for i in range(len(model.tags)) for name in tag_answers(i)[:2]), *TUPLE_ANSWERS[:2]]
    return graph.model(inputs, outputs, dict.fromkeys(integers, np.int64))


def _inputs(graph: Graph, model: Tagger) -> dict[str, Shape]:
    """Those inputs that some node reads."""
    read = {name for node in graph.nodes for name in node.input}
    inputs = {name: shape for name, shape in SHAPES.items() if name in read}
    return {VECTORS: ("words", output_size(model.encoder)), **inputs} if VECTORS in read else inputs


def relations_model(config: ModelConfig, model: Tagger, precision: type[Dense]) -> onnx.ModelProto:
    """From the two tables of vectors and the arcs, as node numbers, to the best relation of each arc."""
    assert model.relations is not None
    graph = Graph()
    of_head, of_dependent = (graph.add("Gather", *pair) for pair in zip(RELATION_TABLES, RELATION_ARCS, strict=True))
    scores = heads.relation_scores(precision(graph), of_head, of_dependent, model.relations)
    best, _, doubt = heads.best_two(graph, scores, len(config.relations))
    for name, result in zip(RELATION_ANSWERS, (best, doubt), strict=True):
        graph.rename(graph.add("Squeeze", result, graph.integers(-1)), name)
    inputs: dict[str, Shape] = {
        **dict.fromkeys(RELATION_TABLES, ("nodes", config.relation_size)),
        **dict.fromkeys(RELATION_ARCS, ("arcs",)),
    }
    integers = dict.fromkeys([*RELATION_ARCS, RELATION_ANSWERS[0]], np.int64)
    return graph.model(inputs, dict.fromkeys(RELATION_ANSWERS, ("arcs",)), integers)
