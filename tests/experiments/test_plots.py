"""The pictures of the report."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from harness.plots import axes, lines, pareto, places


def point(speed: float, score: float, **changes: Any) -> pareto.Point:
    keys = {"label": "B_2", "variant": "plain", "family": "B", "encoder": "E", "filled": True, **changes}
    return pareto.Point(speed, score, **keys)


def words_of(svg: str) -> str:
    return "".join(ElementTree.fromstring(svg).itertext())


def test_front_is_what_no_other_beats() -> None:
    points = [point(10, 90), point(20, 80), point(15, 85), point(12, 84), point(20, 79), point(5, 90)]
    assert [(p.speed, p.score) for p in pareto.front(points)] == [(10, 90), (15, 85), (20, 80)]
    slow = {
        (p.speed, p.score)
        for p in points
        if not any(
            (q.speed >= p.speed and q.score >= p.score) and (q.speed, q.score) != (p.speed, p.score) for q in points
        )
    }
    assert {(p.speed, p.score) for p in pareto.front(points)} == slow


def test_picture_is_valid_and_shows_outliers() -> None:
    points = [point(100 + k, 80 + k, label=f"<{k}&>") for k in range(8)] + [point(50, 20, label="A", filled=False)]
    words = words_of(pareto.picture(points, "T <&>", "M", "LF", ["B"], ["E"], ("plain", "verified")))
    assert "A 20.0 ↓" in words
    assert all(f"<{k}&>" in words for k in range(8))


def test_labels_do_not_cover_each_other() -> None:
    spots = [(100.0 + 3 * k, 100.0 + 2 * (k % 3)) for k in range(12)]
    frame = places.Box(0, 0, 400, 300)
    boxes = [placed.box for placed in places.place_labels(spots, [(30.0, 12.0)] * 12, frame)]
    assert all(box.inside(frame) for box in boxes)
    assert sum(a.overlap(b) for i, a in enumerate(boxes) for b in boxes[:i]) == 0


@pytest.mark.parametrize(("low", "high", "log"), [(80, 90, False), (0.1, 0.5, False), (10, 5000, True), (3, 4, True)])
def test_axes_have_round_numbers_inside(low: float, high: float, log: bool) -> None:
    scale = axes.Scale.around([low, high], 0, 100, log)
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 10
    assert all(scale.low <= tick <= scale.high and 0 <= scale(tick) <= 100 for tick in ticks)
    assert scale(low) < scale(high)


def test_lines_are_named() -> None:
    words = words_of(
        lines.picture([lines.Line("B6_4", [(10, 1), (100, 1.2)]), lines.Line("Biaf", [(10, 1), (100, 9)])],
                      "Time", "M", "words", "s")
    )  # fmt: skip
    assert "B64" in words
    assert "Biaf" in words
