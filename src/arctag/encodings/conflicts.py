"""Which arcs may not share a plane, and greedy planes, from the definition: every arc is compared with every other.

`planes` does the same in linear time, compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Arc = tuple[int, int]  # (head, dependent)
Conflict = Callable[[Arc, Arc], bool]


def points_right(arc: Arc) -> bool:
    """Whether the head stands before the dependent."""
    return arc[0] < arc[1]


def cross(one: Arc, other: Arc) -> bool:
    """Whether two arcs cross when drawn above the words: each has exactly one end inside the other."""
    (left, right), (other_left, other_right) = sorted((sorted(one), sorted(other)))
    return left < other_left < right < other_right


def strict_conflict(one: Arc, other: Arc) -> bool:
    """Brackets, strict: any two crossing arcs."""
    return cross(one, other)


def relaxed_conflict(one: Arc, other: Arc) -> bool:
    """Brackets, relaxed: crossing arcs that point the same way."""
    return cross(one, other) and points_right(one) == points_right(other)


def one_head_conflict(one: Arc, other: Arc) -> bool:
    """Bits4: besides, two arcs into the same word."""
    return relaxed_conflict(one, other) or one[1] == other[1]


def one_head_each_way_conflict(one: Arc, other: Arc) -> bool:
    """Bits6: besides, two arcs into the same word from the same side."""
    return relaxed_conflict(one, other) or (one[1] == other[1] and points_right(one) == points_right(other))


def greedy_planes(arcs: Iterable[Arc], conflict: Conflict) -> list[list[Arc]]:
    """Give each arc, in order, the first plane where it conflicts with nothing; self-loops get none."""
    planes: list[list[Arc]] = []
    for arc in arcs:
        if arc[0] == arc[1]:
            continue
        for plane in planes:
            if not any(conflict(arc, other) for other in plane):
                plane.append(arc)
                break
        else:
            planes.append([arc])
    return planes
