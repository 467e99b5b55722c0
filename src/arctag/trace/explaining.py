"""What an encoding makes of a graph: the label of each word taken apart, the plane of each arc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from arctag.encodings import Encoding, encoding
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.trace.conflicts import Refusals
from arctag.trace.families import family_of
from arctag.trace.layout import Layout, Part
from arctag.trace.placing import layout_of, null_planes
from arctag.trace.steps import PlacedArc


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


def explain_encoding(name_or_encoding: str | Encoding, graph: Graph) -> Explanation:
    """Encode a graph and say what each part of the labels stands for, and which arcs are left out, and why."""
    made = encoding(name_or_encoding) if isinstance(name_or_encoding, str) else name_or_encoding
    labels = made.encode(graph)
    texts, nulls = [made.format(row) for row in labels], null_planes(labels)
    layout = layout_of(made, graph, labels)
    family = family_of(made)
    parts = family.parts(texts, layout) if family else [[] for _ in texts]
    words = [
        WordLabel(word, text, tuple(pieces), planes)
        for word, (text, pieces, planes) in enumerate(zip(texts, parts, nulls, strict=True), 1)
    ]
    decoded = tuple((arc.head, arc.dependent) for arc in made.decode(labels).graph)
    return Explanation(made.name, tuple(words), tuple(_places(made, graph, layout)), tuple(layout.null_arcs), decoded)


def _places(made: Encoding, graph: Graph, layout: Layout) -> Iterator[ArcPlace]:
    """Where each arc of the graph went."""
    planes = {(arc.head, arc.dependent): arc.plane for arc in layout.arcs}
    refusals = Refusals(made, layout.arcs)
    for head, dependent, _ in graph:
        plane = planes.get((head, dependent), 0)
        yield ArcPlace(head, dependent, plane, "" if plane else refusals.why(head, dependent))


def encode_explained(
    graph: Graph,
    name_or_encoding: str | Encoding,
    planes: str = "greedy",
    crossing: str = "relaxed",
    order: Iterable[tuple[int, int]] | None = None,
) -> dict[str, Any]:
    """What the service answers to `/api/encode`: the labels and what became of each arc, ready for JSON.

    The options are for an encoding given by name; an encoding itself brings its own. `order` gives
    the (head, dependent) pairs as the caller has them, if not as the graph does: `planes`, `covered` and
    `why` follow it.
    """
    made = name_or_encoding
    if isinstance(made, str):
        made = encoding(made, planes=planes, crossing=crossing)
    found = explain_encoding(made, graph)
    places = {(arc.head, arc.dependent): arc for arc in found.arcs}
    asked = list(places) if order is None else list(order)
    for head, dependent in asked:
        if (head, dependent) not in places:
            raise InputError(f"the graph has no arc {head}→{dependent}")
    arcs = [places[pair] for pair in asked]
    return {
        "encoding": found.encoding,
        "labels": [word.label for word in found.words],
        "planes": [arc.plane for arc in arcs],
        "null_arcs": [arc.to_json() for arc in found.null_arcs],
        "nulls": [list(word.null_planes) for word in found.words],
        "covered": [arc.plane > 0 for arc in arcs],
        "why": [arc.why or None for arc in arcs],
        "parts": [[part._asdict() for part in word.parts] for word in found.words],
        "decoded": [{"head": head, "dependent": dependent} for head, dependent in found.decoded],
        "coverage": round(found.coverage, 4),
    }
