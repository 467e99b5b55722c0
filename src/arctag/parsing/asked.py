"""What is asked of a model: the layers that options lead to, and the columns that these fill in."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from arctag.columns import STANDARD
from arctag.layers import LearnedLayer
from arctag.layers.graphs import MAIN, GraphLayer
from arctag.layers.trees import TREE
from arctag.modelfile.config import ModelConfig

if TYPE_CHECKING:
    from arctag.parsing.parser import ParseOptions


def asked_at_most(config: ModelConfig, fresh: bool, options: ParseOptions) -> frozenset[str]:
    """The layers to predict for sentences of a graph file, or for fresh ones; fewer where one has a tree."""
    known = config.names
    if options.layers is not None:
        return _with_sources(config, options.layers)
    if fresh or MAIN not in known:
        return frozenset(known).difference(options.left_out)
    return frozenset({MAIN, TREE}.intersection(known)) | _with_sources(config, options.also)


def columns(config: ModelConfig, fresh: bool, options: ParseOptions) -> tuple[str, ...]:
    """What these layers fill in: columns of CoNLL-U in their order, then further layers."""
    asked = asked_at_most(config, fresh, options)
    names = {name for layer in config.layers if layer.name in asked for name in layer.written}
    standard = [name for name in STANDARD if name in names]
    return (*standard, *sorted(names.difference(standard)))


def graph_names(config: ModelConfig) -> frozenset[str]:
    """The names of the layers that are graphs; others that are further layers are tags."""
    return frozenset(layer.name for layer in config.layers if isinstance(layer, GraphLayer))


def _with_sources(config: ModelConfig, names: Collection[str]) -> frozenset[str]:
    """A layer that is taken from another, as a tree from the graph, brings that one with it."""
    derived = [layer for layer in map(config.layer, names) if not isinstance(layer, LearnedLayer)]
    return frozenset(names).union(*(layer.uses for layer in derived))
