"""The SVG picture with a word on each line, indented by its depth, and the arcs as brackets at the left."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.draw.edges import Edge
from arctag.draw.look import Look
from arctag.draw.measure import ems, xml_text
from arctag.draw.scene import Scene
from arctag.draw.svg_marks import LABEL, NOTE, WORD, Drawing, arc_start, n, style_class, word_start
from arctag.draw.vertical import Bracket, brackets

_ROW, _COMPACT_ROW = 25.0, 20.0
_STEP, _COMPACT_STEP = 9.0, 6.0  # between brackets
_INDENT, _COMPACT_INDENT = 14.0, 9.0
_GAP = 16.0  # between columns
_CORNER = 5.0
_TIP_LENGTH, _TIP_HALF = 6.0, 2.9
_FROM = "\u2190"


def vertical(scene: Scene, look: Look) -> Drawing:
    """The rows from the top; the arcs come first, then words, tags, and the relations to their heads."""
    row, step, indent = (_COMPACT_ROW, _COMPACT_STEP, _COMPACT_INDENT) if look.compact else (_ROW, _STEP, _INDENT)
    placed, levels = brackets(len(scene.words), scene.edges, row)
    numbers = levels * step + _GAP
    words = numbers + max((ems(name) for name in scene.ids), default=0.0) * NOTE + 8
    starts = [words + depth * indent for depth in scene.depths]
    edge = max((x + ems(word) * WORD for x, word in zip(starts, scene.words, strict=True)), default=words)
    columns = []
    for kind, texts in scene.notes.items():
        columns.append((kind, edge + _GAP, texts))
        edge += _GAP + max(map(ems, texts)) * NOTE
    heads, width = _relations(scene, scene.edges, edge + _GAP)
    further, width = _relations(scene, scene.below, width + _GAP) if scene.below else ([], width)
    parts = [_bracket(scene, one, levels * step + 2, step) for one in placed]
    for i in range(len(scene.words)):
        y = (i + 0.5) * row
        parts.append(word_start(scene, i))
        parts.append(_text("id", numbers, y, scene.ids[i]) + _text("form", starts[i], y, scene.words[i], WORD))
        parts += [_text(f"note {kind}", x, y, texts[i]) for kind, x, texts in columns if texts[i]]
        parts.append("</g>\n")
    parts += [f'<g class="arc {look_}">{_text("relation", x, (i + 0.5) * row, text, LABEL)}</g>\n'
              for i, x, look_, text in (*heads, *further)]  # fmt: skip
    return Drawing(parts, width, len(scene.words) * row)


def _bracket(scene: Scene, bracket: Bracket, right: float, step: float) -> str:
    """From the head to the left, along the upright, and back to the dependent's arrowhead."""
    start, end = bracket.head_y, bracket.dependent_y
    x = right - bracket.level * step
    corner = min(_CORNER, abs(end - start) / 2, step)
    inward = corner if start < end else -corner
    line = (
        f"M{n(right + 4)} {n(start)}H{n(x + corner)}Q{n(x)} {n(start)} {n(x)} {n(start + inward)}"
        f"V{n(end - inward)}Q{n(x)} {n(end)} {n(x + corner)} {n(end)}H{n(right)}"
    )
    tip = (
        f"M{n(right + _TIP_LENGTH)} {n(end)}L{n(right - 1)} {n(end - _TIP_HALF)}"
        f"Q{n(right + 1)} {n(end)} {n(right - 1)} {n(end + _TIP_HALF)}Z"
    )
    return f'{arc_start(scene, bracket.edge)}<path class="line" d="{line}"/><path class="tip" d="{tip}"/></g>\n'


def _relations(scene: Scene, edges: list[Edge], x: float) -> tuple[list[tuple[int, float, str, str]], float]:
    """(row, x, style, text) of each relation beside its word, and where the longest row ends."""
    ends = [x] * len(scene.words)
    placed = []
    for edge, text in _texts(scene, edges):
        row = edge.dependent - 1
        placed.append((row, ends[row], style_class(edge), text))
        ends[row] += ems(text) * LABEL + 12
    return placed, max(ends, default=x)


def _texts(scene: Scene, edges: list[Edge]) -> Iterator[tuple[Edge, str]]:
    for edge in edges:
        head = "" if edge.root else f" {_FROM} {scene.words[edge.head - 1]}"
        yield edge, f"{edge.label}{head}"


def _text(kind: str, x: float, y: float, text: str, size: float = NOTE) -> str:
    return f'<text class="{kind}" x="{n(x)}" y="{n(y + size * 0.35)}">{xml_text(text)}</text>'
