"""The basic tree inside an enhanced graph: one head and one relation for each word (HEAD and DEPREL).

An enhanced graph is a basic tree with arcs added, so most rules say which arcs of a word are not in the tree:

- `ref` and `nsubj:xsubj`, which no tree has, and Finnish `flat:name` beside another arc.
- Any arc beside `conj`: a conjunct also has the arcs of the first conjunct.
- All but those from the heads nearest to the root: what conjuncts share, or a clause with its open complement,
  is attached to the upper one in the tree, and a relative clause is below its antecedent.
- Of those that remain, all but the most probable, or else the nearest.

Two kinds of words have lost their arc of the tree. A relative pronoun (`ref` alone) takes the one that attaches its
antecedent within the relative clause. Of the words below an empty node (`conj>8.1>obj`) one takes the
node's place, and the others are attached to it. A word that no rule attaches is a `dep` of the top.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from arctag.errors import InputError
from arctag.graph import Graph
from arctag.sentence import Row, Sentence
from arctag.transforms import empty_nodes
from arctag.transforms.guarantees import entries

# what the trees of many languages add to a relation; what else follows a colon is mostly a case marker or conjunction
_FAMILIES = {
    "pass": "nsubj csubj aux expl",
    "outer": "nsubj csubj",
    "cop": "nsubj csubj",
    "agent": "obl",
    "arg": "obl",
    "relcl": "acl advcl",
    "poss": "nmod det",
    "tmod": "obl nmod advmod",
    "lmod": "obl advmod",
    "npmod": "obl nmod",
    "unmarked": "obl nmod",
    "emph": "advmod",
    "neg": "advmod",
    "predet": "det",
    "numgov": "det",
    "nummod": "det",
    "gov": "nummod",
    "preconj": "cc",
    "pv": "expl",
    "impers": "expl",
    "prt": "compound",
    "lvc": "compound",
    "svc": "compound",
    "redup": "compound",
    "name": "flat",
    "foreign": "flat",
}
SUBTYPES = frozenset(f"{name}:{subtype}" for subtype, names in _FAMILIES.items() for name in names.split())
# UD's order of who takes the place of a missing predicate; beside it the others are orphans
_PROMOTED = ("nsubj", "obj", "iobj", "obl", "advmod", "csubj", "xcomp", "ccomp", "advcl", "nmod", "dep")

_MOST_NEAR = 100  # arcs on either side of a pronoun: no real antecedent has as many
_STEP = re.compile(r">([0-9]+\.[0-9]+)>")
_CONJUNCT, _PLAIN, _NAME, _PATH, _SUBJECT, _REFERENCE, _NONE = range(7)  # kinds of arcs, the best first


def with_tree(sentence: Sentence, known: Collection[str] = ()) -> Sentence:
    """The same sentence with HEAD and DEPREL filled from its graph; other formats than CoNLL-U stay as they are."""
    if not sentence.universal or sentence.error:
        return sentence
    return with_heads(sentence, *basic_tree(_words_only(sentence), known))


def with_heads(sentence: Sentence, heads: Iterable[int], relations: Sequence[str]) -> Sentence:
    """The same sentence with this HEAD and DEPREL for each word; empty nodes stay as they are."""
    if not sentence.has_empty:
        return sentence.with_columns({6: list(map(str, heads)), 7: list(relations)})
    tree = zip(heads, relations, strict=True)
    return sentence.replace(rows=[_filled(row, *next(tree)) if row[0].isdigit() else row for row in sentence.rows])


def has_tree(sentence: Sentence) -> bool:
    """Whether any word has a HEAD or DEPREL."""
    if not sentence.universal:
        return False
    if sentence.block is not None and not sentence.error and not sentence.columns:
        return sentence.block.has_trees[sentence.number]
    return any(row[6] != "_" or row[7] != "_" for row in sentence.rows)


def basic_tree(graph: Graph, known: Collection[str] = ()) -> tuple[list[int], list[str]]:
    """The heads and the relations of words 1..n: always a tree, with one word below the root.

    `known` are the basic relations of the treebank; without them, the `SUBTYPES` are kept.
    """
    if not graph.n:
        return [], []
    offers = _Offers(graph)
    _fill_places(graph, offers)
    pronouns = offers.taken_out(_REFERENCE)
    tree = _grown(offers, pronouns)
    antecedents = {arc.head for references in pronouns.values() for arc in references}
    clauses, verbs = _arcs_into(graph, antecedents), _relative_verbs(tree, antecedents)
    for word, references in pronouns.items():
        if tree.depth[word] < 0:
            tree.attach(word, _in_clause(word, references, clauses, verbs, tree))
    arcs = [tree.arc(word) for word in range(1, graph.n + 1)]
    return [arc.head for arc in arcs], [basic_relation(arc.relation, known) if arc.head else "root" for arc in arcs]


def basic_relation(relation: str, known: Collection[str] = ()) -> str:
    """A name without case markers and conjunctions: `obl:in` → `obl`, `nsubj:pass:xsubj` → `nsubj:pass`."""
    while ":" in relation and relation not in (known or SUBTYPES):
        relation = relation.rpartition(":")[0]
    return "dep" if relation in ("root", "_", "") else relation  # `root` is for the word below the root alone


class _Arc(NamedTuple):
    head: int
    relation: str
    probability: float = 0.0


class _Offers:
    """The arcs that may be a word's own: those of the best kind it has."""

    def __init__(self, graph: Graph) -> None:
        probabilities = [0.0] * len(graph) if graph.probabilities is None else graph.probabilities.tolist()
        self.into: list[list[_Arc]] = [[] for _ in range(graph.n + 1)]
        self.kinds = [_NONE] * (graph.n + 1)
        for arc, probability in zip(graph, probabilities, strict=True):
            for relation in arc.relations:
                self.add(arc.dependent, _Arc(arc.head, relation, probability))

    def add(self, word: int, arc: _Arc) -> None:
        """Offer one more arc; better kinds replace others."""
        kind = _kind(arc.relation)
        if kind < self.kinds[word] and arc.head != word:
            self.kinds[word], self.into[word] = kind, []
        if kind == self.kinds[word] and arc.head != word:
            self.into[word].append(arc)

    def taken_out(self, kind: int) -> dict[int, list[_Arc]]:
        """The words that have no better arcs than of this kind, and their arcs; they offer none any more."""
        words = [word for word, best in enumerate(self.kinds) if best == kind]
        out = {word: self.into[word] for word in words}
        for word in words:
            self.kinds[word], self.into[word] = _NONE, []
        return out


