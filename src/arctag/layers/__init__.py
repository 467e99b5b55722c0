"""Layers: what a model predicts. One encoder reads a sentence, and every layer is predicted from that.

`base` says what a layer is, `LAYERS` lists the kinds, `STANDARD` the layers of Universal Dependencies.
"""

from __future__ import annotations

from typing import NamedTuple

from arctag.layers.base import Layer, LearnedLayer, Outcome, Output, Question, Selection, Targets
from arctag.layers.derived_trees import DerivedTreeLayer
from arctag.layers.graphs import GraphLayer
from arctag.layers.lemmas import LemmaLayer
from arctag.layers.tags import TagLayer
from arctag.layers.trees import TreeLayer

__all__ = [
    "LAYERS",
    "STANDARD",
    "Layer",
    "LearnedLayer",
    "Outcome",
    "Output",
    "Question",
    "Selection",
    "Targets",
    "learned_kind",
]

LAYERS: dict[str, type[Layer]] = {
    kind.kind: kind for kind in (TagLayer, LemmaLayer, TreeLayer, DerivedTreeLayer, GraphLayer)
}
"""The kinds of layers by name."""


def learned_kind(name: str) -> type[LearnedLayer]:
    """A kind that is learned from treebanks, by name."""
    kind = LAYERS[name]
    assert issubclass(kind, LearnedLayer)
    return kind


class Standard(NamedTuple):
    """A layer that CoNLL-U has a column for."""

    kind: str
    column: str


STANDARD = {
    "upos": Standard("tags", "UPOS"),
    "xpos": Standard("tags", "XPOS"),
    "feats": Standard("tags", "FEATS"),
    "lemma": Standard("lemma", "LEMMA"),
    "tree": Standard("tree", "HEAD"),
    "graph": Standard("graph", "DEPS"),
}
"""The layers of Universal Dependencies by name."""
