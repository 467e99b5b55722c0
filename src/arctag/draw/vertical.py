"""Where everything goes in a vertical picture: a word on each row, the arcs as brackets at the left.

y grows downwards, in rows; x is counted in levels, from the words to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arctag.draw.attachments import attachments
from arctag.draw.edges import Edge
from arctag.draw.levels import stack

STEEP = 0.7  # the part of a row's height that the ends of its arcs may take


@dataclass(frozen=True)
class Bracket:
    """An arc between two words, in its place."""

    edge: Edge
    head_y: float
    dependent_y: float
    level: int
    """How far to the left its upright is; 1 for the one next to the words."""


def brackets(n: int, edges: Sequence[Edge], row: float) -> tuple[list[Bracket], int]:
    """The arcs between words, on rows of that height, and how many levels they take; roots have no bracket."""
    drawn = [edge for edge in edges if not edge.root]
    _, _, legs = attachments(n, drawn, 1.0)
    slot = row * STEEP / max(1, max(legs, default=1) - 1)
    heads, dependents, _ = attachments(n, drawn, min(slot, row / 6))
    head_y = np.array([(edge.head - 0.5) * row for edge in drawn], dtype=np.float64) + heads
    dependent_y = np.array([(edge.dependent - 0.5) * row for edge in drawn], dtype=np.float64) + dependents
    top, bottom = np.minimum(head_y, dependent_y), np.maximum(head_y, dependent_y)
    levels = stack(top, bottom, bottom - top, [False] * len(drawn)).tolist()
    placed = zip(drawn, head_y.tolist(), dependent_y.tolist(), levels, strict=True)
    return [Bracket(*values) for values in placed], max(levels, default=0)
