"""What the SVG pictures share: numbers, classes of the style sheet, the legend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arctag.draw.edges import PLAIN, Edge
from arctag.draw.measure import ems, xml_text
from arctag.draw.scene import UNDER, Scene

PLANE_STYLES = 8  # as many as the style sheet has; the next plane looks like the first again
WORD, LABEL, NOTE = 16, 11, 10  # font sizes, as in the style sheet
MARGIN = 12.0

_ROW, _SAMPLE, _GAP, _LEAST_WIDTH = 17.0, 30.0, 18.0, 300.0


@dataclass(frozen=True)
class Drawing:
    """The elements of a picture, and how large it is."""

    parts: list[str]
    width: float
    height: float


def n(number: float) -> str:
    """A number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def style_class(edge: Edge) -> str:
    """The class that colours an arc."""
    return f"plane-{edge.plane % PLANE_STYLES + 1}" if edge.kind == PLAIN else edge.kind


def arc_start(scene: Scene, edge: Edge) -> str:
    """The beginning of the group of an arc, with its tooltip."""
    ids = ["0", *scene.ids]
    return (
        f'<g class="arc {style_class(edge)}" data-head="{xml_text(ids[edge.head])}"'
        f' data-dependent="{xml_text(ids[edge.dependent])}" data-relation="{xml_text(edge.label)}">'
        f"<title>{xml_text(scene.describe(edge))}</title>"
    )


def word_start(scene: Scene, number: int) -> str:
    """The beginning of the group of a word, with its tooltip if there is more to say than its form."""
    classes = "word" + " empty" * scene.empty[number] + " isolated" * scene.isolated[number]
    about = scene.about[number] if scene.about else ""
    tooltip = f"<title>{xml_text(about)}</title>" if about not in ("", scene.words[number]) else ""
    return f'<g class="{classes}" data-word="{xml_text(scene.ids[number])}">{tooltip}'


def legend(scene: Scene) -> list[tuple[str, str]]:
    """(style, meaning) of what the picture uses; a single plane needs no explanation."""
    if scene.meanings:
        entries = list(scene.meanings.items())
    elif scene.planes < 2:
        entries = []
    else:
        entries = [(f"plane-{plane % PLANE_STYLES + 1}", f"plane {plane + 1}") for plane in range(scene.planes)]
    return [*entries, (UNDER, f"{scene.layer}, below the words")] if scene.below else entries


def legend_drawing(entries: list[tuple[str, str]], room: float) -> Drawing:
    """The legend in rows no wider than `room` where possible."""
    places = list(_places(entries, max(room, _LEAST_WIDTH)))
    if not places:
        return Drawing([], 0.0, 0.0)
    parts = [
        f'<g class="{style}"><path class="line" d="M{n(x)} {n(y)}h24"/>'
        f'<text x="{n(x + _SAMPLE)}" y="{n(y + 4)}">{xml_text(meaning)}</text></g>\n'
        for x, y, style, meaning in places
    ]
    return Drawing(parts, max(x + _width(meaning) for x, _, _, meaning in places), places[-1][1] + _ROW + 6)


def _places(entries: list[tuple[str, str]], room: float) -> Iterator[tuple[float, float, str, str]]:
    x = y = 0.0
    for style, meaning in entries:
        if x > 0 and x + _width(meaning) > room:
            x, y = 0.0, y + _ROW
        yield x, y, style, meaning
        x += _width(meaning) + _GAP


def _width(meaning: str) -> float:
    return _SAMPLE + ems(meaning) * LABEL
