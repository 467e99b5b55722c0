"""JSON lines: a sentence and its graph as one object on each line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from json.encoder import encode_basestring as quoted
from typing import Any

from arctag.columns import MISC, STANDARD
from arctag.formats.base import OutputFormat
from arctag.formats.conllu import lost_of_sdp
from arctag.graph import Graph, Relations
from arctag.sentence import Sentence

_IN_OBJECT = re.compile(r"#\s*(?:sent_id|text|score|probabilities)\s*=")
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

    def losses(self, sentence: Sentence) -> dict[str, int]:
        """What an object does not have of a sentence that was read from a file."""
        if sentence.error or sentence.fresh:
            return {}
        if not sentence.universal:
            return lost_of_sdp(sentence)
        return {
            "ranges (multiword tokens)": len(sentence.rows) - len(sentence.node_rows),
            "MISC columns": sum(cell != "_" for cell in sentence.column(MISC)),
            "comments": sum(not _IN_OBJECT.match(comment) for comment in sentence.comments),
        }


JSON = JsonLines()


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """The words, the arcs and what else is known of a sentence.

    Arcs name words by their place, from 1; 0 is the root. `ids` are given only where they are not
    those places (empty nodes), `tags` (UPOS, or the tags of SDP), `lemmas`, `xpos`, `feats`, `tree` and `layers`
    only where there are any.
    """
    if sentence.error:
        return _damaged(sentence)
    value: dict[str, Any] = {"id": sentence.id, "text": sentence.text, "words": sentence.words}
    if sentence.has_empty:
        value["ids"] = sentence.ids
    value.update(_columns(sentence))
    value["arcs"] = graph_json(sentence.graph)
    if sentence.graph.probabilities is not None:
        value["score"] = round(sentence.score or 0.0, 4)
    if tree := _tree(sentence):
        value["tree"] = [{"head": int(head), "relation": name} if head != "_" else None for head, name in tree]
        if sentence.head_probabilities is not None:
            for node, probability in zip(value["tree"], sentence.head_probabilities, strict=True):
                if node is not None:
                    node["probability"] = round(probability, 4)
    if layers := _layers(sentence):
        value["layers"] = {
            name: {"arcs": graph_json(layer)} if isinstance(layer, Graph) else {"tags": layer}
            for name, layer in layers.items()
        }
    return value


def graph_json(graph: Graph) -> list[dict[str, Any]]:
    """The arcs of a graph, with their probabilities if they have any."""
    arcs = [{"head": arc.head, "dependent": arc.dependent, "relations": list(arc.relations)} for arc in graph]
    if graph.probabilities is not None:
        for arc, probability in zip(arcs, graph.probabilities.tolist(), strict=True):
            arc["probability"] = round(probability, 4)
    return arcs


def _columns(sentence: Sentence) -> dict[str, list[str]]:
    """The columns that are filled."""
    numbers = {"tags": 3, "lemmas": 2, **({"xpos": 4, "feats": 5} if sentence.universal else {})}
    columns = {name: sentence.column(number) for name, number in numbers.items()}
    return {name: column for name, column in columns.items() if _filled(column)}


def _layers(sentence: Sentence) -> dict[str, Graph | list[str]]:
    """Further graphs, further tags, and columns that CoNLL-U does not have."""
    layers: dict[str, Graph | list[str]] = {**sentence.graphs}
    layers.update({name: list(cells) for name, cells in sentence.further.items()})
    for number, name in enumerate(sentence.header.further if sentence.header is not None else (), len(STANDARD)):
        if _filled(cells := sentence.column(number)):
            layers[name] = cells
    return layers


def _tree(sentence: Sentence) -> list[tuple[str, str]]:
    """HEAD and DEPREL of each word, if there is a tree."""
    heads = sentence.column(6) if sentence.universal else []
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
    for name, column in _columns(sentence).items():
        yield f'"{name}": {_array(map(quoted, column))}'
    yield f'"arcs": {_array(_arcs(sentence.graph))}'
    if sentence.graph.probabilities is not None:
        yield f'"score": {json.dumps(round(sentence.score or 0.0, 4))}'
    if tree := _tree(sentence):
        known = sentence.head_probabilities
        nodes = [_tree_arc(head, relation) for head, relation in tree]
        yield f'"tree": {_array(nodes if known is None else map(_with_probability, nodes, known))}'
    if layers := _layers(sentence):
        yield f'"layers": {{{", ".join(f"{quoted(name)}: {_layer(layer)}" for name, layer in layers.items())}}}'


def _layer(layer: Graph | list[str]) -> str:
    if isinstance(layer, Graph):
        return f'{{"arcs": {_array(_arcs(layer))}}}'
    return f'{{"tags": {_array(map(quoted, layer))}}}'


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


def _with_probability(node: str, probability: float) -> str:
    return node if node == "null" else f'{node[:-1]}, "probability": {json.dumps(round(probability, 4))}}}'


@lru_cache(maxsize=10_000)
def _tree_arc(head: str, relation: str) -> str:
    return f'{{"head": {int(head)}, "relation": {quoted(relation)}}}' if head != "_" else "null"
