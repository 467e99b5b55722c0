from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate, combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.draw import svg_across, text_across
from arctag.draw.edges import Edge
from arctag.draw.layout import Bridge, Layout, Metrics, lay_out, wrap
from arctag.draw.levels import stack
from arctag.draw.scene import make_scene
from arctag.draw.vertical import brackets
from arctag.formats import read
from arctag.graph import Graph
from tests.draw.pictured import CYCLIC, UNJOINED, long_sentence
from tests.places import treebanks
from tests.steps import assert_linear
from tests.strategies import graphs

METRICS = [svg_across.METRICS, svg_across.COMPACT, text_across._METRICS]


def edges_of(graph: Graph) -> list[Edge]:
    return [Edge(arc.head, arc.dependent, " + ".join(arc.relations)) for arc in graph]


def assert_readable(layout: Layout) -> None:
    """Labels apart, words apart, every arc inside the picture and on its own feet."""
    assert_side(layout.bridges, layout.width, layout.height)
    assert_side(layout.below, layout.width, layout.depth)
    words = sorted(zip(layout.centres, layout.widths, strict=True))
    assert all(x + w / 2 < y - v / 2 for (x, w), (y, v) in pairwise(words))


def assert_side(bridges: list[Bridge], width: float, height: float) -> None:
    by_level: dict[int, list[tuple[float, float]]] = {}
    for bridge in bridges:
        assert -1e-9 <= bridge.label.left <= bridge.label.right <= width + 1e-9
        assert 0 < bridge.label.bottom < bridge.label.top <= height
        by_level.setdefault(bridge.level, []).append((bridge.label.left, bridge.label.right))
    for boxes in by_level.values():
        assert all(before[1] <= after[0] + 1e-9 for before, after in pairwise(sorted(boxes)))
    feet = [b.dependent_x for b in bridges if not b.dependent_away]
    feet += [b.head_x for b in bridges if not b.edge.root and not b.head_away]
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
                assert inner.level < outer.level


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
    assert stack(left, right, right - left, [False] * len(ends)).tolist() == [expected[i] for i in range(len(ends))]


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


def test_layout_gaps_between_words_are_even() -> None:
    words = ["a", "considerably", "longer", "b"]
    edges = [Edge(2, 1, "a-very-long-relation:indeed"), Edge(2, 3, "x"), Edge(0, 2, "root")]
    even, spread = (lay_out(words, edges, metrics) for metrics in (METRICS[0], replace(METRICS[0], spread=True)))
    gaps = [
        right - left - (v + w) / 2 for (left, v), (right, w) in pairwise(zip(even.centres, even.widths, strict=True))
    ]
    assert gaps == pytest.approx([METRICS[0].gap] * 3)
    assert spread.width > even.width
    assert [bridge.narrow for bridge in even.bridges] == [True, False, False]
    assert not any(bridge.narrow for bridge in spread.bridges)


@pytest.mark.parametrize("metrics", METRICS[:2])
@given(upper=graphs(max_words=12), data=st.data())
def test_layout_wrapped_lines_are_readable(metrics: Metrics, upper: Graph, data: st.DataObject) -> None:
    lower = data.draw(graphs(words=upper.n))
    room = data.draw(st.integers(60, 500))
    words = ["word"] * upper.n
    lines = wrap(words, edges_of(upper), metrics, room, below=edges_of(lower))
    assert [line.first for line in lines] == list(accumulate((len(line.centres) for line in lines), initial=0))[:-1]
    assert sum(len(line.centres) for line in lines) == upper.n
    for line in lines:
        assert_readable(line)
        assert_readable(line.mirrored())
        assert line.width == lines[0].width
    for graph, side in ((upper, "bridges"), (lower, "below")):
        assert_parts(graph, [(line, getattr(line, side)) for line in lines])


def assert_parts(graph: Graph, lines: list[tuple[Layout, list[Bridge]]]) -> None:
    """Each arc is on the lines of its ends and on all between them, and begins and ends once."""
    for arc in graph:
        ends = [arc.dependent] if arc.head == 0 else [arc.head, arc.dependent]
        numbers = [
            i for i, (line, _) in enumerate(lines) for end in ends if line.first < end <= line.first + len(line.centres)
        ]
        found = [
            (i, one) for i, (_, bridges) in enumerate(lines) for one in bridges
            if (one.edge.head, one.edge.dependent) == (arc.head, arc.dependent)
        ]  # fmt: skip
        assert [i for i, _ in found] == list(range(min(numbers), max(numbers) + 1))
        assert sum(not one.dependent_away for _, one in found) == 1
        assert sum(not one.head_away for _, one in found) == (len(found) if arc.head == 0 else 1)


def test_layout_wrapped_lines_are_few_and_even() -> None:
    edges = [Edge(i - 1, i, "x") for i in range(2, 22)]
    lines = wrap(["word"] * 21, edges, METRICS[0], 800)
    assert [len(line.centres) for line in lines] == [11, 10]
    assert lines[0].width < 700
    assert len(wrap(["word"] * 21, edges, METRICS[0], 5000)) == 1
    assert len(wrap(["word"] * 3, [], METRICS[0], 1)) == 3  # each word on its own


def test_layout_below_does_not_move_what_is_above() -> None:
    edges, below = edges_of(CYCLIC.graph), [Edge(1, 2, "x"), Edge(2, 3, "y"), Edge(0, 1, "root")]
    alone, both = lay_out(CYCLIC.words, edges, METRICS[0]), lay_out(CYCLIC.words, edges, METRICS[0], below=below)
    assert [(b.level, b.y) for b in both.bridges] == [(b.level, b.y) for b in alone.bridges]
    assert both.depth > 0 == alone.depth


@given(graph=graphs(max_words=12))
def test_layout_brackets_do_not_meet(graph: Graph) -> None:
    placed, levels = brackets(graph.n, edges_of(graph), 24.0)
    assert len(placed) == sum(arc.head != 0 for arc in graph)
    assert max((one.level for one in placed), default=0) == levels
    for a, b in combinations(placed, 2):
        (top, bottom), (high, low) = (sorted((one.head_y, one.dependent_y)) for one in (a, b))
        assert a.level != b.level or bottom < high or low < top
    for one in placed:
        for y, word in ((one.head_y, one.edge.head), (one.dependent_y, one.edge.dependent)):
            assert (word - 1) * 24 <= y <= word * 24
