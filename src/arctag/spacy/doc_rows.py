"""Tokens of a doc as rows of a `Sentence`, in CoNLL-U columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from arctag.graph import Graph
from arctag.sentence import Row, Sentence
from arctag.spacy.storage import DocArc
from arctag.transforms.empty_nodes import expand

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


def form(text: str) -> str:
    """A text as a row can hold it: no tab, no line break, single spaces."""
    return " ".join(text.split())


def to_sentence(doc: Doc, number: int, tokens: Sequence[int], arcs: Sequence[DocArc]) -> Sentence:
    """The sentence of these tokens, with what spaCy knows about them; path labels become empty nodes again."""
    place = {i: word for word, i in enumerate(tokens, 1)}
    triples = ((0 if a.head is None else place[a.head], place[a.dependent], r) for a in arcs for r in a.relations)
    rows = [_row(word, doc[i]) for i, word in place.items()]
    text = "".join(row[1] + " " * (row[9] == "_") for row in rows)
    comments = (f"# sent_id = {number}", f"# text = {text.strip()}")
    return expand(Sentence(rows, Graph(len(rows), triples), comments=comments, edited=True))


def _row(word: int, token: Token) -> Row:
    columns = [token.text, token.lemma_, token.pos_, token.tag_, str(token.morph)]
    return [str(word), *(form(column) or "_" for column in columns), "_", "_", "_", _misc(token)]


def _misc(token: Token) -> str:
    after = token.doc[token.i + 1] if token.i + 1 < len(token.doc) else None
    apart = token.whitespace_ or after is None or after.text.isspace()
    return "_" if apart else "SpaceAfter=No"


def joined(sentences: Sequence[Sentence]) -> Sentence:
    """Several sentences as one, for a picture of them all."""
    if len(sentences) == 1:
        return sentences[0]
    rows: list[Row] = []
    triples: list[tuple[int, int, str]] = []
    words = 0
    for sentence in sentences:
        before = len(rows)
        triples += [(h + before if h else 0, d + before, r) for h, d, r in sentence.graph.triples()]
        for row in sentence.node_rows:
            major, dot, minor = row[0].partition(".")
            rows.append([f"{int(major) + words}{dot}{minor}", *row[1:]])
        words += len(sentence.ids) - sum(sentence.empty)
    text = " ".join(sentence.text for sentence in sentences)
    return Sentence(rows, Graph(len(rows), triples), comments=(f"# text = {text}",), edited=True)