@lru_cache(maxsize=10_000)
def _kind(relation: str) -> int:
    if _STEP.search(relation):
        return _PATH
    if relation.endswith(":xsubj"):
        return _SUBJECT
    if relation == "flat:name":
        return _NAME
    return {"conj": _CONJUNCT, "ref": _REFERENCE}.get(relation.partition(":")[0], _PLAIN)


class _Below(NamedTuple):
    """A word below an empty node, from a path label."""

    word: int
    head: int
    """The node's head."""
    outer: str
    """The relation of the node."""
    inner: str
    """The relation of the word."""


def _fill_places(graph: Graph, offers: _Offers) -> None:
    """Offer arcs between words in place of path labels."""
    groups: dict[str, list[_Below]] = {}
    for head, word, relation in graph.triples():
        if _kind(relation) == _PATH:
            steps = _STEP.split(relation)
            groups.setdefault(steps[-2], []).append(_Below(word, head, steps[0], steps[-1]))
    lost = offers.taken_out(_PATH)
    for group in groups.values():
        # a word that has the node's own arc stands in its place already
        there = [b for b in group if any(arc[:2] == (b.head, b.outer) for arc in offers.into[b.word])]
        first = there[0].word if there else min(group, key=lambda b: _rank(b.inner)).word
        for below in group:
            if below.word not in lost:
                continue
            if below.word == first:
                offers.add(first, _Arc(below.head, below.outer))
            else:
                orphan = _rank(below.inner) < len(_PROMOTED)  # others are function words and keep their names
                offers.add(below.word, _Arc(first, "orphan" if orphan else below.inner))


def _rank(relation: str) -> int:
    name = relation.partition(":")[0]
    return _PROMOTED.index(name) if name in _PROMOTED else len(_PROMOTED)


