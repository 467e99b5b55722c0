"""Words and arcs from a request as the sentences and graphs that the rest of Arctag knows."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.errors import InputError
from arctag.graph import Graph
from arctag.sentence import Row, Sentence
from arctag.serve.limits import Limits
from arctag.serve.requests.bodies import ArcGiven, SentenceGiven
from arctag.serve.requests.graph_text import read_graphs


def graph_of(n: int, arcs: Sequence[ArcGiven], limits: Limits) -> Graph:
    """A graph of n words; `InputError` for arcs that do not fit."""
    limits.check_graph(n, sum(len(arc.relations) for arc in arcs))
    return Graph(n, [(arc.head, arc.dependent, name) for arc in arcs for name in arc.relations])


def picture_sentence(words: list[str], arcs: Sequence[ArcGiven], limits: Limits) -> Sentence:
    """A sentence to draw."""
    return Sentence.from_words(words, graph_of(len(words), arcs, limits))


def sentence_of(given: SentenceGiven, number: int, limits: Limits) -> Sentence:
    """A sentence object as a sentence, with all that it says.

    It is written as the rows of a CoNLL-U file, whose reader finds what is wrong with ids and heads.
    """
    graph = graph_of(len(given.words), given.arcs, limits)
    name = given.id or f"s{number}"
    if not given.words:
        raise InputError(f"sentence {number} has no words")
    if given.text is not None and ("\n" in given.text or "\r" in given.text):
        raise InputError(f"the text of sentence {number} holds a line break")
    bare = Sentence.from_words(given.words, tags=given.tags, sent_id=name)
    rows = _rows(bare, given, number)
    text = f"# text = {given.text}\n" if given.text is not None else ""
    lines = "".join("\t".join(row) + "\n" for row in rows)
    found = next(read_graphs(f"# sent_id = {name}\n{text}{lines}", f"sentence {number}", limits))
    return found.with_graph(graph)


def _rows(bare: Sentence, given: SentenceGiven, number: int) -> list[Row]:
    """The rows of a sentence with the ids and the tree that were given."""
    for name, column in (("ids", given.ids), ("tree", given.tree)):
        if column is not None and len(column) != len(given.words):
            raise InputError(f"sentence {number}: {len(given.words)} words but {len(column)} {name}")
    rows = []
    for i, row in enumerate(bare.rows):
        place = given.tree[i] if given.tree is not None else None
        head, relation = (str(place.head), place.relation) if place is not None else ("_", "_")
        name = given.ids[i] if given.ids is not None else row[0]
        rows.append([name, *row[1:6], head, relation, *row[8:]])
    return rows
