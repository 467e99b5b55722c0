"""Trees step by step and explained: the same heads and repairs as `decode`, and what is said of labels is so."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from arctag.encodings import Encoding, Labels, encoding
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing import every_tree
from arctag.testing.random_trees import random_trees, tree
from arctag.trace import encode_explained, explain_encoding, trace
from tests.encodings.all_encodings import TREES, label
from tests.trace.test_explained import described_arcs

BITS_AND_BRACKETS = ["treebits4", "treebits7", "treebrackets-1", "treebrackets-2", "treehierarchical"]


def check(enc: Encoding, texts: list[str]) -> None:
    """A trace gives the tree that `decode` gives, with as many repairs, and describes every arc."""
    decoded = enc.decode(Labels.from_rows([enc.parse(text) for text in texts]))
    steps = trace(enc, texts)
    assert [head for head, _ in steps.arcs] == decoded.graph.heads.tolist()
    assert steps.repairs == decoded.repairs
    for step in steps.steps:
        assert step.repair == bool(step.why)
        for arc in (*step.new_arcs, *step.lost_arcs):
            assert f"{arc.head}→{arc.dependent}" in step.text


@pytest.mark.parametrize("enc", TREES, ids=label)
def test_trace_of_every_small_tree(enc: Encoding) -> None:
    for n in range(5):
        for labels in enc.encode_all(every_tree(n)).sentences():
            check(enc, [enc.format(row) for row in labels])


@pytest.mark.parametrize("enc", TREES, ids=label)
def test_trace_of_any_labels(enc: Encoding) -> None:
    """Labels of trees, in any order: nothing fits."""
    random = np.random.default_rng(9)
    known = sorted({enc.format(row) for row in enc.encode_all(random_trees(random, 60, 10))})
    repaired = 0
    for _ in range(300):
        texts = [known[i] for i in random.integers(len(known), size=random.integers(0, 9))]
        check(enc, texts)
        repaired += trace(enc, texts).repairs > 0
    assert repaired > 100


@pytest.mark.parametrize(
    ("name", "labels", "text"),
    [
        (
            "treebrackets-1", "</ > <\\> . \\",
            "Repair: word 3 keeps one head, the root, so 5→3 goes. "
            "Repair: word 4 has no head; word 4 goes below word 3: arc 3→4. "
            "Repair: word 5 has no head; word 5 goes below word 3: arc 3→5.",
        ),
        (
            "treebrackets-1", "</ >\\< > .",
            "Repair: word 4 has no head; word 4 goes below word 3: arc 3→4. "
            "Repair: words 1 and 2 are above each other, so 2→1 goes; word 1 goes below word 3: arc 3→1.",
        ),
        (
            "treehierarchical", "@ (<",
            "Word 1 is no head of itself: 1→1 goes. "
            "Repair: no word is below the root; word 1 goes below the root: arc 0→1. "
            "Repair: word 2 has no head; word 2 goes below word 1: arc 1→2.",
        ),
    ],
)  # fmt: skip
def test_trace_shows_how_a_tree_is_made(name: str, labels: str, text: str) -> None:
    steps = trace(name, labels.split()).steps
    assert (steps[-1].sweep, steps[-1].text) == ("tree", text)
    assert all(step.sweep != "tree" for step in steps[:-1])


def test_trace_tells_arcs_that_go_again() -> None:
    value = json.loads(json.dumps(trace("treebits4", ["0001", "1110"]).to_json()))
    last = value["steps"][-1]
    assert last["pass"] == "tree"
    assert last["lost_arcs"] == [{"head": 2, "dependent": 1, "plane": 1}]
    assert last["new_arcs"] == [{"head": 0, "dependent": 1, "plane": 1}]
    assert value["arcs"] == [{"head": 0, "dependent": 1}, {"head": 1, "dependent": 2}]


@pytest.mark.parametrize("enc", TREES, ids=label)
def test_explain_says_which_arcs_are_covered(enc: Encoding) -> None:
    for graph in (*every_tree(4).graphs(), *random_trees(np.random.default_rng(4), 60, 14).graphs()):
        found = explain_encoding(enc, graph)
        assert [word.label for word in found.words] == [enc.format(row) for row in enc.encode(graph)]
        assert [(arc.head, arc.dependent) for arc in found.arcs] == [(arc.head, arc.dependent) for arc in graph]
        assert [arc.plane > 0 for arc in found.arcs] == enc.covers(graph).tolist() == [not a.why for a in found.arcs]
        assert [head for head, _ in found.decoded] == enc.decode(enc.encode(graph)).graph.heads.tolist()


@pytest.mark.parametrize("name", BITS_AND_BRACKETS)
def test_explain_tells_every_arc_that_labels_hold(name: str) -> None:
    enc = encoding(name)
    for graph in (*every_tree(4).graphs(), *random_trees(np.random.default_rng(5), 60, 14).graphs()):
        found = explain_encoding(enc, graph)
        described = set()
        for word in found.words:
            assert "".join(part.text for part in word.parts) == word.label
            for part in word.parts:
                described |= described_arcs(word.word, part.meaning)
        heads, _ = enc.decode_heads(enc.encode(graph))  # type: ignore[attr-defined]
        assert described == {(head, word) for word, head in enumerate(heads.tolist(), 1) if head >= 0}


@pytest.mark.parametrize("name", ["treebits4", "treebits7", "treebrackets-1", "treebrackets-2"])
def test_explain_says_truly_why_arcs_are_left_out(name: str) -> None:
    seen = set()
    for graph in random_trees(np.random.default_rng(6), 120, 20).graphs():
        found = explain_encoding(name, graph)
        planes = {(arc.head, arc.dependent): arc.plane for arc in found.arcs}
        for arc in found.arcs:
            for plane, head, dependent in re.findall(r"plane (\d): it crosses (\d+)→(\d+)", arc.why):
                assert planes[int(head), int(dependent)] in (int(plane), 0)  # 0: its own cycle was broken there
                seen.add("crosses")
            if "close a cycle" in arc.why:
                assert (arc.head, arc.dependent) not in found.decoded
                seen.add("cycle")
            assert "has a head there already" not in arc.why
    assert "crosses" in seen
    assert ("cycle" in seen) == name.startswith("treebits4") or name == "treebits7"


def test_explain_takes_seven_bits_apart() -> None:
    """3→1 and 4→2 cross, so the second is in the second plane."""
    word = explain_encoding("treebits7", tree([3, 4, 0, 3])).words[3]
    assert [f"{part.text}: {part.meaning}" for part in word.parts] == [
        "1: plane 1, bit 1: head to the left, word 3",
        "0: plane 1, bit 2: its arc is in this plane",
        "1: plane 1, bit 3: the farthest dependent of word 3",
        "0: plane 1, bit 4: no dependents to the left",
        "0: plane 1, bit 5: no dependents to the right",
        "1: plane 2, bit 6: dependents to the left, word 2",
        "0: plane 2, bit 7: no dependents to the right",
    ]


def test_explain_refuses_what_is_no_tree() -> None:
    graph = Graph(2, [(0, 1, "_")])
    message = "the graph: no tree, and this encoding is for trees only: word 2 has no head"
    with pytest.raises(InputError, match=message):
        encode_explained(graph, "treebits4")