class _Tree:
    """A tree that grows downwards from the root."""

    def __init__(self, into: list[list[_Arc]]) -> None:
        self.into = into
        self.below: list[list[int]] = [[] for _ in into]
        for word, arcs in enumerate(into):
            for arc in arcs:
                self.below[arc.head].append(word)
        self.depth = [0] + [-1] * (len(into) - 1)
        self.top = 0
        self._attached: dict[int, _Arc] = {}

    def attach(self, word: int, arc: _Arc) -> None:
        """Attach a word, and what is below it and not in the tree yet, as near to the root as can be."""
        self._attached[word] = arc
        self.depth[word] = self.depth[arc.head] + 1
        layer = [word]
        while layer:
            below = []
            for head in layer:
                for dependent in self.below[head]:
                    if self.depth[dependent] < 0:
                        self.depth[dependent] = self.depth[head] + 1
                        below.append(dependent)
            layer = below

    def arc(self, word: int) -> _Arc:
        """The arc of a word that is in the tree."""
        if word in self._attached:
            return self._attached[word]
        highest = (arc for arc in self.into[word] if self.depth[arc.head] == self.depth[word] - 1)
        return max(highest, key=lambda arc: (arc.probability, -abs(arc.head - word)))


def _grown(offers: _Offers, pronouns: Collection[int]) -> _Tree:
    """The tree of all words but the pronouns and what is below those."""
    tops = [(arc.probability, -word) for word, arcs in enumerate(offers.into) for arc in arcs if arc.head == 0]
    tree = _Tree([[arc for arc in arcs if arc.head] for arcs in offers.into])
    tree.below[0] = [-max(tops)[1]] if tops else []
    loose = sorted(entries(tree.below), key=lambda word: word in pronouns)
    tree.top = tree.below[0][0] if tops else loose[0]
    tree.attach(tree.top, _Arc(0, "root"))
    for word in loose:
        if word != tree.top and word not in pronouns:
            tree.attach(word, _Arc(tree.top, "dep"))
    return tree


def _arcs_into(graph: Graph, antecedents: Collection[int]) -> dict[int, list[_Arc]]:
    """The arcs that may attach antecedents within their relative clauses."""
    into: dict[int, list[_Arc]] = {word: [] for word in antecedents}
    for head, dependent, relation in graph.triples():
        if dependent in into and _kind(relation) <= _PLAIN:
            into[dependent].append(_Arc(head, relation))
    return into


def _relative_verbs(tree: _Tree, antecedents: Collection[int]) -> dict[int, list[_Arc]]:
    """The arcs of antecedents in their relative clauses where the graph has none: most are subjects."""
    verbs: dict[int, list[_Arc]] = {word: [] for word in antecedents}
    for verb, arcs in enumerate(tree.into):
        for arc in arcs:
            if arc.head in verbs and arc.relation.startswith("acl:relcl"):
                verbs[arc.head].append(_Arc(verb, "nsubj"))
    return verbs


def _in_clause(
    word: int, references: list[_Arc], clauses: dict[int, list[_Arc]], verbs: dict[int, list[_Arc]], tree: _Tree
) -> _Arc:
    """The arc of a relative pronoun: its antecedent's from the next word of the relative clause that has one."""
    antecedents = [arc.head for arc in references if tree.depth[arc.head] > 0]
    arcs = [arc for m in antecedents for arc in _near(word, clauses[m]) if tree.depth[arc.head] > tree.depth[m]]
    arcs = arcs or [arc for m in antecedents for arc in _near(word, verbs[m])]
    return min(arcs, key=lambda arc: (arc.head < word, abs(arc.head - word)), default=_Arc(tree.top, "dep"))


def _near(word: int, arcs: list[_Arc]) -> list[_Arc]:
    """Arcs, sorted by head, without those far from a word: were there thousands, each pronoun would look at all."""
    at = bisect_left(arcs, word, key=lambda arc: arc.head)
    return arcs[max(0, at - _MOST_NEAR) : at + _MOST_NEAR]


def _words_only(sentence: Sentence) -> Graph:
    """The graph with path labels for empty nodes."""
    try:
        return empty_nodes.collapse(sentence).graph
    except InputError:  # too many paths for labels
        return empty_nodes.drop(sentence).graph


def _filled(row: Row, head: int, relation: str) -> Row:
    return [*row[:6], str(head), relation, *row[8:]]
