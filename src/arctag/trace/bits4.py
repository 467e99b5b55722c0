"""Bits4: in each plane a pass rightwards and one leftwards; every word has one head, perhaps that of a null arc."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.trace.bit_parts import dependents_part, head_parts, parts_by_plane
from arctag.trace.bit_pass import Direction, read_planes
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder

# the second bit belongs to the direction that the first one names
_RIGHT = Direction(True, head_bit=1, head_value=1, farthest_bit=2, has_bit=4, one_head=True)
_LEFT = Direction(False, head_bit=1, head_value=0, farthest_bit=2, has_bit=3, one_head=True)


def decode(recorder: Recorder) -> None:
    """Two passes for each plane."""
    read_planes(recorder, (_RIGHT, _LEFT))


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bit stands for, plane after plane."""
    return parts_by_plane(labels, layout, _parts)


def _parts(word: int, plane: int, bits: str, layout: Layout) -> list[Part]:
    way = _RIGHT if bits[0] == "1" else _LEFT
    return [
        *head_parts(word, plane, way, bits, layout),
        *(dependents_part(word, plane, way, bits, layout) for way in (_LEFT, _RIGHT)),
    ]
