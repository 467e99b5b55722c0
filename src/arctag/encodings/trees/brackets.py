r"""Treebrackets-K: brackets for trees (Strzyz et al. 2019; with two planes, 2020).

A word has one `>` or `<` for its own arc, a `\` for each dependent to its left, a `/` for each to its right. An arc
that no plane has room for has no brackets; decoding leaves its word without a head, and attaches it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arctag.encodings.brackets import Brackets
from arctag.encodings.rules import Crossing, Planes
from arctag.encodings.trees.graph_labels import GraphLabels


@dataclass(frozen=True)
class TreeBrackets(GraphLabels):
    r"""Brackets for both ends of each arc of a tree, in K planes: '\>/'. Labels are not bounded in number."""

    k: int = 2
    crossing: Crossing = "relaxed"
    planes: Planes = "greedy"

    example: ClassVar[str] = "\\>/"

    def __post_init__(self) -> None:
        self.graphs  # noqa: B018  # it checks the number of planes

    @property
    def name(self) -> str:
        return f"treebrackets-{self.k}"

    @property
    def graphs(self) -> Brackets:
        return Brackets(self.k, self.crossing, self.planes)
