"""Planes for pictures are those of the encodings."""

from __future__ import annotations

import pytest
from hypothesis import given

from arctag.draw import planes
from arctag.encodings.planes import assign_planes
from arctag.encodings.rules import Crossing
from arctag.graph import Graph
from tests.strategies import graphs


@pytest.mark.parametrize("crossing", ["relaxed", "strict"])
@given(graph=graphs())
def test_planes_of_small_graphs_are_those_of_the_kernels(crossing: Crossing, graph: Graph) -> None:
    assert len(graph) <= planes._FEW
    assert planes.planes_of(graph, crossing) == assign_planes(graph, crossing).tolist()


def test_planes_of_large_graphs() -> None:
    graph = Graph(200, [(head, word, "x") for word in range(1, 201) for head in {word // 2, word // 3} if head != word])
    assert len(graph) > planes._FEW
    assert planes.planes_of(graph, "strict") == assign_planes(graph, "strict").tolist()
