"""Treebits7: in each of two planes a pass rightwards and one leftwards; the second bit is the plane of a word's arc."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.trace.bit_parts import dependents_part, head_parts
from arctag.trace.bit_pass import Direction, read_pass
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder


def _direction(rightwards: bool, plane: int) -> Direction:
    has_bit = 2 * plane + (3 if rightwards else 2)
    return Direction(rightwards, 1, int(rightwards), 3, has_bit, one_head=True, plane_bit=2, plane_value=plane - 1)


def decode(recorder: Recorder) -> None:
    """Two passes for each plane."""
    for plane in (1, 2):
        for way in (_direction(True, plane), _direction(False, plane)):
            read_pass(recorder, plane, way, [way.turn(label) for label in recorder.labels])


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bit stands for."""
    return [_parts(word, bits, layout) for word, bits in enumerate(labels, 1)]


def _parts(word: int, bits: str, layout: Layout) -> list[Part]:
    own = int(bits[1]) + 1
    head, farthest = head_parts(word, own, _direction(bits[0] == "1", own), bits, layout)
    ways = [(plane, _direction(rightwards, plane)) for plane in (1, 2) for rightwards in (False, True)]
    return [
        head,
        Part(bits[1], f"plane {own}, bit 2: its arc is in this plane"),
        farthest,
        *(dependents_part(word, plane, way, bits, layout) for plane, way in ways),
    ]
