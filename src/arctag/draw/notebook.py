"""Pictures in notebooks: of a sentence, of a graph, and of a parse against gold."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from pathlib import Path
from typing import Any

from arctag.draw.look import Look
from arctag.draw.scene import make_scene
from arctag.draw.svg_picture import svg_element
from arctag.draw.templates import template
from arctag.errors import FormatError, InputError, UnknownName
from arctag.formats.files import open_output
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.sentence.layers import MAIN, TREE
from arctag.transforms.main_graph import with_main

_WIDTH = 900.0  # pixels, about those of a cell
_LONGEST = 400  # words
_OPTIONS = frozenset(field.name for field in fields(Look))


@dataclass(frozen=True)
class Picture:
    """A picture that a notebook shows, and that can be saved: `draw.picture(sentence)`."""

    svg: str
    """The picture as a whole SVG file."""
    title: str = ""
    """The id of the sentence."""

    def save(self, path: str | Path) -> None:
        """Write it to an `.svg` file; the file appears only when complete."""
        if Path(path).suffix != ".svg":
            raise InputError(f"{path}: a picture is saved as .svg; a page of pictures is made by `arctag.draw.html`")
        with open_output(path) as file:
            file.write(self.svg)

    def _repr_html_(self) -> str:
        element = self.svg.partition("?>\n")[2]
        return f'<div style="overflow-x: auto">{element}</div>'

    def __repr__(self) -> str:
        return f"<Picture of {self.title}>"


def picture(
    sentence: Sentence, *, against: Sentence | None = None, layer: str | None = None, **options: Any
) -> Picture:
    """A picture of a sentence, or of a parse `against` its gold sentence, for a notebook or a paper.

    Long sentences are wrapped into lines. `layer` is the graph to draw, by its name in `sentence.layers`; by default
    the main graph or, where that is empty, the tree. The options are those of `svg`.
    """
    if not isinstance(sentence, Sentence):
        raise InputError("a picture shows one sentence; `arctag.draw.html` makes a page of several")
    if unknown := options.keys() - _OPTIONS:
        raise UnknownName("option of pictures", min(unknown), _OPTIONS)
    sentence = _drawn(sentence, layer)
    if against is not None:
        against = _drawn(against, layer)
    defaults: dict[str, Any] = {"wrap": None if options.get("vertical") else _WIDTH}
    look = Look(**{**defaults, **options})
    element = svg_element(make_scene(sentence, against, look=look), look, style=template("picture.css"))
    return Picture('<?xml version="1.0" encoding="UTF-8"?>\n' + element, sentence.id)


def sentence_html(sentence: Sentence) -> str:
    """A sentence as a notebook shows it: arcs that the tree lacks in another colour, a further graph below."""
    if sentence.error:
        return f"<pre>{escape(repr(sentence))}\n{escape(sentence.error)}</pre>"
    if sentence.size > _LONGEST:
        return f"<pre>{escape(repr(sentence))}: too long to be drawn here; see `arctag.draw`</pre>"
    both = {TREE, MAIN} <= set(sentence.layers)
    below = next(iter(sentence.graphs), None)
    return picture(sentence, colours="tree" if both else "planes", below=below)._repr_html_()


def graph_html(graph: Graph) -> str:
    """A graph over the numbers of its words."""
    return sentence_html(Sentence.from_words([str(word) for word in range(1, graph.n + 1)], graph))


def _drawn(sentence: Sentence, layer: str | None) -> Sentence:
    """The sentence with the graph that is to be drawn as its main one."""
    if layer is None:
        return with_main(sentence, TREE) if MAIN not in sentence.layers and TREE in sentence.layers else sentence
    try:
        return sentence if layer == MAIN else with_main(sentence, layer)
    except FormatError:
        raise
    except InputError:
        raise UnknownName("layer of this sentence", layer, sentence.layers) from None
