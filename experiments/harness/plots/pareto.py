"""Accuracy against speed: a marker for each parser, and the Pareto front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from harness.plots.axes import Scale, draw_axes
from harness.plots.places import Box, place_labels
from harness.plots.svg import COLOURS, FONT, GREY, INK, SHAPES, line, marker, page, polyline, swatch, text, text_width

_WIDTH, _HEIGHT = 900.0, 560.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 70.0, 190.0, 48.0, 60.0
_LABEL = 11.0
_LOG_RANGE = 5.0  # ratio of speeds from which their scale is logarithmic
_OUTLIER = 1.5  # times the distance from the best to the median: what is further below is drawn at the lower edge


@dataclass(frozen=True)
class Point:
    """One parser with one encoder."""

    speed: float
    score: float
    label: str
    variant: str
    """Empty for a baseline."""
    family: str
    """Determines the shape."""
    encoder: str
    """Determines the colour."""
    filled: bool
    """Plain taggers are not filled."""

    @property
    def name(self) -> str:
        """The name in full."""
        return ", ".join(filter(None, (self.label, self.variant, self.encoder)))


def front(points: Sequence[Point]) -> list[Point]:
    """The points that no other beats in both speed and score, the fastest last."""
    best: list[Point] = []
    for point in sorted(points, key=lambda p: (-p.speed, -p.score)):
        if not best or point.score > best[-1].score:
            best.append(point)
    return best[::-1]


def floor_of(scores: Sequence[float]) -> float:
    """The lowest score that is drawn to scale; outliers below it would compress all others."""
    middle, best = median(scores), max(scores)
    limit = middle - _OUTLIER * max(best - middle, 1.0)
    return min(score for score in scores if score >= limit)


def picture(
    points: Sequence[Point], title: str, subtitle: str, score: str, families: Sequence[str], encoders: Sequence[str],
    fills: tuple[str, str],
) -> str:  # fmt: skip
    """The picture; all families and encoders are given, so that they look the same in every picture."""
    low = floor_of([p.score for p in points])
    speeds = [p.speed for p in points]
    x = Scale.around(speeds, _LEFT, _WIDTH - _RIGHT, max(speeds) > _LOG_RANGE * min(speeds))
    y = Scale.around([max(p.score, low) for p in points], _HEIGHT - _BOTTOM, _TOP)
    best = front(points)
    ordered = sorted(points, key=lambda p: p not in best)  # their labels are placed first
    places = [(x(p.speed), y(p.score) if p.score >= low else y.start - 9) for p in ordered]
    names = [p.label if p.score >= low else f"{p.label} {p.score:.1f} ↓" for p in ordered]
    parts = [
        text(_LEFT, 22, title, size=15, weight="bold"),
        text(_LEFT, 39, subtitle, fill=GREY, size=11),
        *draw_axes(x, y, "words per second, from words to arcs", f"{score} (%)"),
        polyline([(x(p.speed), y(p.score)) for p in best if p.score >= low], INK, 1.2, "5 4"),
        *_labels(places, names, [p in best for p in ordered], Box(x.start, y.end, x.end, y.start)),
    ]
    for point, (px, py) in reversed(list(zip(ordered, places, strict=True))):
        tip = f"{point.name}: {score} {point.score:.2f}, {point.speed:,.0f} words/s"
        shape, colour = _look(point.family, families, SHAPES), _look(point.encoder, encoders, COLOURS)
        parts.append(marker(px, py, shape, colour, point.filled, tip))
    parts += _legend(points, families, encoders, fills)
    description = f"{score} against words per second; the front: {'; '.join(p.name for p in best)}"
    return page(_WIDTH, _HEIGHT, title, description, parts)


def _look(name: str, known: Sequence[str], looks: Sequence[str]) -> str:
    return looks[list(known).index(name) % len(looks)]


def _labels(
    places: Sequence[tuple[float, float]], names: Sequence[str], strong: Sequence[bool], frame: Box
) -> list[str]:
    sizes = [(text_width(name.replace("_", ""), _LABEL) + 2, _LABEL + 1) for name in names]
    parts, lines = [], []
    for (x, y), name, bold, placed in zip(places, names, strong, place_labels(places, sizes, frame), strict=True):
        box = placed.box
        middle, base = (box.left + box.right) / 2, box.bottom - 2.5
        if placed.distance > 20:
            lines.append(line(x, y, middle, (box.top + box.bottom) / 2, GREY, 0.6))
        weight = "bold" if bold else ""
        parts.append(text(middle, base, name, anchor="middle", size=_LABEL, weight=weight, halo=True))
    return lines + parts


def _legend(
    points: Sequence[Point], families: Sequence[str], encoders: Sequence[str], fills: tuple[str, str]
) -> list[str]:
    """The meaning of the colours, shapes and fills in the picture."""
    x, y = _WIDTH - _RIGHT + 22, _TOP + 8 - FONT / 3
    rows = [
        (swatch(x, y, _look(name, encoders, COLOURS)), name)
        for name in encoders
        if any(p.encoder == name for p in points)
    ]
    rows += [
        (marker(x, y, _look(name, families, SHAPES), GREY, True), name)
        for name in families
        if any(p.family == name for p in points)
    ]
    rows += [(marker(x, y, "circle", GREY, filled), name) for filled, name in zip((False, True), fills, strict=True)]
    rows.append((line(x - 8, y, x + 8, y, INK, 1.2, "5 4"), "Pareto front"))
    return [
        f'<g transform="translate(0 {21 * k})">{sign}{text(x + 14, y + FONT / 3, name)}</g>'
        for k, (sign, name) in enumerate(rows)
    ]
