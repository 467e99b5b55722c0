"""The layer of a parse that is drawn."""

from __future__ import annotations

from arctag.errors import InputError
from arctag.layers.graphs import MAIN, GraphLayer
from arctag.layers.trees import TREE
from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.transforms.main_graph import with_main


def check_drawn(name: str | None, parser: Parser) -> None:
    """An error unless the model has the layer, and it has arcs."""
    if name is not None and not isinstance(parser.config.layer(name), GraphLayer) and name != TREE:
        raise InputError(f"layer {name!r} has no arcs to draw")


def drawn(sentence: Sentence, name: str | None) -> Sentence:
    """The sentence with the graph of that layer in place of its main one."""
    return sentence if name is None or name == MAIN else with_main(sentence, name)
