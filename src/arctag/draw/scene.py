"""What a picture shows: the words and, for each arc, its label, its plane and whether it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from arctag.draw.compared import MEANINGS, check_aligned, compared_edges
from arctag.draw.edges import Edge, joined
from arctag.draw.look import Look
from arctag.draw.planes import planes_of
from arctag.draw.punctuation import is_punctuation
from arctag.errors import InputError
from arctag.glossary import best_scheme, explain, glossary
from arctag.graph import Graph, Relations
from arctag.sentence import Sentence
from arctag.sentence.layers import TREE

SHARED, FURTHER = "shared", "further"
"""The kinds of arc where colours stand for the tree: also in the tree, or not."""
UNDER = "under"
"""The kind of arc that is drawn below the words."""
TREE_MEANINGS = {SHARED: "also in the tree", FURTHER: "only in the graph"}
_LEMMA, _XPOS, _FEATS = 2, 4, 5  # columns


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
    about: list[str] = field(default_factory=list)
    """For each word, what its columns say, in words."""
    below: list[Edge] = field(default_factory=list)
    """The arcs of another layer, which are drawn below the words."""
    layer: str = ""
    """The name of that layer."""
    depths: list[int] = field(default_factory=list)
    """How far from the root each word is."""

    @property
    def planes(self) -> int:
        """The number of planes in use."""
        return 1 + max((edge.plane for edge in self.edges), default=-1)

    @cached_property
    def isolated(self) -> list[bool]:
        """For each word, whether no arc touches it."""
        touched = {end for edge in (*self.edges, *self.below) for end in (edge.head, edge.dependent)}
        return [word not in touched for word in range(1, len(self.words) + 1)]

    @property
    def meanings(self) -> dict[str, str]:
        """What the kinds of arc mean that the picture shows; empty where colours are planes."""
        known = MEANINGS if self.compared else TREE_MEANINGS
        return {kind: meaning for kind, meaning in known.items() if self.counts[kind]}

    def describe(self, edge: Edge) -> str:
        """The arc in words, for tooltips and readers of the page aloud; a second line explains its relations."""
        head = "root" if edge.root else self.words[edge.head - 1]
        meaning = f" ({self.meanings[edge.kind]})" if edge.kind in self.meanings else ""
        text = f"{head} → {self.words[edge.dependent - 1]}: {edge.label}{meaning}"
        return f"{text}\n{edge.about}" if edge.about else text


def make_scene(
    sentence: Sentence,
    against: Sentence | None = None,
    planes: Sequence[int] | None = None,
    look: Look | None = None,
) -> Scene:
    """The scene of a sentence, or of a predicted sentence `against` its gold one."""
    look = look or Look()
    tree = _tree(sentence)
    if against is None:
        edges = _plain_edges(sentence.graph, planes, look)
        if look.colours == TREE and tree is not None:
            edges = _tree_edges(edges, tree)
    else:
        check_aligned(sentence, against)
        edges = compared_edges(gold=against.graph, predicted=sentence.graph)
    scene = Scene(
        name=sentence.id,
        text=sentence.text,
        words=sentence.words,
        ids=sentence.ids,
        empty=sentence.empty,
        edges=_explained(edges),
        compared=against is not None,
        counts=Counter(edge.kind for edge in edges),
        notes=_notes(sentence) if look.tags and not sentence.error else {},
        about=_about(sentence),
        below=_explained(_layer_edges(sentence, look), look.below),
        layer=look.below or "",
        depths=depths(sentence.size, tree or sentence.graph),
    )
    return scene if look.punctuation else without_punctuation(scene, sentence.tags)


def without_punctuation(scene: Scene, tags: Sequence[str]) -> Scene:
    """The scene without the words that are punctuation marks and have no dependents, and without their arcs."""
    heads = {edge.head for edge in (*scene.edges, *scene.below)}
    tagged = any(tag != "_" for tag in tags)
    stays = [
        i
        for i, (word, tag) in enumerate(zip(scene.words, tags, strict=True))
        if i + 1 in heads or not is_punctuation(word, tag if tagged else None)
    ]
    places = {0: 0, **{old + 1: new for new, old in enumerate(stays, 1)}}

    def kept(edges: list[Edge]) -> list[Edge]:
        return [
            replace(edge, head=places[edge.head], dependent=places[edge.dependent])
            for edge in edges
            if edge.dependent in places
        ]

    edges = kept(scene.edges)
    return replace(
        scene,
        edges=edges,
        below=kept(scene.below),
        counts=Counter(edge.kind for edge in edges),
        notes={kind: [texts[i] for i in stays] for kind, texts in scene.notes.items()},
        words=[scene.words[i] for i in stays],
        ids=[scene.ids[i] for i in stays],
        empty=[scene.empty[i] for i in stays],
        about=[scene.about[i] for i in stays],
        depths=[scene.depths[i] for i in stays],
    )


def depths(n: int, graph: Graph) -> list[int]:
    """How many arcs each word is away from the root, or from a word that no arc leads to."""
    children: list[list[int]] = [[] for _ in range(n + 1)]
    headed = set()
    for arc in graph:
        children[arc.head].append(arc.dependent)
        headed.add(arc.dependent)
    found = dict.fromkeys([*children[0], *(word for word in range(1, n + 1) if word not in headed)], 0)
    waiting = list(found)
    for word in waiting:  # which grows: words nearer to the root come first
        for child in children[word]:
            if child not in found:
                found[child] = found[word] + 1
                waiting.append(child)
    return [found.get(word, 0) for word in range(1, n + 1)]


def _notes(sentence: Sentence) -> dict[str, list[str]]:
    """The tags and the lemmas, as far as there are any."""
    columns = {"tag": sentence.tags, "lemma": sentence.column(_LEMMA)}
    shown = {name: ["" if cell == "_" else cell for cell in column] for name, column in columns.items()}
    return {name: column for name, column in shown.items() if any(column)}


def _about(sentence: Sentence) -> list[str]:
    """For each word its form, its lemma, its tags in words, and its features."""
    if sentence.error:  # it may lack columns
        return sentence.words
    meanings = glossary()["upos"]
    columns = [_LEMMA, 3, *((_XPOS, _FEATS) if sentence.universal else ())]
    rows = zip(sentence.words, *map(sentence.column, columns), strict=True)
    lines = []
    for word, lemma, tag, *others in rows:
        tags = [f"{tag} ({meanings[tag]})" if tag in meanings else tag, *others]
        lines.append(" · ".join([word, *(cell for cell in (lemma, *tags) if cell != "_")]))
    return lines


def _tree(sentence: Sentence) -> Graph | None:
    """The basic tree, if there is one."""
    try:
        return sentence.tree if sentence.universal and not sentence.error else None
    except InputError:
        return None


def _plain_edges(graph: Graph, planes: Sequence[int] | None, look: Look) -> list[Edge]:
    if planes is None:
        planes = planes_of(graph, look.crossing)
    if len(planes) != len(graph):
        raise InputError(f"{len(planes)} planes for {len(graph)} arcs")
    return [
        Edge(arc.head, arc.dependent, joined(arc.relations), plane=plane, relations=arc.relations)
        for arc, plane in zip(graph, planes, strict=True)
    ]


def _tree_edges(edges: list[Edge], tree: Graph) -> list[Edge]:
    """The edges by whether the tree has them."""
    basic = tree.arc_set()
    return [replace(edge, kind=SHARED if (edge.head, edge.dependent) in basic else FURTHER) for edge in edges]


def _layer_edges(sentence: Sentence, look: Look) -> list[Edge]:
    if look.below is None:
        return []
    graph = sentence.tree if look.below == TREE else sentence.graph_in(look.below)
    return [replace(edge, kind=UNDER) for edge in _plain_edges(graph, [0] * len(graph), look)]


def _explained(edges: list[Edge], layer: str | None = None) -> list[Edge]:
    """The edges with what their relations mean."""
    names = [name for edge in edges for name in edge.relations]
    scheme = layer if layer and layer in glossary()["schemes"] else best_scheme(names)
    return [replace(edge, about=_meaning(edge.relations, scheme)) for edge in edges]


def _meaning(relations: Relations, scheme: str) -> str:
    """What relations mean; each with its name where there are several."""
    known = {name: explain(name, scheme) for name in relations}
    return "; ".join(f"{name}: {about}" if len(known) > 1 else about for name, about in known.items() if about)
