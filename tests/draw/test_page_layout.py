"""The service's page lays pictures out in JavaScript; everything stands where `draw` would put it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.draw.compared import MEANINGS
from arctag.draw.edges import Edge
from arctag.draw.layout import Bridge, Layout, Metrics, wrap
from arctag.draw.measure import ems
from arctag.draw.planes import planes_of
from arctag.draw.scene import TREE_MEANINGS, depths
from arctag.draw.vertical import brackets
from arctag.formats import read
from arctag.graph import Graph
from tests.javascript import load
from tests.places import treebanks
from tests.strategies import graphs

NEAR = 1e-9
Widths = Sequence[float]


@pytest.fixture(scope="module")
def page() -> Any:
    """The page's modules for layout, planes and legend; six pixels for each letter of the legend."""
    return load(
        "graph/attachments", "graph/levels", "graph/layout", "graph/vertical", "graph/planes", "graph/legend",
        before="const widthOf = (text) => 6 * text.length;",
    )  # fmt: skip


def ends(edges: Sequence[Edge]) -> list[dict[str, int]]:
    return [{"head": edge.head, "dependent": edge.dependent} for edge in edges]


def check(
    page: Any, words: Widths, edges: Sequence[Edge], labels: Widths, notes: Widths, below: Sequence[Edge] = (),
    lower: Widths = (), room: float | None = None, compact: bool = False,
) -> None:  # fmt: skip
    """Compare both layouts of a sentence, given the widths of its words, of the labels of its arcs and of its tags."""
    space = page("COMPACT" if compact else "SPACE")
    places = iter([*words, *labels, *lower])
    metrics = Metrics(
        word_width=lambda _: next(places), label_width=lambda _: next(places), gap=space["gap"], slot=space["slot"],
        pad=space["pad"], first=space["first"], step=space["step"], label_height=space["labelHeight"],
    )  # fmt: skip
    lines = wrap(["word"] * len(words), edges, metrics, room, notes, below)
    for mirrored in (False, True):
        options = {
            "mirrored": mirrored, "room": room, "space": space,
            "below": {"edges": ends(below), "labelWidths": list(lower)},
        }  # fmt: skip
        found = page("layOut", list(map(max, words, notes)), ends(edges), list(labels), options)
        assert len(found) == len(lines)
        for one, line in zip(found, lines, strict=True):
            assert_same(one, line.mirrored() if mirrored else line, edges, below)


def assert_same(found: dict[str, Any], expected: Layout, edges: Sequence[Edge], below: Sequence[Edge]) -> None:
    assert found["first"] == expected.first
    assert found["centres"] == pytest.approx(expected.centres, abs=NEAR)
    sizes = (expected.width, expected.height, expected.depth)
    assert (found["width"], found["height"], found["depth"]) == pytest.approx(sizes, abs=NEAR)
    assert_bridges(found["bridges"], expected.bridges, edges)
    assert_bridges(found["below"], expected.below, below)


def assert_bridges(found: list[dict[str, Any]], expected: list[Bridge], edges: Sequence[Edge]) -> None:
    assert [bridge["level"] for bridge in found] == [bridge.level for bridge in expected]
    for one, other in zip(found, expected, strict=True):
        assert edges[one["edge"]] == other.edge
        flags = (other.narrow, other.head_away, other.dependent_away)
        assert (one["narrow"], one["headAway"], one["dependentAway"]) == flags
        places = (other.head_x, other.dependent_x, other.y, other.label.left, other.label.right)
        half = one["labelWidth"] / 2
        got = (one["headX"], one["dependentX"], one["y"], one["middle"] - half, one["middle"] + half)
        assert got == pytest.approx(places, abs=NEAR)


def edges_of(graph: Graph) -> list[Edge]:
    return [Edge(arc.head, arc.dependent, " + ".join(arc.relations)) for arc in graph]


@given(graph=graphs(max_words=10), data=st.data())
def test_page_layout_any_graph(page: Any, graph: Graph, data: st.DataObject) -> None:
    widths = st.one_of(st.integers(0, 150), st.floats(0, 150, width=32))
    words = data.draw(st.lists(widths, min_size=graph.n, max_size=graph.n))
    labels = data.draw(st.lists(widths, min_size=len(graph), max_size=len(graph)))
    notes = data.draw(st.lists(widths, min_size=graph.n, max_size=graph.n))
    below = data.draw(graphs(words=graph.n))
    lower = data.draw(st.lists(widths, min_size=len(below), max_size=len(below)))
    room = data.draw(st.one_of(st.none(), st.integers(100, 900)))
    check(page, words, edges_of(graph), labels, notes, edges_of(below), lower, room, data.draw(st.booleans()))


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp"))
def test_page_layout_real_sentences(name: str, page: Any, shared: Path) -> None:
    for number, sentence in enumerate(read(shared / "data" / name)):
        if number == 40:
            break
        edges = edges_of(sentence.graph)
        words, tags = (
            [size * ems(text) for text in texts] for size, texts in ((18, sentence.words), (11, sentence.tags))
        )
        labels = [11.5 * ems(edge.label) for edge in edges]
        for room in (None, 700):
            check(page, words, edges, labels, tags, room=room)


@given(graphs(max_words=10))
def test_page_layout_brackets_and_depths(page: Any, graph: Graph) -> None:
    edges = edges_of(graph)
    placed, levels = brackets(graph.n, edges, 24.0)
    found = page("bracketsOf", graph.n, ends(edges), 24)
    assert found["levels"] == levels
    assert [(edges[one["edge"]], one["level"]) for one in found["brackets"]] == [
        (one.edge, one.level) for one in placed
    ]
    got = [y for one in found["brackets"] for y in (one["headY"], one["dependentY"])]
    assert got == pytest.approx([y for one in placed for y in (one.head_y, one.dependent_y)], abs=NEAR)
    assert page("depthsOf", graph.n, ends(edges)) == depths(graph.n, graph)


@given(graphs(max_words=10))
def test_page_layout_planes(page: Any, graph: Graph) -> None:
    arcs = [{"head": arc.head, "dependent": arc.dependent} for arc in graph]
    assert page("assignPlanes", arcs) == [plane + 1 for plane in planes_of(graph, "relaxed")]


def test_page_layout_legend_says_the_same(page: Any) -> None:
    for meanings in (MEANINGS, TREE_MEANINGS):
        entries = page("legendOf", [{"look": kind} for kind in reversed(meanings)])
        assert [(entry["look"], entry["text"]) for entry in entries] == list(meanings.items())
