"""One sentence as an arc diagram for the terminal: across where it fits, else one word per line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arctag.draw.compared import MINUS
from arctag.draw.edges import PLAIN, Edge
from arctag.draw.ink import Ink
from arctag.draw.look import Colours, Crossing, Direction, Look
from arctag.draw.measure import right_to_left, terminal_text
from arctag.draw.packing import Part, packed
from arctag.draw.scene import Scene, make_scene
from arctag.draw.text_across import across
from arctag.draw.text_down import down
from arctag.sentence import Sentence

_LEFT_TO_RIGHT_MARK = "\u200e"
_LEAST_WIDTH = 12


def text(
    sentence: Sentence,
    *,
    against: Sentence | None = None,
    planes: Sequence[int] | None = None,
    crossing: Crossing = "relaxed",
    direction: Direction = "ltr",
    width: int = 100,
    colour: bool = False,
    encoding: str = "utf-8",
    tags: bool = True,
    colours: Colours = "planes",
    punctuation: bool = True,
    vertical: bool = False,
) -> str:
    """A picture of the sentence's graph in at most `width` columns, with a line end after each line.

    The first and the last options are those of `svg`. `colour` adds ANSI colours; an `encoding` without
    box-drawing characters gets plain ASCII lines.
    """
    width = max(width, _LEAST_WIDTH)
    ink = Ink(colour, ascii_only=not _has_lines(encoding))
    look = Look(crossing, direction, tags, colours, punctuation=punctuation)
    scene = _printable(make_scene(sentence, against, planes, look), encoding, ink.ascii_only)
    bare = replace(scene, notes={})  # tags are less than arcs that can be seen
    lines = None if vertical else across(scene, ink, width, look.rtl) or across(bare, ink, width, look.rtl)
    if lines is None:
        lines = list(down(scene, ink, width))
    return "".join(line + "\n" for line in [*lines, *_legend(scene, ink, width)])


def _has_lines(encoding: str) -> bool:
    try:
        "─╎╭┏╔┼▼▶←".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _printable(scene: Scene, encoding: str, ascii_only: bool) -> Scene:
    """The scene with nothing that a terminal cannot show or would execute; empty nodes in brackets."""
    words = [terminal_text(word, encoding) for word in scene.words]
    words = [f"[{word}]" if empty else word for word, empty in zip(words, scene.empty, strict=True)]
    return replace(
        scene,
        words=[_kept_in_place(word) for word in words],
        edges=[replace(edge, label=_printable_label(edge, encoding, ascii_only)) for edge in scene.edges],
        notes={
            kind: [_kept_in_place(terminal_text(note, encoding)) for note in texts]
            for kind, texts in scene.notes.items()
        },
    )


def _printable_label(edge: Edge, encoding: str, ascii_only: bool) -> str:
    label = edge.label.replace(MINUS, "-") if ascii_only else edge.label
    return _kept_in_place(terminal_text(label, encoding))


def _kept_in_place(text: str) -> str:
    """Right-to-left text between marks, so that a terminal that reorders text reorders this alone."""
    return f"{_LEFT_TO_RIGHT_MARK}{text}{_LEFT_TO_RIGHT_MARK}" if right_to_left(text) else text


def _legend(scene: Scene, ink: Ink, width: int) -> Iterator[str]:
    if scene.meanings:
        entries = [(Edge(0, 0, "", kind), meaning) for kind, meaning in scene.meanings.items()]
    else:
        planes = range(scene.planes) if scene.planes > 1 else range(0)
        entries = [(Edge(0, 0, "", PLAIN, plane), f"plane {plane + 1}") for plane in planes]
    parts = []
    for edge, meaning in entries:
        shown = meaning.replace(MINUS, "-") if ink.ascii_only else meaning
        parts.append(Part(f"{ink.sample(edge)} {shown}", ink.pen(edge).colour))
    yield from packed(parts, width, gap=3)
