"""Treehierarchical: hierarchical brackets for trees (Ezquerro et al. 2025).

The brackets of `arctag.encodings.hierarchical`. Where arcs do not cross, 12 labels are enough. A word's own arc is
structural or auxiliary, and its head is to the left or to the right: `]>`, `)>`, `[` or `(<`. Besides, the word may
close a structural arc to a dependent on its left (`]<`) and open one to a dependent on its right (`[`). The first of
these needs no bracket after `]>`, where the arc to the dependent leans on the word's own; nor does the second where
its own arc is structural and opens here. Arcs that cross are written with an index; every tree is covered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.trees.graph_labels import GraphLabels


@dataclass(frozen=True)
class TreeHierarchical(GraphLabels):
    """Brackets on the few arcs of a tree that hold the rest: ']<)>['. 12 labels if no arcs cross; covers every tree."""

    example: ClassVar[str] = "]<)>["

    @property
    def name(self) -> str:
        return "treehierarchical"

    @property
    def graphs(self) -> Hierarchical:
        return Hierarchical()
