"""The SVG picture with words on lines, and arcs above and below them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arctag.draw.compared import CORRECT
from arctag.draw.edges import PLAIN
from arctag.draw.layout import Bridge, Layout, Metrics, wrap
from arctag.draw.look import Look
from arctag.draw.measure import ems, xml_text
from arctag.draw.scene import SHARED, UNDER, Scene
from arctag.draw.svg_marks import LABEL, NOTE, WORD, Drawing, arc_start, n, word_start

METRICS = Metrics(
    word_width=lambda word: ems(word) * WORD,
    label_width=lambda label: ems(label) * LABEL + 4,
    gap=17.0,
    slot=7.5,
    pad=6.0,
    first=26.0,
    step=19.0,
    label_height=15.0,
)
COMPACT = replace(METRICS, gap=8.0, slot=6.0, pad=4.0, first=20.0, step=15.0, label_height=13.0)

_WORD_ROW = 26.0  # from the feet of the arcs to below the words
_ID_ROW, _NOTE_ROW = 12.0, 13.0
_LINE_GAP = 16.0  # between wrapped lines
_TIP_LENGTH, _TIP_HALF = 6.0, 2.9
_CORNER = 9.0
_PAPER = 0.88  # most fonts are narrower than the box; where one is not, the text has a halo


@dataclass(frozen=True)
class _Side:
    """Above or below the words: which way y grows there, and where the feet of the arcs are."""

    sign: int
    ground: float

    def y(self, distance: float) -> str:
        """The y of what is that far from the words."""
        return n(self.ground + self.sign * distance)


def across(scene: Scene, look: Look) -> Drawing:
    """The words and arcs; the first line begins at the top."""
    metrics = COMPACT if look.compact else METRICS
    lines = wrap(scene.words, scene.edges, metrics, look.wrap, _note_widths(scene), scene.below)
    if look.rtl:
        lines = [line.mirrored() for line in lines]
    parts: list[str] = []
    top = 0.0
    for line in lines:
        ground = top + line.height
        foot = ground + _notes_top(scene) + len(scene.notes) * _NOTE_ROW
        parts += _arcs(scene, line.bridges, _Side(-1, ground))
        parts += _arcs(scene, line.below, _Side(1, foot))
        parts += _words(scene, line, ground)
        top = foot + line.depth + _LINE_GAP
    return Drawing(parts, lines[0].width, top - _LINE_GAP)


def _arcs(scene: Scene, bridges: list[Bridge], side: _Side) -> Iterator[str]:
    """The arcs, far ones first: their legs then run behind the labels of nearer ones."""
    for bridge in sorted(bridges, key=lambda bridge: -bridge.level):
        line = _root_line(bridge, side) if bridge.edge.root else _line(bridge, side)
        tip = "" if bridge.dependent_away else f'<path class="tip" d="{_tip(bridge.dependent_x, side)}"/>'
        label = _label(bridge, side)
        yield f'{arc_start(scene, bridge.edge)}<path class="line" d="{line}"/>{tip}{label}</g>\n'


def _line(bridge: Bridge, side: _Side) -> str:
    """Up from the head, round the corner, along the deck and down to the dependent's arrowhead.

    An end on another line has no leg: the deck begins or ends at the border.
    """
    start, end = bridge.head_x, bridge.dependent_x
    deck = bridge.label.bottom if bridge.narrow else bridge.y  # a label that is wider than the deck sits on top of it
    corner = min(_CORNER, abs(end - start) / 2)
    inward = corner if start < end else -corner
    top, down = side.y(deck), side.y(deck - _CORNER * 1.2)  # a little taller than wide looks rounder on long legs
    rise = f"M{n(start)} {side.y(1)}V{down}Q{n(start)} {top} {n(start + inward)} {top}"
    fall = f"H{n(end - inward)}Q{n(end)} {top} {n(end)} {down}V{side.y(_TIP_LENGTH)}"
    return (f"M{n(start)} {top}" if bridge.head_away else rise) + (f"H{n(end)}" if bridge.dependent_away else fall)


def _root_line(bridge: Bridge, side: _Side) -> str:
    return f"M{n(bridge.dependent_x)} {side.y(bridge.label.bottom)}V{side.y(_TIP_LENGTH)}"


def _tip(x: float, side: _Side) -> str:
    """An arrowhead that touches the word; drawn as a shape, since markers cannot take the arc's colour everywhere."""
    back, notch = side.y(_TIP_LENGTH + 1), side.y(_TIP_LENGTH - 1)
    return f"M{n(x)} {side.y(0)}L{n(x - _TIP_HALF)} {back}Q{n(x)} {notch} {n(x + _TIP_HALF)} {back}Z"


def _label(bridge: Bridge, side: _Side) -> str:
    """The text on a background, so that no line runs through it."""
    box = bridge.label
    # a sign before the label (−obj) must not touch the line, or it looks like part of it
    paper = (box.right - box.left) * (_PAPER if bridge.edge.kind in (PLAIN, CORRECT, SHARED, UNDER) else 1)
    height = box.top - box.bottom
    y = side.ground + side.sign * bridge.y
    place = f'x="{n(box.centre - paper / 2)}" y="{n(y - height / 2)}" width="{n(paper)}" height="{n(height)}"'
    frame = f'<rect class="root" {place} rx="4"/>' if bridge.edge.root else ""
    text = f'<text x="{n(box.centre)}" y="{n(y + LABEL * 0.35)}">{xml_text(bridge.edge.label)}</text>'
    return f'<g class="label"><rect {place} rx="4"/>{frame}{text}</g>'


def _words(scene: Scene, line: Layout, ground: float) -> Iterator[str]:
    for number, (x, width) in enumerate(zip(line.centres, line.widths, strict=True), line.first):
        yield word_start(scene, number)
        if scene.empty[number]:
            place = f'x="{n(x - width / 2 - 3)}" y="{n(ground + 2.5)}" width="{n(width + 6)}" height="22"'
            yield f'<rect {place} rx="4"/>'
            yield f'<text class="id" x="{n(x)}" y="{n(ground + 36)}">{xml_text(scene.ids[number])}</text>'
        yield f'<text x="{n(x)}" y="{n(ground + 19)}">{xml_text(scene.words[number])}</text>'
        yield from _notes(scene, number, x, ground)
        yield "</g>\n"


def _notes(scene: Scene, number: int, x: float, ground: float) -> Iterator[str]:
    """What stands below a word."""
    for row, (kind, texts) in enumerate(scene.notes.items(), 1):
        if texts[number]:
            y = ground + _notes_top(scene) + row * _NOTE_ROW - 4
            yield f'<text class="note {kind}" x="{n(x)}" y="{n(y)}">{xml_text(texts[number])}</text>'


def _notes_top(scene: Scene) -> float:
    """Where the lines below the words begin."""
    return _WORD_ROW + (_ID_ROW if any(scene.empty) else 0)


def _note_widths(scene: Scene) -> list[float]:
    """The room that each word needs for what stands below it."""
    return [max(map(ems, texts)) * NOTE for texts in zip(*scene.notes.values(), strict=True)]
