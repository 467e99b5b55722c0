"""Figures by sentence length: one line for each parser, both scales logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.plots.axes import Scale, draw_axes
from harness.plots.places import Box, place_labels
from harness.plots.svg import COLOURS, FONT, GREY, SHAPES, marker, page, polyline, text, text_width

_WIDTH, _HEIGHT = 720.0, 440.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 76.0, 210.0, 48.0, 60.0
_DASHES = ("", "7 4", "2 3", "10 3 2 3")


@dataclass(frozen=True)
class Line:
    """One parser: points from left to right."""

    name: str
    points: list[tuple[float, float]]


def picture(lines: Sequence[Line], title: str, subtitle: str, x_title: str, y_title: str) -> str:
    """The picture, with each line's name at its end."""
    x = Scale.around([px for item in lines for px, _ in item.points], _LEFT, _WIDTH - _RIGHT, log=True)
    y = Scale.around([py for item in lines for _, py in item.points], _HEIGHT - _BOTTOM, _TOP, log=True)
    parts = [
        text(_LEFT, 22, title, size=15, weight="bold"),
        text(_LEFT, 39, subtitle, fill=GREY, size=11),
        *draw_axes(x, y, x_title, y_title),
    ]
    ends = [(x.end - 6, y(item.points[-1][1])) for item in lines]
    sizes = [(text_width(item.name) + 16, FONT + 2) for item in lines]
    margin = Box(x.end, 0, _WIDTH, _HEIGHT)
    for k, (item, placed) in enumerate(zip(lines, place_labels(ends, sizes, margin), strict=True)):
        colour, places = COLOURS[k % len(COLOURS)], [(x(px), y(py)) for px, py in item.points]
        parts.append(polyline(places, colour, 2, _DASHES[k % len(_DASHES)]))
        parts += [marker(px, py, SHAPES[k % len(SHAPES)], colour, True, item.name, 4) for px, py in places]
        parts.append(
            marker(placed.box.left + 5, placed.box.bottom - 7, SHAPES[k % len(SHAPES)], colour, True, radius=4)
        )
        parts.append(text(placed.box.left + 14, placed.box.bottom - 3, item.name))
    names = ", ".join(item.name for item in lines)
    return page(_WIDTH, _HEIGHT, title, f"{y_title} by {x_title}: {names}", parts)
