"""`words.onnx`: the encoder, the context layers and what the heads say of words, put together."""

from __future__ import annotations

import numpy as np
import onnx

from arctag.backends.onnx.feeds import SHAPES
from arctag.backends.onnx.file import TUPLE_ANSWERS, VECTORS, tag_answers
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Graph, Shape
from arctag.backends.torch.export.heads import arcs, tags
from arctag.backends.torch.heads.tags import TagHead
from arctag.backends.torch.tagger import Tagger
from arctag.modelfile.config import ModelConfig


def words_model(config: ModelConfig, model: Tagger, precision: type[Dense]) -> onnx.ModelProto:
    """From words, or the vectors a pretrained encoder gave them, to everything known of each node alone."""
    graph = Graph()
    dense = precision(graph)
    words = model.encoder.export(dense)
    if model.context is not None:
        words = model.context.export(dense, words)
    nodes = graph.add("Concat", graph.weight(model.root.numpy(force=True)), words, axis=0)
    outputs: dict[str, Shape] = {}
    for i, head in enumerate(model.tags):
        assert isinstance(head, TagHead)
        outputs |= tags(dense, nodes, head, tag_answers(i))
    outputs |= model.relations.export_words(dense, nodes, config)
    if model.arcs is not None and (config.verify or config.biaffine):
        outputs |= arcs(dense, nodes, model.arcs)
    integers = [*SHAPES, *(name for i in range(len(model.tags)) for name in tag_answers(i)[:2]), *TUPLE_ANSWERS[:2]]
    return graph.model(_inputs(graph, model), outputs, dict.fromkeys(integers, np.int64))


def _inputs(graph: Graph, model: Tagger) -> dict[str, Shape]:
    """Those inputs that some node reads."""
    shapes: dict[str, Shape] = {VECTORS: ("words", model.encoder.output_size), **SHAPES}
    read = {name for node in graph.nodes for name in node.input}
    return {name: shape for name, shape in shapes.items() if name in read}
