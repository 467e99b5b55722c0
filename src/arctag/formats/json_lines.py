"""JSON lines: a sentence and its graph as one object on each line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from json.encoder import encode_basestring as quoted
from typing import Any

from arctag.formats.base import OutputFormat
from arctag.graph import Graph, Relations
from arctag.sentence import Sentence

_ESCAPED_BYTES = re.compile("[\udc80-\udcff]")  # of what is not UTF-8, which JSON must be


class JsonLines(OutputFormat):
    """Written only; a damaged sentence is an object with its error and its lines."""

    name = "json"
    suffixes = (".jsonl", ".json")

    def text(self, sentence: Sentence) -> str:
        """The sentence on one line."""
        if sentence.error:
            text = json.dumps(_damaged(sentence), ensure_ascii=False)
        else:
            text = f"{{{', '.join(_members(sentence))}}}"
        if not text.isascii():
            text = _ESCAPED_BYTES.sub("\N{REPLACEMENT CHARACTER}", text)
        return text + "\n"


JSON = JsonLines()


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """The words, the arcs and what else is known of a sentence.

    Arcs name words by their place, from 1; 0 is the root. `ids` are given only where they are not
    those places (empty nodes), `tags` and `tree` only where there are any.
    """
    if sentence.error:
        return _damaged(sentence)
    value: dict[str, Any] = {"id": sentence.id, "text": sentence.text, "words": sentence.words}
    if sentence.has_empty:
        value["ids"] = sentence.ids
    if _filled(sentence.tags):
        value["tags"] = sentence.tags
    value["arcs"] = [
        {"head": arc.head, "dependent": arc.dependent, "relations": list(arc.relations)} for arc in sentence.graph
    ]
    if sentence.graph.probabilities is not None:
        for arc, probability in zip(value["arcs"], sentence.graph.probabilities.tolist(), strict=True):
            arc["probability"] = round(probability, 4)
        value["score"] = round(sentence.score or 0.0, 4)
    if tree := _tree(sentence):
        value["tree"] = [{"head": int(head), "relation": name} if head != "_" else None for head, name in tree]
    return value


def _tree(sentence: Sentence) -> list[tuple[str, str]]:
    """HEAD and DEPREL of each word, if there is a tree."""
    heads = sentence.column(6) if sentence.format == "conllu" else []
    return list(zip(heads, sentence.column(7), strict=True)) if _filled(heads) else []


def _filled(column: list[str]) -> bool:
    """Whether there is something in a column."""
    return column.count("_") < len(column)


def _damaged(sentence: Sentence) -> dict[str, Any]:
    """A sentence that could not be read: its columns may be anything, so it is given as lines."""
    lines = [*sentence.comments, *("\t".join(row) for row in sentence.rows)]
    return {"id": sentence.id, "error": sentence.error, "lines": lines}


# The same as text: objects and lists for every arc would take several times as long


def _members(sentence: Sentence) -> Iterator[str]:
    """The members of `sentence_json`."""
    yield f'"id": {quoted(sentence.id)}'
    yield f'"text": {quoted(sentence.text)}'
    yield f'"words": {_array(map(quoted, sentence.words))}'
    if sentence.has_empty:
        yield f'"ids": {_array(map(quoted, sentence.ids))}'
    if _filled(sentence.tags):
        yield f'"tags": {_array(map(quoted, sentence.tags))}'
    yield f'"arcs": {_array(_arcs(sentence.graph))}'
    if sentence.graph.probabilities is not None:
        yield f'"score": {json.dumps(round(sentence.score or 0.0, 4))}'
    if tree := _tree(sentence):
        yield f'"tree": {_array([_tree_arc(head, relation) for head, relation in tree])}'


def _array(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _arcs(graph: Graph) -> list[str]:
    arcs = zip(graph.heads.tolist(), graph.dependents.tolist(), map(_relations, graph.relations), strict=True)
    if graph.probabilities is None:
        return [f'{{"head": {head}, "dependent": {word}, "relations": {names}}}' for head, word, names in arcs]
    probabilities = [json.dumps(round(probability, 4)) for probability in graph.probabilities.tolist()]
    return [
        f'{{"head": {head}, "dependent": {word}, "relations": {names}, "probability": {probability}}}'
        for (head, word, names), probability in zip(arcs, probabilities, strict=True)
    ]


@lru_cache(maxsize=10_000)
def _relations(names: Relations) -> str:
    return _array(map(quoted, names))


@lru_cache(maxsize=10_000)
def _tree_arc(head: str, relation: str) -> str:
    return f'{{"head": {int(head)}, "relation": {quoted(relation)}}}' if head != "_" else "null"
