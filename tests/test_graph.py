"""`Graph`: merging, order, cycles, equality, read-only arrays, refusals."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import InputError
from arctag.graph import Arc, Graph
from tests.steps import Compared
from tests.strategies import graphs


def test_graph_merges_relations_of_the_same_two_words() -> None:
    graph = Graph(3, [(2, 1, "nsubj"), (2, 1, "obj"), (2, 1, "nsubj"), (0, 2, "root")])
    assert list(graph) == [Arc(2, 1, ("nsubj", "obj")), Arc(0, 2, ("root",))]
    assert len(graph) == 2


def test_graph_sorts_by_dependent_then_head() -> None:
    graph = Graph(4, [(4, 2, "d"), (3, 1, "c"), (1, 2, "b"), (0, 1, "a")])
    assert [arc[:2] for arc in graph] == [(0, 1), (3, 1), (1, 2), (4, 2)]
    assert [arc.relations for arc in graph] == [("a",), ("c",), ("b",), ("d",)]


@given(graphs())
def test_graph_arrays_are_sorted_and_unique(graph: Graph) -> None:
    keys = list(zip(graph.dependents.tolist(), graph.heads.tolist(), strict=True))
    assert keys == sorted(set(keys))


@given(graphs())
def test_graph_triples_rebuild_the_graph(graph: Graph) -> None:
    again = Graph(graph.n, graph.triples())
    assert again == graph
    assert again.relations == graph.relations


@given(graphs(), st.data())
def test_graph_from_arrays_takes_any_order(graph: Graph, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(graph)))), dtype=np.int64)
    relations = [graph.relations[i] for i in order]
    assert Graph.from_arrays(graph.n, graph.heads[order], graph.dependents[order], relations) == graph


def test_graph_from_arrays_without_relations_labels_every_arc() -> None:
    graph = Graph.from_arrays(2, [2, 0], [1, 2])
    assert graph.relations == (("_",), ("_",))


def test_graph_from_arrays_copies_its_input() -> None:
    heads = np.array([0, 1], dtype=np.int32)
    graph = Graph.from_arrays(2, heads, [1, 2])
    heads[0] = 2
    assert graph.arc_set() == {(0, 1), (1, 2)}
    assert heads.flags.writeable


def test_graph_without_arcs() -> None:
    graph = Graph(2)
    assert (len(graph), list(graph), graph.cyclic) == (0, [], False)
    assert graph.heads.dtype == np.int32
    assert repr(graph) == "Graph(n=2, no arcs)"


def test_graph_without_words() -> None:
    assert len(Graph(0)) == 0
    assert not Graph(0).cyclic


def test_graph_repr_shows_every_relation() -> None:
    assert repr(Graph(2, [(0, 2, "root"), (2, 1, "a"), (2, 1, "b")])) == "Graph(n=2, 2→1:a+b, 0→2:root)"


def _reaches_itself(graph: Graph, start: int) -> bool:
    """Walk every path from a word, the slow and obvious way."""
    children = {head: [d for h, d in graph.arc_set() if h == head] for head in range(graph.n + 1)}
    seen: set[int] = set()
    stack = list(children[start])
    while stack:
        word = stack.pop()
        if word == start:
            return True
        if word not in seen:
            seen.add(word)
            stack.extend(children[word])
    return False


@given(graphs(max_words=6))
def test_graph_cyclic_agrees_with_brute_force(graph: Graph) -> None:
    assert graph.cyclic == any(_reaches_itself(graph, word) for word in range(1, graph.n + 1))


@pytest.mark.parametrize(
    ("arcs", "cyclic"),
    [
        ([(1, 1)], True),
        ([(1, 2), (2, 1)], True),
        ([(0, 1), (1, 2), (2, 3), (3, 2)], True),
        ([(0, 1), (1, 2), (1, 3), (2, 3)], False),
        ([(3, 1), (3, 2), (1, 2)], False),
    ],
)
def test_graph_cyclic_by_hand(arcs: list[tuple[int, int]], cyclic: bool) -> None:
    assert Graph(3, [(h, d, "x") for h, d in arcs]).cyclic is cyclic


@given(graphs(), st.data())
def test_graph_restricted_keeps_exactly_the_marked_arcs(graph: Graph, data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(graph), max_size=len(graph)))
    before = list(graph)
    part = graph.restricted(np.array(keep, dtype=np.bool_))
    assert list(part) == [arc for arc, kept in zip(before, keep, strict=True) if kept]
    assert part.n == graph.n
    assert list(graph) == before


def test_graph_restricted_gives_read_only_arrays() -> None:
    part = Graph(2, [(0, 1, "a"), (1, 2, "b")]).restricted(np.array([True, False]))
    assert not part.heads.flags.writeable
    assert not part.dependents.flags.writeable


@pytest.mark.parametrize("array", ["heads", "dependents"])
def test_graph_arrays_are_read_only(array: str) -> None:
    graph = Graph(2, [(0, 1, "a"), (1, 2, "b")])
    with pytest.raises(ValueError, match="read-only"):
        getattr(graph, array)[0] = 2


def test_graph_equality_ignores_the_order_of_relations() -> None:
    one = Graph(2, [(0, 1, "a"), (0, 1, "b")])
    assert one == Graph(2, [(0, 1, "b"), (0, 1, "a")])
    assert one != Graph(2, [(0, 1, "a")])


def test_graph_equality_looks_at_words_arcs_and_relations() -> None:
    graph = Graph(2, [(0, 1, "a")])
    assert graph == copy.deepcopy(graph)
    assert graph != Graph(3, [(0, 1, "a")])
    assert graph != Graph(2, [(0, 2, "a")])
    assert graph != Graph(2, [(0, 1, "b")])
    assert graph != "Graph(2)"


def test_graph_same_arcs_ignores_relations() -> None:
    graph = Graph(2, [(0, 1, "a")])
    assert graph.same_arcs(Graph(2, [(0, 1, "b")]))
    assert not graph.same_arcs(Graph(2, [(1, 1, "a")]))
    assert not graph.same_arcs(Graph(3, [(0, 1, "a")]))


def test_graph_is_not_hashable() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Graph(1))


@pytest.mark.parametrize("arc", [(3, 1), (1, 3), (-1, 1), (1, 0), (0, 0)])
def test_graph_refuses_arcs_outside_the_sentence(arc: tuple[int, int]) -> None:
    head, dependent = arc
    with pytest.raises(InputError, match=f"{head}→{dependent} does not fit a graph of 2 words"):
        Graph(2, [(head, dependent, "x")])
    with pytest.raises(InputError, match="does not fit a graph of 2 words"):
        Graph.from_arrays(2, [head], [dependent])


def test_graph_from_arrays_refuses_what_is_not_a_graph() -> None:
    with pytest.raises(InputError, match="differ in length"):
        Graph.from_arrays(2, [0, 1], [1])
    with pytest.raises(InputError, match="differ in length"):
        Graph.from_arrays(2, [0], [1], [("a",), ("b",)])
    with pytest.raises(InputError, match="given twice"):
        Graph.from_arrays(2, [0, 0], [1, 1])
    with pytest.raises(InputError, match="no relation"):
        Graph.from_arrays(2, [0], [1], [()])


def test_graph_of_less_than_no_words_is_refused() -> None:
    with pytest.raises(InputError, match="cannot have -1 words"):
        Graph(-1)


def test_graph_an_arc_may_have_any_number_of_relations() -> None:
    Compared.compared = 0
    names = [Compared(f"r{i}") for i in range(3_000)]
    graph = Graph(2, [(1, 2, name) for name in names * 2])
    assert graph.relations == (tuple(names),)
    assert Compared.compared < 10 * len(names)  # each with each would be millions
