"""JSON lines: a sentence and its graph as one object on each line."""

from __future__ import annotations

import json
import re
from typing import Any

from arctag.formats.base import OutputFormat
from arctag.sentence import Sentence

_ESCAPED_BYTES = re.compile("[\udc80-\udcff]")  # of what is not UTF-8, which JSON must be


class JsonLines(OutputFormat):
    """Written only; a damaged sentence is an object with its error and its lines."""

    name = "json"
    suffixes = (".jsonl", ".json")

    def text(self, sentence: Sentence) -> str:
        """The sentence on one line."""
        text = json.dumps(sentence_json(sentence), ensure_ascii=False)
        return _ESCAPED_BYTES.sub("\N{REPLACEMENT CHARACTER}", text) + "\n"


JSON = JsonLines()


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """The words, the arcs and what else is known of a sentence.

    Arcs name words by their place, from 1; 0 is the root. `ids` are given only where they are not
    those places (empty nodes), `tags` and `tree` only where there are any.
    """
    if sentence.error:
        return _damaged(sentence)
    rows = sentence.node_rows
    value: dict[str, Any] = {"id": sentence.id, "text": sentence.text, "words": sentence.words}
    if sentence.has_empty:
        value["ids"] = sentence.ids
    if any(tag != "_" for tag in sentence.tags):
        value["tags"] = sentence.tags
    value["arcs"] = [
        {"head": arc.head, "dependent": arc.dependent, "relations": list(arc.relations)} for arc in sentence.graph
    ]
    if sentence.graph.probabilities is not None:
        for arc, probability in zip(value["arcs"], sentence.graph.probabilities.tolist(), strict=True):
            arc["probability"] = round(probability, 4)
        value["score"] = round(sentence.score or 0.0, 4)
    if sentence.format == "conllu" and any(row[6] != "_" for row in rows):
        value["tree"] = [{"head": int(row[6]), "relation": row[7]} if row[6] != "_" else None for row in rows]
    return value


def _damaged(sentence: Sentence) -> dict[str, Any]:
    """A sentence that could not be read: its columns may be anything, so it is given as lines."""
    lines = [*sentence.comments, *("\t".join(row) for row in sentence.rows)]
    return {"id": sentence.id, "error": sentence.error, "lines": lines}
