"""Plane assignment as its own function: counts and planes of whole graphs."""

from __future__ import annotations

import numpy as np
import pytest

from arctag.encodings import Arcs
from arctag.encodings.conflicts import cross, greedy_planes, relaxed_conflict, strict_conflict
from arctag.encodings.planes import assign_planes, count_planes, plane_counts
from arctag.encodings.rules import Crossing
from arctag.graph import Graph
from arctag.testing import every_graph, random_graph

RULES: list[Crossing] = ["strict", "relaxed"]
CONFLICTS = {"strict": strict_conflict, "relaxed": relaxed_conflict}


def naive(graph: Graph, crossing: str) -> list[list[tuple[int, int]]]:
    ordered = sorted(graph.arc_set(), key=lambda arc: (arc[1], arc[0]))
    return greedy_planes(ordered, CONFLICTS[crossing])


@pytest.mark.parametrize(
    ("one", "other", "wanted"),
    [
        ((1, 3), (2, 4), True), ((3, 1), (2, 4), True), ((2, 4), (1, 3), True),
        ((1, 4), (2, 3), False), ((1, 2), (2, 3), False), ((1, 3), (1, 2), False), ((1, 3), (3, 1), False),
        ((0, 2), (1, 3), True), ((0, 3), (1, 3), False),
    ],
)  # fmt: skip
def test_planes_cross_as_the_paper_defines(one: tuple[int, int], other: tuple[int, int], wanted: bool) -> None:
    assert cross(one, other) is wanted


@pytest.mark.parametrize("crossing", RULES)
def test_planes_of_a_graph_are_those_of_the_naive_assignment(crossing: Crossing) -> None:
    random = np.random.default_rng(5)
    for density in (0.05, 0.2, 1.0):
        graph = random_graph(random, 14, density)
        planes = assign_planes(graph, crossing)
        for number, plane in enumerate(naive(graph, crossing)):
            found = {(arc.head, arc.dependent) for arc, p in zip(graph, planes.tolist(), strict=True) if p == number}
            assert found == set(plane)


@pytest.mark.parametrize("crossing", RULES)
def test_plane_counts_equal_the_naive_ones_on_every_graph_of_three_words(crossing: Crossing) -> None:
    arcs = every_graph(3, loops=True)
    wanted = [len(naive(graph, crossing)) for graph in arcs.graphs()]
    assert plane_counts(arcs, crossing).tolist() == wanted
    assert any(count == 2 for count in wanted)


def test_plane_counts_of_graphs_without_arcs_are_zero() -> None:
    assert plane_counts(Arcs.of([Graph(0), Graph(3), Graph(2, [(1, 1, "_")])])).tolist() == [0, 0, 0]


def test_count_planes_depends_on_what_counts_as_crossing() -> None:
    """1→3 and 4→2 cross, but point to different sides."""
    graph = Graph(4, [(1, 3, "_"), (4, 2, "_")])
    assert count_planes(graph, "strict") == 2
    assert count_planes(graph, "relaxed") == 1


def test_assign_planes_puts_a_self_loop_into_the_first() -> None:
    assert assign_planes(Graph(1, [(1, 1, "_")])).tolist() == [0]
