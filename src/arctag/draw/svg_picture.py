"""One sentence as an SVG picture that needs nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.draw.compared import MEANINGS
from arctag.draw.look import Colours, Crossing, Direction, Look
from arctag.draw.measure import xml_text
from arctag.draw.scene import Scene, make_scene
from arctag.draw.svg_across import across
from arctag.draw.svg_marks import MARGIN, legend, legend_drawing, n
from arctag.draw.svg_vertical import vertical as down
from arctag.draw.templates import template
from arctag.sentence import Sentence


def svg(
    sentence: Sentence,
    *,
    against: Sentence | None = None,
    planes: Sequence[int] | None = None,
    crossing: Crossing = "relaxed",
    direction: Direction = "ltr",
    tags: bool = True,
    colours: Colours = "planes",
    below: str | None = None,
    punctuation: bool = True,
    compact: bool = False,
    wrap: float | None = None,
    vertical: bool = False,
) -> str:
    """A picture of the sentence's graph, as a whole SVG file.

    `against` is the gold sentence: the picture then shows what is correct, missing and extra
    instead of planes. `planes` gives the plane (from 0) of each arc; without it, planes are
    assigned as the encodings do, for `crossing` "relaxed" or "strict". With `colours` "tree", arcs that the basic tree
    lacks have another colour instead. With `direction` "rtl" the first word stands at the right. `tags` shows tags and
    lemmas below the words, where there are any. `below` names a layer whose arcs are drawn below the words. Without
    `punctuation`, punctuation marks are left out. `compact` takes less space; `wrap` breaks the sentence into lines of
    so many pixels; `vertical` puts each word on a line of its own, indented, with the arcs at the left.
    """
    look = Look(crossing, direction, tags, colours, below, punctuation, compact, wrap, vertical)
    scene = make_scene(sentence, against, planes, look)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg_element(scene, look, style=template("picture.css"))


def svg_element(scene: Scene, look: Look | None = None, style: str | None = None) -> str:
    """The `<svg>` element; without `style` the page around it must have the style sheet."""
    look = look or Look()
    drawing = (down if look.vertical else across)(scene, look)
    key = legend_drawing(legend(scene), drawing.width)
    width = max(drawing.width, key.width) + 2 * MARGIN
    height = MARGIN + drawing.height + key.height + MARGIN / 2
    kind = "arctag vertical" if look.vertical else "arctag"
    group = [
        f'<g class="legend" transform="translate({n(MARGIN)} {n(MARGIN + drawing.height + 14)})">\n',
        *key.parts,
        "</g>\n",
    ]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" width="{n(width)}"'
            f' height="{n(height)}" viewBox="0 0 {n(width)} {n(height)}">\n',
            f"<title>{xml_text(scene.name)}</title>\n<desc>{xml_text(_description(scene))}</desc>\n",
            f"<style>\n{style}</style>\n" if style else "",
            f'<rect class="paper" width="{n(width)}" height="{n(height)}"/>\n',
            f'<g transform="translate({n(MARGIN)} {n(MARGIN)})">\n',
            *drawing.parts,
            "</g>\n",
            *(group if key.parts else []),
            "</svg>\n",
        ]
    )


def _description(scene: Scene) -> str:
    arcs = f"{len(scene.words)} words, {len(scene.edges)} arcs"
    if scene.compared:
        counts = ", ".join(f"{scene.counts[kind]} {kind}" for kind in MEANINGS)
        return f"{scene.text} ({arcs}: {counts})"
    return f"{scene.text} ({arcs}, {scene.planes} planes)"
