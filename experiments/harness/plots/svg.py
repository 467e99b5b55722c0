"""Elements of a picture: the page, text, lines, and markers that differ in shape as well as in colour."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from xml.sax.saxutils import escape, quoteattr

# colours after Okabe and Ito, for colour-blind readers; dark, middle and light, to be distinct in grey as well
COLOURS = ("#00477A", "#C25400", "#35A87F", "#CC79A7", "#000000")
INK, GREY, FAINT, PAPER = "#16181d", "#5c6370", "#e3e5e9", "#ffffff"
FONT = 12.0
_FONTS = "Helvetica Neue, Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
_WIDE = 0.56  # of the font size: the mean width of a character

SHAPES = (
    "circle", "square", "triangle", "diamond", "pentagon", "star", "cross", "plus", "down", "hexagon", "bar", "burst",
)  # fmt: skip
_OPEN = ("cross", "plus", "bar", "burst")  # drawn with lines alone


def page(width: float, height: float, title: str, description: str, parts: Iterable[str]) -> str:
    """A complete file, with a white background."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{_FONTS}" font-size="{FONT:g}">\n'
        f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>\n"
        f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{PAPER}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def text_width(text: str, size: float = FONT) -> float:
    """The approximate width of a text."""
    return len(text) * size * _WIDE


def text(
    x: float, y: float, words: str, *, anchor: str = "start", size: float = FONT, fill: str = INK, weight: str = "",
    turned: bool = False, halo: bool = False,
) -> str:  # fmt: skip
    """A line of text whose baseline is at y; `_2` becomes a subscript."""
    extra = f' font-weight="{weight}"' if weight else ""
    extra += f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    extra += f' stroke="{PAPER}" stroke-width="3" paint-order="stroke" stroke-linejoin="round"' if halo else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}" fill="{fill}"{extra}>'
        f"{_subscripts(words, size)}</text>"
    )


def _subscripts(words: str, size: float) -> str:
    """`B6_4` with the 4 as a subscript."""
    parts = re.split(r"_(\d+)", words)  # text, digits, text, digits, …, text
    elements = [escape(parts[0])]
    for digits, after in zip(parts[1::2], parts[2::2], strict=True):
        elements.append(f'<tspan font-size="{0.75 * size:g}" dy="{0.2 * size:g}">{digits}</tspan>')
        elements.append(f'<tspan dy="-{0.2 * size:g}">{escape(after)}</tspan>' if after else "")
    return "".join(elements)


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1.0, dash: str = "") -> str:
    """A straight line."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
        f'stroke-width="{width:g}"{dashes}/>'
    )


def polyline(points: Sequence[tuple[float, float]], stroke: str, width: float, dash: str = "") -> str:
    """A line through points."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{dashes}/>'


def swatch(x: float, y: float, colour: str) -> str:
    """A sample of a colour."""
    return f'<rect x="{x - 7:.1f}" y="{y - 4:.1f}" width="14" height="8" rx="2" fill="{colour}"/>'


def marker(x: float, y: float, shape: str, colour: str, filled: bool, title: str = "", radius: float = 5.5) -> str:
    """A marker, filled with its colour or white."""
    tip = f"<title>{escape(title)}</title>" if title else ""
    style = f'stroke={quoteattr(colour)} stroke-width="1.8" fill="{colour if filled else PAPER}"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" {style}>{tip}</circle>'
    if shape in _OPEN:
        strokes = " ".join(
            f"M{x + a:.1f},{y + b:.1f}L{x + c:.1f},{y + d:.1f}" for a, b, c, d in _strokes(shape, radius)
        )
        return f'<path d="{strokes}" stroke={quoteattr(colour)} stroke-width="2.6" fill="none">{tip}</path>'
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in _corners(shape, radius))
    return f'<polygon points="{corners}" stroke-linejoin="round" {style}>{tip}</polygon>'


def _strokes(shape: str, r: float) -> list[tuple[float, float, float, float]]:
    cross = [(-r, -r, r, r), (-r, r, r, -r)]
    plus = [(-r, 0, r, 0), (0, -r, 0, r)]
    return {"cross": cross, "plus": plus, "bar": plus[:1], "burst": cross + plus}[shape]


def _corners(shape: str, r: float) -> list[tuple[float, float]]:
    if shape == "star":
        return [_around(k, 10, 1.3 * r if k % 2 == 0 else 0.6 * r) for k in range(10)]
    if shape == "square":
        return [(-r, -r), (r, -r), (r, r), (-r, r)]
    if shape == "down":
        return [(x, -y) for x, y in _corners("triangle", r)]
    sides = {"triangle": 3, "diamond": 4, "pentagon": 5, "hexagon": 6}[shape]
    return [_around(k, sides, 1.2 * r) for k in range(sides)]


def _around(k: int, sides: int, r: float) -> tuple[float, float]:
    """A corner of a regular polygon with a horizontal base."""
    angle = 2 * pi * k / sides
    return r * sin(angle), -r * cos(angle)
