"""One sentence as an SVG picture that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arctag.draw.layout import Bridge, Layout, Metrics, lay_out
from arctag.draw.measure import ems, xml_text
from arctag.draw.scene import CORRECT, MEANINGS, PLAIN, Crossing, Direction, Scene, is_rtl, make_scene
from arctag.draw.templates import template
from arctag.sentence import Sentence

PLANE_STYLES = 8  # as many as the style sheet has; the next plane looks like the first again

_WORD, _LABEL, _NOTE = 16, 11, 10  # font sizes, as in the style sheet
_MARGIN = 12.0
_WORD_ROW = 26.0  # from the feet of the arcs to below the words
_ID_ROW, _NOTE_ROW = 12.0, 13.0
_TIP_LENGTH, _TIP_HALF = 6.0, 2.9
_CORNER = 9.0
_PAPER = 0.88  # most fonts are narrower than the box; where one is not, the text has a halo
_LEGEND_ROW, _LEGEND_SAMPLE, _LEGEND_GAP, _LEGEND_WIDTH = 17.0, 30.0, 18.0, 300.0

_METRICS = Metrics(
    word_width=lambda word: ems(word) * _WORD,
    label_width=lambda label: ems(label) * _LABEL + 4,
    gap=13.0,
    slot=7.5,
    pad=6.0,
    first=26.0,
    step=19.0,
    label_height=15.0,
)


def svg(
    sentence: Sentence,
    *,
    against: Sentence | None = None,
    planes: Sequence[int] | None = None,
    crossing: Crossing = "relaxed",
    direction: Direction = "ltr",
    tags: bool = True,
) -> str:
    """A picture of the sentence's graph, as a whole SVG file.

    `against` is the gold sentence: the picture then shows what is correct, missing and extra
    instead of planes. `planes` gives the plane (from 0) of each arc; without it, planes are
    assigned as the encodings do, for `crossing` "relaxed" or "strict". With `direction` "rtl"
    the first word stands at the right. `tags` shows tags and lemmas below the words, where there are any.
    """
    scene = make_scene(sentence, against, planes, crossing, tags)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_element(scene, direction, style=template("picture.css"))


def svg_element(scene: Scene, direction: Direction = "ltr", style: str | None = None) -> str:
    """The `<svg>` element; without `style` the page around it must have the style sheet."""
    layout = lay_out(scene.words, scene.edges, _METRICS, _note_widths(scene))
    if is_rtl(direction):
        layout = layout.mirrored()
    legend = list(_legend_places(_legend(scene), max(layout.width, _LEGEND_WIDTH)))
    ground = _MARGIN + layout.height  # the y of the arcs' feet
    words_end = ground + _notes_top(scene) + len(scene.notes) * _NOTE_ROW
    width = max([layout.width, *(x + _legend_width(name) for x, _, _, name in legend)]) + 2 * _MARGIN
    height = words_end + (legend[-1][1] + _LEGEND_ROW + 6 if legend else 0) + _MARGIN / 2
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="arctag" role="img" width="{_n(width)}"'
            f' height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}">\n',
            f"<title>{xml_text(scene.name)}</title>\n<desc>{xml_text(_description(scene))}</desc>\n",
            f"<style>\n{style}</style>\n" if style else "",
            f'<rect class="paper" width="{_n(width)}" height="{_n(height)}"/>\n',
            f'<g transform="translate({_n(_MARGIN)} {_n(ground)})">\n',
            *_arcs(scene, layout),
            *_words(scene, layout),
            "</g>\n",
            *_legend_group(legend, words_end),
            "</svg>\n",
        ]
    )


def _description(scene: Scene) -> str:
    arcs = f"{len(scene.words)} words, {len(scene.edges)} arcs"
    if scene.compared:
        counts = ", ".join(f"{scene.counts[kind]} {kind}" for kind in MEANINGS)
        return f"{scene.text} ({arcs}: {counts})"
    return f"{scene.text} ({arcs}, {scene.planes} planes)"


def _arcs(scene: Scene, layout: Layout) -> Iterator[str]:
    """The arcs, high ones first: their legs then run behind the labels of lower ones."""
    ids = ["0", *scene.ids]
    for bridge in sorted(layout.bridges, key=lambda bridge: -bridge.level):
        edge = bridge.edge
        yield (
            f'<g class="arc {_style_class(edge.kind, edge.plane)}" data-head="{xml_text(ids[edge.head])}"'
            f' data-dependent="{xml_text(ids[edge.dependent])}" data-relation="{xml_text(edge.label)}">'
            f"<title>{xml_text(scene.describe(edge))}</title>"
            f'<path class="line" d="{_root_line(bridge) if edge.root else _line(bridge)}"/>'
            f'<path class="tip" d="{_tip(bridge.dependent_x)}"/>{_label(bridge)}</g>\n'
        )


def _style_class(kind: str, plane: int) -> str:
    return f"plane-{plane % PLANE_STYLES + 1}" if kind == PLAIN else kind


def _line(bridge: Bridge) -> str:
    """Up from the head, round the corner, along the deck and down to the dependent's arrowhead."""
    start, end = bridge.head_x, bridge.dependent_x
    top = (
        -bridge.label.bottom if bridge.edge.loop else -bridge.y
    )  # a loop's label sits on top: it is wider than the loop
    corner = min(_CORNER, abs(end - start) / 2)
    inward = corner if start < end else -corner
    down = top + _CORNER * 1.2  # a little taller than wide looks rounder on long legs
    return (
        f"M{_n(start)} -1V{_n(down)}Q{_n(start)} {_n(top)} {_n(start + inward)} {_n(top)}"
        f"H{_n(end - inward)}Q{_n(end)} {_n(top)} {_n(end)} {_n(down)}V{_n(-_TIP_LENGTH)}"
    )


