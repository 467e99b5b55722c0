"""The service's page checks labels, and trees, before it sends them; it refuses what the package refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings import Labels, encoding, tree_names
from arctag.encodings.labels import Arcs
from arctag.encodings.trees.base import NotATree, tree_heads
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing.graphs import every_graph, every_tree
from arctag.testing.random_checks import grown_trees, sparse_graphs
from tests.encodings.all_encodings import names
from tests.javascript import load

# the service alone checks hierarchical brackets
CHECKED = [name for name in [*names(1, 3), *tree_names()] if not name.endswith("hierarchical")]
PARTS = st.lists(st.sampled_from(["VERB", "X", "ROOT", "+1", "-12", "+0", "-0", ",", "()"]), max_size=5).map("".join)
TEXTS = st.one_of(st.text("()-,.\\></*01256", max_size=9), st.text("lr<>.^019LRSDN", max_size=6), PARTS)


@pytest.fixture(scope="module")
def page() -> Any:
    return load("lesson/checks")


def refused(page: Any, name: str, text: str) -> bool:
    family, _, planes = name.partition("-")
    return bool(page("labelFault", text, family, int(planes or 1), name))


@pytest.mark.parametrize("name", CHECKED)
def test_page_labels_of_graphs_are_accepted(name: str, page: Any) -> None:
    enc = encoding(name)
    labels: Labels = enc.encode_all(every_tree(5) if enc.trees_only else every_graph(3))
    assert not any(refused(page, name, text) for text in {enc.format(row) for row in labels})


@pytest.mark.parametrize("name", CHECKED)
@given(text=TEXTS)
def test_page_labels_are_refused_as_parse_refuses_them(name: str, text: str, page: Any) -> None:
    try:
        encoding(name).parse(text)
    except InputError:
        assert refused(page, name, text)
    else:
        assert not refused(page, name, text)


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
