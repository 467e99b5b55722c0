"""The planes of brackets and bits, from the definition."""

from __future__ import annotations

from collections.abc import Iterable

from arctag.encodings.conflicts import Arc, Conflict, greedy_planes


def largest_first(planes: list[list[Arc]]) -> list[list[Arc]]:
    """Planes by size; among equals the earlier one first, since Python's sort is stable."""
    return sorted(planes, key=len, reverse=True)


def bracket_planes(arcs: Iterable[Arc], k: int, conflict: Conflict) -> list[list[Arc]]:
    """Arcs by (dependent, head); the k largest planes, padded with empty ones."""
    planes = greedy_planes(sorted(arcs, key=lambda arc: (arc[1], arc[0])), conflict)
    return (largest_first(planes) + [[]] * k)[:k]


def bit_planes(arcs: Iterable[Arc], k: int, conflict: Conflict) -> list[list[Arc]]:
    """Arcs by (left end, right end); the first plane and then the largest of the others, padded."""
    ordered = sorted(arcs, key=lambda arc: (min(arc), max(arc), arc[1]))
    planes = greedy_planes(ordered, conflict)
    return (planes[:1] + largest_first(planes[1:]) + [[]] * k)[:k]
