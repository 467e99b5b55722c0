from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.draw import svg_picture, text_across
from arctag.draw.layout import Layout, Metrics, lay_out, stack
from arctag.draw.scene import Edge, make_scene
from arctag.formats import read
from arctag.graph import Graph
from tests.draw.pictured import CYCLIC, UNJOINED, long_sentence
from tests.places import treebanks
from tests.steps import assert_linear
from tests.strategies import graphs

METRICS = [svg_picture._METRICS, text_across._METRICS]


def edges_of(graph: Graph) -> list[Edge]:
    return [Edge(arc.head, arc.dependent, " + ".join(arc.relations)) for arc in graph]


def assert_readable(layout: Layout) -> None:
    """Labels apart, words apart, every arc inside the picture and on its own feet."""
    by_level: dict[int, list[tuple[float, float]]] = {}
    for bridge in layout.bridges:
        assert 0 <= bridge.label.left <= bridge.label.right <= layout.width + 1e-9
        assert 0 < bridge.label.bottom < bridge.label.top <= layout.height
        by_level.setdefault(bridge.level, []).append((bridge.label.left, bridge.label.right))
    for boxes in by_level.values():
        assert all(before[1] <= after[0] + 1e-9 for before, after in pairwise(sorted(boxes)))
    words = sorted(zip(layout.centres, layout.widths, strict=True))
    assert all(x + w / 2 < y - v / 2 for (x, w), (y, v) in pairwise(words))
    feet = [b.dependent_x for b in layout.bridges] + [b.head_x for b in layout.bridges if not b.edge.root]
    assert len({round(x, 6) for x in feet}) == len(feet)


@pytest.mark.parametrize("metrics", METRICS)
@given(graph=graphs(max_words=10))
def test_layout_any_graph_is_readable(metrics: Metrics, graph: Graph) -> None:
    layout = lay_out(["word"] * graph.n, edges_of(graph), metrics)
    assert_readable(layout)
    assert_readable(layout.mirrored())
    assert not any(a.label.overlaps(b.label) for a, b in combinations(layout.bridges, 2))


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp"))
def test_layout_real_sentences_have_labels_apart(name: str, shared: Path) -> None:
    for number, sentence in enumerate(read(shared / "data" / name)):
        if number == 40:
            break
        edges = edges_of(sentence.graph)
        for metrics in METRICS:
            assert_readable(lay_out(sentence.words, edges, metrics))
        boxes = [bridge.label for bridge in lay_out(sentence.words, edges, METRICS[0]).bridges]
        assert not any(a.overlaps(b) for a, b in combinations(boxes[:80], 2))


@given(graph=graphs(max_words=10))
def test_layout_longer_arcs_lie_above_the_shorter_ones_they_cover(graph: Graph) -> None:
    bridges = [b for b in lay_out(["w"] * graph.n, edges_of(graph), METRICS[0]).bridges if not b.edge.root]
    for outer in bridges:
        left, right = sorted((outer.head_x, outer.dependent_x))
        for inner in bridges:
            if left < min(inner.head_x, inner.dependent_x) and max(inner.head_x, inner.dependent_x) < right:
                assert inner.level < outer.level or inner.edge.loop


def test_layout_arcs_of_one_word_do_not_cross_there() -> None:
    edges = [Edge(3, d, "x") for d in (1, 2, 4, 5)] + [Edge(2, 3, "y"), Edge(0, 3, "root")]
    places = {(b.edge.head, b.edge.dependent): b for b in lay_out(list("abcde"), edges, METRICS[0]).bridges}
    at_three = [places[3, 2].head_x, places[2, 3].dependent_x, places[3, 1].head_x, places[0, 3].dependent_x]
    at_three += [places[3, 5].head_x, places[3, 4].head_x]
    assert at_three == sorted(at_three)
    assert places[2, 3].level > places[3, 2].level


def test_layout_labels_step_aside_for_legs_where_there_is_room() -> None:
    # the leg of 3→7 comes down in the middle of 1→5
    edges = [Edge(1, 5, "a"), Edge(3, 8, "b")]
    first, second = lay_out(["word"] * 8, edges, METRICS[0]).bridges
    assert second.level > first.level
    assert not first.label.left - 1 < second.head_x < first.label.right + 1


def test_layout_mirrored_puts_the_first_word_at_the_right() -> None:
    layout = lay_out(CYCLIC.words, edges_of(CYCLIC.graph), METRICS[0])
    assert layout.mirrored().centres == sorted(layout.mirrored().centres, reverse=True)
    assert [b.level for b in layout.mirrored().bridges] == [b.level for b in layout.bridges]


def test_layout_takes_no_arcs_and_no_words() -> None:
    assert lay_out(UNJOINED.words, [], METRICS[0]).height == 0
    assert lay_out([], [], METRICS[0]).width == 0


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=15))
def test_layout_stack_agrees_with_trying_every_pair(ranges: list[tuple[int, int]]) -> None:
    ends = [sorted(pair) for pair in ranges]
    left, right = np.array([e[0] for e in ends], float), np.array([e[1] for e in ends], float)
    expected: dict[int, int] = {}
    for i in sorted(range(len(ends)), key=lambda i: (right[i] - left[i], i)):
        met = [level for j, level in expected.items() if left[i] <= right[j] and left[j] <= right[i]]
        expected[i] = 1 + max(met, default=0)
    assert stack(left, right, [False] * len(ends)).tolist() == [expected[i] for i in range(len(ends))]


def test_layout_work_grows_with_the_words() -> None:
    def make(n: int) -> Callable[[], object]:
        sentence = long_sentence(n)
        scene = make_scene(sentence, planes=[0] * len(sentence.graph))
        return lambda: lay_out(scene.words, scene.edges, METRICS[0])

    assert_linear(make, 150)


def test_layout_of_five_thousand_words_is_readable() -> None:
    sentence = long_sentence(5000)
    scene = make_scene(sentence, planes=[0] * len(sentence.graph))
    assert_readable(lay_out(scene.words, scene.edges, METRICS[0]))