def _root_line(bridge: Bridge) -> str:
    return f"M{_n(bridge.dependent_x)} {_n(-bridge.label.bottom)}V{_n(-_TIP_LENGTH)}"


def _tip(x: float) -> str:
    """An arrowhead that touches the word; drawn as a shape, since markers cannot take the arc's colour everywhere."""
    back, notch = _n(-_TIP_LENGTH - 1), _n(-_TIP_LENGTH + 1)
    return f"M{_n(x)} 0L{_n(x - _TIP_HALF)} {back}Q{_n(x)} {notch} {_n(x + _TIP_HALF)} {back}Z"


def _label(bridge: Bridge) -> str:
    """The text on a background, so that no line runs through it."""
    box = bridge.label
    # a sign before the label (−obj) must not touch the line, or it looks like part of it
    paper = (box.right - box.left) * (_PAPER if bridge.edge.kind in (PLAIN, CORRECT) else 1)
    place = (
        f'x="{_n(box.centre - paper / 2)}" y="{_n(-box.top)}" width="{_n(paper)}" height="{_n(box.top - box.bottom)}"'
    )
    frame = f'<rect class="root" {place} rx="4"/>' if bridge.edge.root else ""
    text = f'<text x="{_n(box.centre)}" y="{_n(-bridge.y + _LABEL * 0.35)}">{xml_text(bridge.edge.label)}</text>'
    return f'<g class="label"><rect {place} rx="4"/>{frame}{text}</g>'


def _words(scene: Scene, layout: Layout) -> Iterator[str]:
    marks = zip(scene.words, scene.ids, scene.empty, scene.isolated, layout.centres, layout.widths, strict=True)
    for number, (word, name, empty, isolated, x, width) in enumerate(marks):
        classes = "word" + " empty" * empty + " isolated" * isolated
        yield f'<g class="{classes}" data-word="{xml_text(name)}">'
        if empty:
            yield f'<rect x="{_n(x - width / 2 - 3)}" y="2.5" width="{_n(width + 6)}" height="22" rx="4"/>'
            yield f'<text class="id" x="{_n(x)}" y="36">{xml_text(name)}</text>'
        yield f'<text x="{_n(x)}" y="19">{xml_text(word)}</text>'
        yield from _notes(scene, number, x)
        yield "</g>\n"


def _notes(scene: Scene, number: int, x: float) -> Iterator[str]:
    """What stands below a word."""
    for row, (kind, texts) in enumerate(scene.notes.items(), 1):
        if texts[number]:
            y = _notes_top(scene) + row * _NOTE_ROW - 4
            yield f'<text class="note {kind}" x="{_n(x)}" y="{_n(y)}">{xml_text(texts[number])}</text>'


def _notes_top(scene: Scene) -> float:
    """Where the lines below the words begin."""
    return _WORD_ROW + (_ID_ROW if any(scene.empty) else 0)


def _note_widths(scene: Scene) -> list[float]:
    """The room that each word needs for what stands below it."""
    return [max(map(ems, texts)) * _NOTE for texts in zip(*scene.notes.values(), strict=True)]


def _legend(scene: Scene) -> list[tuple[str, str]]:
    """(style, meaning) of what the picture uses; a single plane needs no explanation."""
    if scene.compared:
        return [(kind, meaning) for kind, meaning in MEANINGS.items() if scene.counts[kind]]
    if scene.planes < 2:
        return []
    return [(_style_class(PLAIN, plane), f"plane {plane + 1}") for plane in range(scene.planes)]


def _legend_width(meaning: str) -> float:
    return _LEGEND_SAMPLE + ems(meaning) * _LABEL


def _legend_places(entries: list[tuple[str, str]], room: float) -> Iterator[tuple[float, float, str, str]]:
    """(x, y, style, meaning) of each entry, in rows no wider than `room` where possible."""
    x = y = 0.0
    for style, meaning in entries:
        if x > 0 and x + _legend_width(meaning) > room:
            x, y = 0.0, y + _LEGEND_ROW
        yield x, y, style, meaning
        x += _legend_width(meaning) + _LEGEND_GAP


def _legend_group(places: list[tuple[float, float, str, str]], top: float) -> Iterator[str]:
    if not places:
        return
    yield f'<g class="legend" transform="translate({_n(_MARGIN)} {_n(top + 14)})">\n'
    for x, y, style, meaning in places:
        yield (
            f'<g class="{style}"><path class="line" d="M{_n(x)} {_n(y)}h24"/>'
            f'<text x="{_n(x + _LEGEND_SAMPLE)}" y="{_n(y + 4)}">{xml_text(meaning)}</text></g>\n'
        )
    yield "</g>\n"


def _n(number: float) -> str:
    """A number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")
