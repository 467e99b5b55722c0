"""The terminal diagram with one word per line and the arcs as brackets at the left.

Each line also names the word's heads (`←nsubj 4`), so that nothing depends on following a line,
and where there is no room for brackets they are left out, and so are tags and lemmas.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arctag.draw.canvas import Canvas
from arctag.draw.edges import Edge
from arctag.draw.ink import Ink
from arctag.draw.levels import stack
from arctag.draw.measure import cells
from arctag.draw.packing import Part, packed
from arctag.draw.scene import Scene

_LEAST_TEXT = 28  # columns that brackets must leave for words and relations
_LEAST_RELATIONS = 16  # columns that an indented line must have
_MOST_WORD = 20  # a longer word does not push everyone's relations to the right


def down(scene: Scene, ink: Ink, width: int) -> Iterator[str]:
    """The lines of the diagram; none is longer than `width`."""
    canvas, gutter = _brackets(scene, ink, width)
    room = width - gutter
    name_width = max(map(len, scene.ids), default=0)
    word_width = min(max(map(cells, scene.words), default=0), _MOST_WORD, room // 3)
    heads = _heads(scene, ink)
    indent = name_width + 1 + word_width + 2
    notes = _notes(scene, room - indent, heads)
    indent += cells(notes[0].text) + 2 if notes else 0
    if room - indent < _LEAST_RELATIONS:
        indent = 2
    for row, (name, word) in enumerate(zip(scene.ids, scene.words, strict=True)):
        title = Part(f"{name:>{name_width}} {word}" + " " * (word_width - cells(word)))
        for i, line in enumerate(packed([title, *notes[row : row + 1], *heads[row]], room, gap=2, indent=indent)):
            bracket, used = canvas.row(row) if i == 0 else canvas.below(row)
            yield (bracket + " " * (gutter - used) + line).rstrip(" ")


def _notes(scene: Scene, room: int, heads: list[list[Part]]) -> list[Part]:
    """For each word, its tag and its lemma in columns; none where they would push a relation to another line."""
    notes = [Part("  ".join(row)) for row in zip(*map(_padded, scene.notes.values()), strict=True)]
    most = max((sum(cells(part.text) + 2 for part in parts) for parts in heads), default=0)
    return notes if notes and cells(notes[0].text) + 2 + max(most, _LEAST_RELATIONS) <= room else []


def _padded(texts: list[str]) -> list[str]:
    width = max(map(cells, texts))
    return [text + " " * (width - cells(text)) for text in texts]


def _heads(scene: Scene, ink: Ink) -> list[list[Part]]:
    """For each word, its relations and heads."""
    names = ["0", *scene.ids]
    parts: list[list[Part]] = [[] for _ in scene.words]
    for edge in scene.edges:
        shown = f"{ink.from_head}{edge.label} {names[edge.head]}"
        parts[edge.dependent - 1].append(Part(shown, ink.pen(edge).colour))
    return parts


def _brackets(scene: Scene, ink: Ink, width: int) -> tuple[Canvas, int]:
    """The arcs as brackets, and how many columns they take: 0 if there is no room for them."""
    canvas = Canvas(len(scene.words), ink.ascii_only)
    edges = [edge for edge in scene.edges if not edge.root and not edge.loop]
    left = np.array([min(edge.head, edge.dependent) for edge in edges], dtype=np.float64)
    right = np.array([max(edge.head, edge.dependent) for edge in edges], dtype=np.float64)
    levels = stack(left, right, right - left, last=[False] * len(edges)).tolist()
    for spacing in (2, 1):
        gutter = max(levels, default=0) * spacing + 2
        if edges and width - gutter >= _LEAST_TEXT:
            for edge, level in zip(edges, levels, strict=True):
                _draw(canvas, edge, gutter - 2 - level * spacing, gutter - 2, ink)
            for edge in edges:
                canvas.write(edge.dependent - 1, gutter - 2, ink.right_tip, ink.pen(edge))
            return canvas, gutter
    return canvas, 0


def _draw(canvas: Canvas, edge: Edge, column: int, words: int, ink: Ink) -> None:
    top, bottom = sorted((edge.head - 1, edge.dependent - 1))
    canvas.vertical(column, top, bottom, ink.pen(edge))
    canvas.horizontal(top, column, words, ink.pen(edge))
    canvas.horizontal(bottom, column, words, ink.pen(edge))
