"""What single bits stand for, which the bit encodings share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arctag.trace.bit_pass import Direction
from arctag.trace.layout import Layout, Part
from arctag.trace.wording import listed, named


def parts_by_plane(
    labels: Sequence[str], layout: Layout, parts: Callable[[int, int, str, Layout], list[Part]]
) -> list[list[Part]]:
    """The parts of each word's label, given those of the bits of a plane."""
    return [
        [part for plane, bits in enumerate(label.split("."), 1) for part in parts(word, plane, bits, layout)]
        for word, label in enumerate(labels, 1)
    ]


def head_parts(word: int, plane: int, way: Direction, bits: str, layout: Layout) -> list[Part]:
    """The bits for the head and for the farthest dependent, of a word that has a head on that side."""
    [head] = [head for head in layout.heads(word, plane) if (head < word) == way.rightwards]
    farthest = layout.dependents(head, plane)[-1 if way.rightwards else 0]
    where = f"head to the {way.heads_are}, {named(head)}{' (a null arc)' if layout.is_null(word, plane) else ''}"
    far = f"the farthest dependent of {named(head)}" if farthest == word else f"{named(farthest)} is farther away"
    return [_part(plane, way.head_bit, bits, where), _part(plane, way.farthest_bit, bits, far)]


def no_head_parts(plane: int, way: Direction, bits: str) -> list[Part]:
    """The same bits where there is no head on that side."""
    where = f"no head to the {way.heads_are}"
    return [
        _part(plane, way.head_bit, bits, where),
        _part(plane, way.farthest_bit, bits, "no head there, so not its farthest dependent"),
    ]


def dependents_part(word: int, plane: int, way: Direction, bits: str, layout: Layout) -> Part:
    """The bit for dependents on one side."""
    dependents = [other for other in layout.dependents(word, plane) if (word < other) == way.rightwards]
    side = f"dependents to the {way.dependents_are}"
    return _part(plane, way.has_bit, bits, f"{side}, {listed(dependents)}" if dependents else f"no {side}")


def _part(plane: int, bit: int, bits: str, meaning: str) -> Part:
    return Part(bits[bit - 1], f"plane {plane}, bit {bit}: {meaning}")
