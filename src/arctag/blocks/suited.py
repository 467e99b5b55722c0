"""Arcs as encodings need them: with the tags of words for some, trees for others."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.blocks.upos import tagged
from arctag.encodings import Arcs, Encoding
from arctag.encodings.trees.base import NotATree, tree_heads
from arctag.sentence import Sentence


def suited(arcs: Arcs, sentences: Sequence[Sentence], *encodings: Encoding) -> Arcs:
    """The arcs of sentences, with tags if an encoding needs them; `NoTags` or `NotATree`, which name the sentence."""
    if any(chosen.trees_only for chosen in encodings):
        try:
            tree_heads(arcs)
        except NotATree as error:
            raise error.named(sentences[error.sentence].id) from error
    return tagged(arcs, sentences, *encodings)
