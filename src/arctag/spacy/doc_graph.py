"""`DocGraph`: the graph of a doc or a span, as `doc._.graph` and `span._.graph` give it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from arctag.spacy.doc_rows import joined, to_sentence
from arctag.spacy.storage import DocArc, StoredGraph

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from arctag.draw.look import Crossing, Direction
    from arctag.sentence import Sentence

__all__ = ["DocArc", "DocGraph"]


class DocGraph(Sequence[DocArc]):
    """The arcs of a doc, or of the tokens from `start` to `end`; indices are those of tokens in the doc.

    Behaves like a list of arcs, sentence after sentence, sorted by dependent and head.
    """

    def __init__(self, doc: Doc, stored: StoredGraph, start: int, end: int) -> None:
        self.doc = doc
        self._parts: list[tuple[int, list[int], list[DocArc]]] = []  # the number of a sentence, its tokens, its arcs
        for number, (tokens, arcs) in enumerate(stored.sentences, 1):
            if kept := [i for i in tokens if start <= i < end]:
                ends = {None, *kept}
                within = [arc for arc in arcs if arc.head in ends and arc.dependent in ends]
                self._parts.append((number, kept, within))
        self._arcs = [arc for _, _, arcs in self._parts for arc in arcs]

    def __len__(self) -> int:
        """The number of arcs."""
        return len(self._arcs)

    def __iter__(self) -> Iterator[DocArc]:
        return iter(self._arcs)

    @overload
    def __getitem__(self, place: int) -> DocArc: ...
    @overload
    def __getitem__(self, place: slice) -> list[DocArc]: ...
    def __getitem__(self, place: int | slice) -> DocArc | list[DocArc]:
        return self._arcs[place]

    def __repr__(self) -> str:
        return f"<DocGraph: {sum(len(tokens) for _, tokens, _ in self._parts)} words, {len(self)} arcs>"

    @cached_property
    def sentences(self) -> list[Sentence]:
        """The sentences as Arctag's own objects, to be written, scored or drawn; with their empty nodes."""
        return [to_sentence(self.doc, *part) for part in self._parts]

    def to_conllu(self) -> str:
        """The sentences in CoNLL-U, the graph in DEPS; lemmas, tags and features where spaCy has them."""
        from arctag.formats.conllu import CONLLU

        return "".join(CONLLU.text(sentence) for sentence in self.sentences)

    def to_json(self) -> dict[str, Any]:
        """Words and arcs as plain values, for `json.dumps`."""
        words = [{"token": i, "text": self.doc[i].text} for _, tokens, _ in self._parts for i in tokens]
        return {"words": words, "arcs": [{**arc._asdict(), "relations": list(arc.relations)} for arc in self]}

    def svg(self, *, crossing: Crossing = "relaxed", direction: Direction | None = None) -> str:
        """A picture, as a complete SVG file; several sentences are drawn in one row.

        The default direction is that of the language's script.
        """
        from arctag.draw import svg

        return svg(joined(self.sentences), crossing=crossing, direction=direction or self._direction)

    def _repr_html_(self) -> str:
        """What a notebook shows: a picture of each sentence."""
        from arctag.draw.look import Look
        from arctag.draw.scene import make_scene
        from arctag.draw.svg_picture import svg_element
        from arctag.draw.templates import template

        pictures: list[str] = []
        for sentence in self.sentences:
            style = None if pictures else template("picture.css")  # one sheet for all
            picture = svg_element(make_scene(sentence), Look(direction=self._direction), style)
            pictures.append(f'<div style="overflow-x: auto">{picture}</div>')
        return "\n".join(pictures)

    @property
    def _direction(self) -> Direction:
        return "rtl" if self.doc.vocab.writing_system.get("direction") == "rtl" else "ltr"
