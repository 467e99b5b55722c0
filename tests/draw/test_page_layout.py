"""The service's page lays pictures out in JavaScript; everything stands where `draw` would put it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.draw.layout import Layout, Metrics, lay_out
from arctag.draw.measure import ems
from arctag.draw.planes import planes_of
from arctag.draw.scene import MEANINGS, Edge
from arctag.formats import read
from arctag.graph import Graph
from tests.javascript import load
from tests.places import treebanks
from tests.strategies import graphs

NEAR = 1e-9


@pytest.fixture(scope="module")
def page() -> Any:
    """The page's modules for layout, planes and legend; six pixels for each letter of the legend."""
    return load(
        "graph/attachments", "graph/levels", "graph/layout", "graph/planes", "graph/legend",
        before="const widthOf = (text) => 6 * text.length;",
    )  # fmt: skip


def check(
    page: Any, words: Sequence[float], edges: Sequence[Edge], labels: Sequence[float], notes: Sequence[float]
) -> None:
    """Compare both layouts of a sentence, given the widths of its words, of the labels of its arcs and of its tags."""
    space = page("SPACE")
    places = iter([*words, *labels])
    metrics = Metrics(
        word_width=lambda _: next(places), label_width=lambda _: next(places), gap=space["gap"], slot=space["slot"],
        pad=space["pad"], first=space["first"], step=space["step"], label_height=space["labelHeight"],
    )  # fmt: skip
    layout = lay_out(["word"] * len(words), edges, metrics, notes)
    arcs = [{"head": edge.head, "dependent": edge.dependent} for edge in edges]
    for expected, mirrored in ((layout, False), (layout.mirrored(), True)):
        assert_same(page("layOut", list(map(max, words, notes)), arcs, list(labels), mirrored), expected)


def assert_same(found: dict[str, Any], expected: Layout) -> None:
    assert found["centres"] == pytest.approx(expected.centres, abs=NEAR)
    assert (found["width"], found["height"]) == pytest.approx((expected.width, expected.height), abs=NEAR)
    assert [bridge["level"] for bridge in found["bridges"]] == [bridge.level for bridge in expected.bridges]
    for one, other in zip(found["bridges"], expected.bridges, strict=True):
        places = (other.head_x, other.dependent_x, other.y, other.label.left, other.label.right)
        half = one["labelWidth"] / 2
        got = (one["headX"], one["dependentX"], one["y"], one["middle"] - half, one["middle"] + half)
        assert got == pytest.approx(places, abs=NEAR)


@given(graph=graphs(max_words=10), data=st.data())
def test_page_layout_any_graph(page: Any, graph: Graph, data: st.DataObject) -> None:
    widths = st.one_of(st.integers(0, 150), st.floats(0, 150, width=32))
    words = data.draw(st.lists(widths, min_size=graph.n, max_size=graph.n))
    labels = data.draw(st.lists(widths, min_size=len(graph), max_size=len(graph)))
    notes = data.draw(st.lists(widths, min_size=graph.n, max_size=graph.n))
    check(page, words, [Edge(arc.head, arc.dependent, "") for arc in graph], labels, notes)


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp"))
def test_page_layout_real_sentences(name: str, page: Any, shared: Path) -> None:
    for number, sentence in enumerate(read(shared / "data" / name)):
        if number == 40:
            break
        edges = [Edge(arc.head, arc.dependent, " + ".join(arc.relations)) for arc in sentence.graph]
        words, tags = (
            [size * ems(text) for text in texts] for size, texts in ((18, sentence.words), (11, sentence.tags))
        )
        check(page, words, edges, [11.5 * ems(edge.label) for edge in edges], tags)


@given(graphs(max_words=10))
def test_page_layout_planes(page: Any, graph: Graph) -> None:
    arcs = [{"head": arc.head, "dependent": arc.dependent} for arc in graph]
    assert page("assignPlanes", arcs) == [plane + 1 for plane in planes_of(graph, "relaxed")]


def test_page_layout_legend_says_the_same(page: Any) -> None:
    entries = page("legendOf", [{"look": kind} for kind in reversed(MEANINGS)])
    assert [(entry["look"], entry["text"]) for entry in entries] == list(MEANINGS.items())
