"""Heads: what is predicted from word vectors. All work on flat words or flat arcs, never on padding.

Arcs are given as node numbers into the table of vectors: 0 is the root, which all sentences of a batch share, and the
words follow one after another from 1. A new relation head is a file and a line in `RELATION_HEADS`, which can be read
without torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arctag.modelfile.lazy import Lazy

if TYPE_CHECKING:
    from arctag.backends.torch.heads.relations import RelationHead  # noqa: F401  # in quotes below


__all__ = ["RELATION_HEADS", "RelationHeadKind"]


@dataclass(frozen=True)
class RelationHeadKind(Lazy["RelationHead"]):
    """What must be known of a relation head before its class is imported."""

    hidden: int = 400
    """Its hidden units, unless the settings say otherwise."""


RELATION_HEADS: dict[str, RelationHeadKind] = {
    "product": RelationHeadKind("arctag.backends.torch.heads.product:ProductHead"),
    "biaffine": RelationHeadKind("arctag.backends.torch.heads.biaffine:BiaffineHead", hidden=100),
    "concat": RelationHeadKind("arctag.backends.torch.heads.concat:ConcatHead"),
    "tuple": RelationHeadKind("arctag.backends.torch.heads.tuples:TupleHead"),
}
"""Name → kind."""
