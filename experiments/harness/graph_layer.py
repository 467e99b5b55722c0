"""The graph layer of a parser: what the experiments are about."""

from __future__ import annotations

from arctag.errors import InputError
from arctag.layers.graphs import MAIN, GraphLayer
from arctag.parsing.parser import Parser


def graph_layer(parser: Parser) -> GraphLayer:
    """The layer that predicts the graph."""
    layer = parser.config.layer(MAIN)
    if not isinstance(layer, GraphLayer):
        raise InputError(f"layer {MAIN} is of kind {layer.kind}; expected a graph")
    return layer


def set_graph_layer(parser: Parser, layer: GraphLayer) -> None:
    """Give a parser another graph layer."""
    parser.config = parser.config.with_layers(layer if old.name == MAIN else old for old in parser.config.layers)
