"""JSON lines: the text is that of the objects, to the byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import Graph, Sentence, read
from arctag.formats.json_lines import JSON, sentence_json
from tests.strategies import graphs

TEXTS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1, max_size=6)
CELLS = st.one_of(TEXTS, st.sampled_from(["_", '"', "\\", "\x00", "\x7f", "\u2028", "😀", "é"]))
HEADS = st.sampled_from(["_", "0", "1", "03", "12"])


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Sentences with trees, empty nodes, probabilities and what else JSON can show, each of them or not."""
    graph = draw(graphs(labels=CELLS))
    words, tags, relations = (draw(st.lists(CELLS, min_size=graph.n, max_size=graph.n)) for _ in range(3))
    heads = draw(st.lists(HEADS, min_size=graph.n, max_size=graph.n)) if draw(st.booleans()) else ["_"] * graph.n
    ids = [str(i + 1) for i in range(graph.n)]
    if graph.n and draw(st.booleans()):
        ids[-1] = f"{graph.n - 1}.1"
    rows = [
        [name, word, "_", tag, "_", "_", head, relation, "_", "_"]
        for name, word, tag, head, relation in zip(ids, words, tags, heads, relations, strict=True)
    ]
    score = None
    if draw(st.booleans()):
        chances = draw(st.lists(st.floats(0, 1, width=32), min_size=len(graph), max_size=len(graph)))
        graph = Graph.trusted(graph.n, graph.heads, graph.dependents, graph.relations, np.array(chances, np.float32))
        score = draw(st.one_of(st.none(), st.floats(allow_nan=False, max_value=0)))
    comments = tuple(draw(st.lists(st.sampled_from(['# text = a " b', "# sent_id = é", "# c"]), max_size=3)))
    error = draw(st.sampled_from(["", "", "", 'x:1: found "é"']))
    return Sentence(rows, graph, draw(st.sampled_from(["conllu", "sdp"])), comments, score=score, error=error)


@given(sentence=sentences())
def test_json_lines_are_the_objects_as_json(sentence: Sentence) -> None:
    assert JSON.text(sentence) == json.dumps(sentence_json(sentence), ensure_ascii=False) + "\n"


def test_json_lines_are_the_objects_of_the_sample(any_sample: Path) -> None:
    for sentence in read(any_sample):
        assert JSON.text(sentence) == json.dumps(sentence_json(sentence), ensure_ascii=False) + "\n"


@pytest.mark.parametrize("error", ["", "x:1: not UTF-8"])
def test_json_lines_replace_bytes_that_are_not_utf8(error: str) -> None:
    sentence = Sentence.from_words(["a\udcff"], sent_id="s1").replace(error=error)
    assert "a\N{REPLACEMENT CHARACTER}" in JSON.text(sentence)
    JSON.text(sentence).encode()
