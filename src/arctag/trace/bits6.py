"""Bits6: in each pair of planes a pass rightwards with the first three bits, one leftwards with the others."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.trace.bit_parts import dependents_part, head_parts, no_head_parts, parts_by_plane
from arctag.trace.bit_pass import Direction, read_planes
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder

_RIGHT = Direction(True, head_bit=1, head_value=1, farthest_bit=2, has_bit=3)
_LEFT = Direction(False, head_bit=4, head_value=1, farthest_bit=5, has_bit=6)


def decode(recorder: Recorder) -> None:
    """Two passes for each pair."""
    read_planes(recorder, (_RIGHT, _LEFT))


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bit stands for, plane after plane."""
    return parts_by_plane(labels, layout, _parts)


def _parts(word: int, plane: int, bits: str, layout: Layout) -> list[Part]:
    if bits == "000000":
        return [Part(bits, f"plane {plane}: no arc")]
    parts = []
    for way in (_RIGHT, _LEFT):
        if bits[way.head_bit - 1] == "1":
            parts += head_parts(word, plane, way, bits, layout)
        else:
            parts += no_head_parts(plane, way, bits)
        parts.append(dependents_part(word, plane, way, bits, layout))
    return parts
