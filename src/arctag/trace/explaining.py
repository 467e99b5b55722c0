"""What an encoding makes of a graph: the label of each word taken apart, the plane of each arc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arctag.encodings import Encoding
from arctag.encodings import encoding as by_name
from arctag.encodings.trees.base import NotATree
from arctag.encodings.upos import tag_numbers
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.trace.conflicts import Refusals
from arctag.trace.families import family_of
from arctag.trace.layout import Layout, Part
from arctag.trace.placing import layout_of, null_planes
from arctag.trace.steps import PlacedArc

_CYCLE = "the labels hold it, but the heads of words whose arcs they do not hold close a cycle, which is broken here"


@dataclass(frozen=True)
class WordLabel:
    """The label of a word, and what each part of it stands for."""

    word: int
    label: str
    parts: tuple[Part, ...]
    """Nothing for an encoding of your own."""
    null_planes: tuple[int, ...]
    """The planes, from 1, where the word's head is that of a null arc."""


@dataclass(frozen=True)
class ArcPlace:
    """Where an arc of the graph went."""

    head: int
    dependent: int
    plane: int
    """From 1; 1 for every arc of an encoding without planes, 0 if the arc is not covered."""
    why: str
    """Why it is not covered; empty if it is."""


@dataclass(frozen=True)
class Explanation:
    """A graph as labels, explained."""

    encoding: str
    words: tuple[WordLabel, ...]
    arcs: tuple[ArcPlace, ...]
    """In the order of the graph's arcs."""
    null_arcs: tuple[PlacedArc, ...]
    decoded: tuple[tuple[int, int], ...]
    """What comes back when the labels are decoded, by (dependent, head)."""

    @property
    def coverage(self) -> float:
        """The share of arcs that are covered."""
        return sum(arc.plane > 0 for arc in self.arcs) / len(self.arcs) if self.arcs else 1.0


def explain_encoding(name_or_encoding: str | Encoding, graph: Graph, tags: Sequence[str] | None = None) -> Explanation:
    """Encode a graph and say what each part of the labels stands for, and which arcs are left out, and why.

    `tags` are those of the words (UPOS), for encodings that need them; without tags all words count as X.
    """
    encoding = by_name(name_or_encoding) if isinstance(name_or_encoding, str) else name_or_encoding
    try:
        labels = encoding.encode(graph, None if tags is None else tag_numbers(tags))
    except NotATree as error:
        raise error.named("the graph") from error
    texts, nulls = [encoding.format(row) for row in labels], null_planes(labels)
    layout = layout_of(encoding, graph, labels)
    family = family_of(encoding)
    parts = family.parts(texts, layout) if family else [[] for _ in texts]
    words = [
        WordLabel(word, text, tuple(meanings), planes)
        for word, (text, meanings, planes) in enumerate(zip(texts, parts, nulls, strict=True), 1)
    ]
    decoded = tuple((arc.head, arc.dependent) for arc in encoding.decode(labels).graph)
    return Explanation(
        encoding.name, tuple(words), tuple(_places(encoding, graph, layout)), tuple(layout.null_arcs), decoded
    )


def _places(encoding: Encoding, graph: Graph, layout: Layout) -> Iterator[ArcPlace]:
    """Where each arc of the graph went."""
    planes = {(arc.head, arc.dependent): arc.plane for arc in layout.arcs}
    own = graph.arc_set()
    refusals = Refusals(encoding, [arc for arc in layout.arcs if (arc.head, arc.dependent) in own])
    for (head, dependent, _), covered in zip(graph, encoding.covers(graph).tolist(), strict=True):
        held = planes.get((head, dependent), 0)
        if covered:
            yield ArcPlace(head, dependent, held or 1, "")  # a tree may be repaired to what it was
        else:
            yield ArcPlace(head, dependent, 0, _CYCLE if held else refusals.why(head, dependent))


def encode_explained(
    graph: Graph,
    name_or_encoding: str | Encoding,
    planes: str = "greedy",
    crossing: str = "relaxed",
    order: Iterable[tuple[int, int]] | None = None,
    tags: Sequence[str] | None = None,
) -> dict[str, Any]:
    """What the service answers to `/api/encode`: the labels and what became of each arc, ready for JSON.

    The options apply to an encoding given by name; an encoding object has its own. `order` lists the
    (head, dependent) pairs in the order that `planes`, `covered` and `why` follow; the default is the graph's.
    `tags` are those of the words, as in `explain_encoding`.
    """
    encoding = name_or_encoding
    if isinstance(encoding, str):
        encoding = by_name(encoding, planes=planes, crossing=crossing)
    explanation = explain_encoding(encoding, graph, tags)
    places = {(arc.head, arc.dependent): arc for arc in explanation.arcs}
    asked = list(places) if order is None else list(order)
    for head, dependent in asked:
        if (head, dependent) not in places:
            raise InputError(f"the graph has no arc {head}→{dependent}")
    arcs = [places[pair] for pair in asked]
    return {
        "encoding": explanation.encoding,
        "labels": [word.label for word in explanation.words],
        "planes": [arc.plane for arc in arcs],
        "null_arcs": [arc.to_json() for arc in explanation.null_arcs],
        "nulls": [list(word.null_planes) for word in explanation.words],
        "covered": [arc.plane > 0 for arc in arcs],
        "why": [arc.why or None for arc in arcs],
        "parts": [[part._asdict() for part in word.parts] for word in explanation.words],
        "decoded": [{"head": head, "dependent": dependent} for head, dependent in explanation.decoded],
        "coverage": round(explanation.coverage, 4),
    }
