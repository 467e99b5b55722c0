"""Positions of labels that cover neither each other nor the markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin

_DISTANCES = (10.0, 18.0, 28.0, 40.0, 54.0)
_DIRECTIONS = 16
_MARKER = 7.0  # half the side of a marker's box


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: Box) -> float:
        """The area both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(across, 0.0) * max(down, 0.0)

    def inside(self, other: Box) -> bool:
        """Whether it lies within another."""
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )


@dataclass(frozen=True)
class Placed:
    """A label's box, and how far it is from its marker."""

    box: Box
    distance: float


def place_labels(
    points: Sequence[tuple[float, float]], sizes: Sequence[tuple[float, float]], frame: Box
) -> list[Placed]:
    """A position for the label of each point, in order: the first ones have the widest choice."""
    taken = [Box(x - _MARKER, y - _MARKER, x + _MARKER, y + _MARKER) for x, y in points]
    labels = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        best = min(_candidates(x, y, width, height), key=lambda placed: _cost(placed, taken, frame))
        taken.append(best.box)
        labels.append(best)
    return labels


def _candidates(x: float, y: float, width: float, height: float) -> list[Placed]:
    """Boxes all around a point, near ones first; each touches a circle around it."""
    candidates = []
    for distance in _DISTANCES:
        for k in range(_DIRECTIONS):
            angle = 2 * pi * k / _DIRECTIONS  # the first is to the right
            across, down = cos(angle), -sin(angle)
            middle_x = x + across * (distance + width / 2)
            middle_y = y + down * (distance + height / 2)
            box = Box(middle_x - width / 2, middle_y - height / 2, middle_x + width / 2, middle_y + height / 2)
            candidates.append(Placed(box, distance))
    return candidates


def _cost(placed: Placed, taken: Sequence[Box], frame: Box) -> float:
    covered = sum(placed.box.overlap(other) for other in taken)
    return 20 * covered + placed.distance + (0 if placed.box.inside(frame) else 1e6)
