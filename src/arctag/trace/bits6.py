"""Bits6: in each pair of planes a pass rightwards with the first three bits, one leftwards with the others."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.trace.bit_parts import dependents_part, head_parts, no_head_parts
from arctag.trace.bit_pass import Direction, Turn, read
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder

_RIGHT = Direction(True, head_bit=1, head_value=1, farthest_bit=2, has_bit=3)
_LEFT = Direction(False, head_bit=4, head_value=1, farthest_bit=5, has_bit=6)


def decode(recorder: Recorder) -> None:
    """Two passes a pair."""
    bits = [label.split(".") for label in recorder.labels]
    for plane in range(len(bits[0]) if bits else 0):
        for way in (_RIGHT, _LEFT):
            read(recorder, plane + 1, way, [_turn(row[plane], way) for row in bits])


def _turn(bits: str, way: Direction) -> Turn:
    return Turn(bits, *(bits[bit - 1] == "1" for bit in (way.head_bit, way.farthest_bit, way.has_bit)))


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bit stands for, plane after plane."""
    return [_parts(word, label.split("."), layout) for word, label in enumerate(labels, 1)]


def _parts(word: int, planes: Sequence[str], layout: Layout) -> list[Part]:
    found = []
    for plane, bits in enumerate(planes, 1):
        if bits == "000000":
            found.append(Part(bits, f"plane {plane}: no arc"))
            continue
        for way in (_RIGHT, _LEFT):
            if bits[way.head_bit - 1] == "1":
                found += head_parts(word, plane, way, bits, layout)
            else:
                found += no_head_parts(plane, way, bits)
            found.append(dependents_part(word, plane, way, bits, layout))
    return found
