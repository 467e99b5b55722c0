"""What a picture shows: the words and, for each arc, its label, its plane and whether it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from arctag.draw.planes import planes_of
from arctag.errors import AlignmentError, InputError, UnknownName
from arctag.graph import Graph, Relations
from arctag.sentence import Sentence

Crossing = Literal["relaxed", "strict"]
Direction = Literal["ltr", "rtl"]

PLAIN, CORRECT, RELABELLED, MISSING, EXTRA = "plain", "correct", "relabelled", "missing", "extra"
"""The kinds of arc: `PLAIN` in a picture of one graph, the others in one of two graphs."""

MEANINGS = {
    CORRECT: "correct",
    RELABELLED: "right arc, wrong relation (\u2212gold +predicted)",
    MISSING: "missing: only in gold",
    EXTRA: "extra: only predicted",
}
MINUS = "\u2212"
_LEMMA = 2  # the column, in all formats


@dataclass(frozen=True)
class Edge:
    """An arc as it is drawn."""

    head: int
    dependent: int
    label: str
    kind: str = PLAIN
    plane: int = 0
    """0 for the first plane."""

    @property
    def root(self) -> bool:
        """Whether it comes from the virtual root."""
        return self.head == 0

    @property
    def loop(self) -> bool:
        """Whether it leads from a word to itself."""
        return self.head == self.dependent

    @property
    def span(self) -> int:
        """How many words apart its ends are."""
        return abs(self.head - self.dependent)


@dataclass(frozen=True)
class Scene:
    """The words of one sentence and the arcs to draw over them; edge ends count words from 1."""

    name: str
    text: str
    words: list[str]
    ids: list[str]
    empty: list[bool]
    edges: list[Edge]
    compared: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    """How many arcs there are of each kind."""
    notes: dict[str, list[str]] = field(default_factory=dict)
    """The lines below the words, by what they are: `tag`, `lemma`; a text for each word."""

    @property
    def planes(self) -> int:
        """The number of planes in use."""
        return 1 + max((edge.plane for edge in self.edges), default=-1)

    @property
    def isolated(self) -> list[bool]:
        """For each word, whether no arc touches it."""
        touched = {end for edge in self.edges for end in (edge.head, edge.dependent)}
        return [word not in touched for word in range(1, len(self.words) + 1)]

    def describe(self, edge: Edge) -> str:
        """The arc in words, for tooltips and readers of the page aloud."""
        head = "root" if edge.root else self.words[edge.head - 1]
        meaning = f" ({MEANINGS[edge.kind]})" if edge.kind != PLAIN else ""
        return f"{head} \u2192 {self.words[edge.dependent - 1]}: {edge.label}{meaning}"


def make_scene(
    sentence: Sentence,
    against: Sentence | None = None,
    planes: Sequence[int] | None = None,
    crossing: Crossing = "relaxed",
    tags: bool = True,
) -> Scene:
    """The scene of a sentence, or of a predicted sentence `against` its gold one; `tags` with tags and lemmas."""
    if against is None:
        edges = _plain_edges(sentence.graph, planes, crossing)
    else:
        check_aligned(sentence, against)
        edges = _compared_edges(gold=against.graph, predicted=sentence.graph)
    return Scene(
        name=sentence.id,
        text=sentence.text,
        words=sentence.words,
        ids=sentence.ids,
        empty=sentence.empty,
        edges=edges,
        compared=against is not None,
        counts=Counter(edge.kind for edge in edges),
        notes=_notes(sentence) if tags else {},
    )


def is_rtl(direction: str) -> bool:
    """Whether the first word stands at the right; a direction that does not exist is an error."""
    if direction not in get_args(Direction):
        raise UnknownName("direction", direction, get_args(Direction))
    return direction == "rtl"


def check_aligned(sentence: Sentence, gold: Sentence) -> None:
    """Raise unless both sentences have the same nodes."""
    pairs = zip(zip(sentence.ids, sentence.words, strict=True), zip(gold.ids, gold.words, strict=True), strict=False)
    for (name, word), (gold_name, gold_word) in pairs:
        if (name, word) != (gold_name, gold_word):
            raise AlignmentError(
                f"sentence {sentence.id} ({sentence.source or 'not from a file'}) differs from its gold one "
                f"({gold.source or 'not from a file'}): found {name} {word!r}; expected {gold_name} {gold_word!r}"
                + _hint(sentence, gold)
            )
    if len(sentence.ids) != len(gold.ids):
        raise AlignmentError(
            f"sentence {sentence.id} ({sentence.source or 'not from a file'}) has {len(sentence.ids)} words; "
            f"its gold one ({gold.source or 'not from a file'}) has {len(gold.ids)}" + _hint(sentence, gold)
        )


def _hint(sentence: Sentence, gold: Sentence) -> str:
    """What to try if only one side has empty nodes, the usual reason."""
    return "; empty nodes differ: try --empty collapse or drop" if sentence.has_empty != gold.has_empty else ""


def _notes(sentence: Sentence) -> dict[str, list[str]]:
    """The tags and the lemmas, as far as there are any."""
    columns = {"tag": sentence.tags, "lemma": sentence.column(_LEMMA)}
    shown = {name: ["" if cell == "_" else cell for cell in column] for name, column in columns.items()}
    return {name: column for name, column in shown.items() if any(column)}


def _plain_edges(graph: Graph, planes: Sequence[int] | None, crossing: Crossing) -> list[Edge]:
    if crossing not in get_args(Crossing):
        raise UnknownName("crossing", crossing, get_args(Crossing))
    if planes is None:
        planes = planes_of(graph, crossing)
    if len(planes) != len(graph):
        raise InputError(f"{len(planes)} planes for {len(graph)} arcs")
    return [
        Edge(arc.head, arc.dependent, _joined(arc.relations), plane=plane)
        for arc, plane in zip(graph, planes, strict=True)
    ]


def _compared_edges(gold: Graph, predicted: Graph) -> list[Edge]:
    expected = {(arc.dependent, arc.head): arc.relations for arc in gold}
    actual = {(arc.dependent, arc.head): arc.relations for arc in predicted}
    return [
        _compared_edge(head, dependent, expected.get((dependent, head)), actual.get((dependent, head)))
        for dependent, head in sorted(expected.keys() | actual.keys())
    ]


def _compared_edge(head: int, dependent: int, expected: Relations | None, actual: Relations | None) -> Edge:
    if actual is None:
        return Edge(head, dependent, MINUS + _joined(expected or ()), MISSING)
    if expected is None:
        return Edge(head, dependent, "+" + _joined(actual), EXTRA)
    if set(expected) == set(actual):
        return Edge(head, dependent, _joined(expected), CORRECT)
    shared = [relation for relation in expected if relation in actual]
    lost = [MINUS + relation for relation in expected if relation not in actual]
    gained = ["+" + relation for relation in actual if relation not in expected]
    return Edge(head, dependent, " ".join([*shared, *lost, *gained]), RELABELLED)


def _joined(relations: Relations) -> str:
    return " + ".join(relations)
