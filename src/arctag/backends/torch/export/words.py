"""`words.onnx`: the encoder and the context layers; and the network of each layer, from what that gives."""

from __future__ import annotations

import numpy as np
import onnx

from arctag.backends.onnx.feeds import SHAPES
from arctag.backends.onnx.file import NODES, VECTORS, WORD_SHAPES, is_label_table
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Graph, Shape
from arctag.backends.torch.heads.base import LayerHead
from arctag.backends.torch.tagger import Tagger
from arctag.layers import LearnedLayer


def words_model(model: Tagger, precision: type[Dense]) -> onnx.ModelProto:
    """From words, or the vectors a pretrained encoder gave them, to the vectors of nodes: the root, then the words."""
    graph = Graph()
    dense = precision(graph)
    words = model.encoder.export(dense)
    if model.context is not None:
        words = model.context.export(dense, words)
    nodes = graph.add("Concat", graph.weight(model.root.numpy(force=True)), words, axis=0)
    graph.rename(nodes, NODES)
    shapes: dict[str, Shape] = {VECTORS: ("words", model.encoder.output_size), **SHAPES}
    return graph.model(_read(graph, shapes), {NODES: ("nodes", model.size)}, dict.fromkeys(SHAPES, np.int64))


def layer_model(layer: LearnedLayer, head: LayerHead, size: int, precision: type[Dense]) -> onnx.ModelProto:
    """From the vectors of nodes to everything that a layer knows of each node alone."""
    graph = Graph()
    outputs = head.export_words(precision(graph), NODES, layer)
    integers = [WORD_SHAPES, *filter(is_label_table, outputs)]
    inputs = _read(graph, {NODES: ("nodes", size), WORD_SHAPES: ("nodes",)})
    return graph.model(inputs, outputs, dict.fromkeys(integers, np.int64))


def _read(graph: Graph, shapes: dict[str, Shape]) -> dict[str, Shape]:
    """Those inputs that some node reads."""
    read = {name for node in graph.nodes for name in node.input}
    return {name: shape for name, shape in shapes.items() if name in read}
