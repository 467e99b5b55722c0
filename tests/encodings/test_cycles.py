from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings import Arcs
from arctag.encodings.cycles import cyclic
from arctag.graph import Graph
from tests.strategies import graphs


@given(st.lists(graphs(), max_size=5))
def test_cycles_of_many_graphs_are_those_of_each(some: list[Graph]) -> None:
    assert cyclic(Arcs.of(some)).tolist() == [graph.cyclic for graph in some]


@pytest.mark.parametrize(
    ("arcs", "wanted"),
    [((), False), (((0, 1), (1, 2), (2, 3)), False), (((1, 1),), True), (((0, 1), (1, 2), (2, 3), (3, 2)), True)],
)
def test_cycles_by_hand(arcs: tuple[tuple[int, int], ...], wanted: bool) -> None:
    graph = Graph(3, [(head, dependent, "x") for head, dependent in arcs])
    assert cyclic(Arcs.of([graph, Graph(0), graph])).tolist() == [wanted, False, wanted]
