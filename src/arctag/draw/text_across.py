"""The terminal diagram with the words on one line and the arcs above them."""

from __future__ import annotations

import math
from dataclasses import replace

from arctag.draw.canvas import Canvas
from arctag.draw.ink import Ink
from arctag.draw.layout import Bridge, Layout, Metrics, lay_out
from arctag.draw.measure import cells
from arctag.draw.scene import Scene


def _even(text: str) -> float:
    """The columns of a text, rounded up to an even number so that middles are whole columns."""
    return cells(text) + cells(text) % 2


_METRICS = Metrics(
    word_width=_even, label_width=_even, gap=2, slot=2, pad=1, first=1, step=1, label_height=1, spread=True
)  # fmt: skip


def across(scene: Scene, ink: Ink, width: int, rtl: bool) -> list[str] | None:
    """The lines of the diagram, or nothing if it needs more than `width` columns."""
    if sum(map(cells, scene.words)) + len(scene.words) - 1 > width:
        return None  # the words alone do not fit
    edges = [replace(edge, label=ink.label(edge)) for edge in scene.edges]
    least = [max(map(_even, texts)) for texts in zip(*scene.notes.values(), strict=True)]
    layout = lay_out(scene.words, edges, _METRICS, least)
    if layout.width + 1 > width:
        return None
    if rtl:
        layout = layout.mirrored()
    return _drawn(scene, layout, ink)


def _drawn(scene: Scene, layout: Layout, ink: Ink) -> list[str]:
    feet = max((bridge.level for bridge in layout.bridges), default=-1)  # the row of the arrowheads
    canvas = Canvas(feet + 2 + len(scene.notes), ink.ascii_only)
    for bridge in layout.bridges:
        _draw_lines(canvas, bridge, feet, ink)
    for bridge in layout.bridges:  # after all lines, so that none cuts a label
        canvas.write(feet - bridge.level, math.floor(bridge.label.left), bridge.edge.label, ink.pen(bridge.edge))
        canvas.write(feet, int(bridge.dependent_x), ink.down_tip, ink.pen(bridge.edge))
    for row, texts in enumerate([scene.words, *scene.notes.values()], feet + 1):
        for text, centre in zip(texts, layout.centres, strict=True):
            canvas.write(row, int(centre) - cells(text) // 2, text)
    return list(canvas.lines())


def _draw_lines(canvas: Canvas, bridge: Bridge, feet: int, ink: Ink) -> None:
    pen, row = ink.pen(bridge.edge), feet - bridge.level
    head, dependent = int(bridge.head_x), int(bridge.dependent_x)
    canvas.vertical(dependent, row, feet, pen)
    if not bridge.edge.root:
        canvas.vertical(head, row, feet, pen)
        canvas.horizontal(row, head, dependent, pen)
