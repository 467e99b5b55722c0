"""Bits4: in each plane a pass rightwards and one leftwards; every word has one head, perhaps that of a null arc."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.trace.bit_parts import dependents_part, head_parts
from arctag.trace.bit_pass import Direction, Turn, read
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder

_RIGHT = Direction(True, head_bit=1, head_value=1, farthest_bit=2, has_bit=4)
_LEFT = Direction(False, head_bit=1, head_value=0, farthest_bit=2, has_bit=3)


def decode(recorder: Recorder) -> None:
    """Two passes a plane."""
    bits = [label.split(".") for label in recorder.labels]
    for plane in range(len(bits[0]) if bits else 0):
        for way in (_RIGHT, _LEFT):
            read(recorder, plane + 1, way, [_turn(row[plane], way) for row in bits])


def _turn(bits: str, way: Direction) -> Turn:
    """The second bit belongs to the direction that the first one names."""
    head = bits[0] == str(way.head_value)
    return Turn(bits, head, head and bits[1] == "1", bits[way.has_bit - 1] == "1")


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bit stands for, plane after plane."""
    return [_parts(word, label.split("."), layout) for word, label in enumerate(labels, 1)]


def _parts(word: int, planes: Sequence[str], layout: Layout) -> list[Part]:
    found = []
    for plane, bits in enumerate(planes, 1):
        way = _RIGHT if bits[0] == "1" else _LEFT
        found += head_parts(word, plane, way, bits, layout)
        found += [dependents_part(word, plane, way, bits, layout) for way in (_LEFT, _RIGHT)]
    return found
