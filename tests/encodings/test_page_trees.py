"""The service's page checks trees before it sends them; it refuses what the package refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings.labels import Arcs
from arctag.encodings.trees.base import NotATree, tree_heads
from arctag.graph import Graph
from arctag.testing.random_checks import grown_trees, sparse_graphs
from tests.javascript import load


@pytest.fixture(scope="module")
def page() -> Any:
    return load("lesson/checks")


@given(graph=st.one_of(sparse_graphs(), grown_trees()))
def test_page_knows_what_is_no_tree(graph: Graph, page: Any) -> None:
    words = [f"w{i}" for i in range(1, graph.n + 1)]
    arcs = [{"head": arc.head, "dependent": arc.dependent} for arc in graph]
    found = page("treeFault", {"words": words, "arcs": arcs})
    try:
        tree_heads(Arcs.of([graph]))
    except NotATree as error:
        kind = error.what.split(maxsplit=2)[2].split(" (")[0]  # word 2 [has 2 heads] (1, 3)
        assert found.endswith(f" {kind}")
    else:
        assert found == ""
