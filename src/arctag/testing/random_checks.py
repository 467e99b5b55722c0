"""Checks on random graphs, labels and texts, generated and shrunk by hypothesis."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arctag.encodings.base import Encoding
from arctag.encodings.labels import Arcs, Labels
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing.compare import expect_round_trip, expect_valid, fail, same_arcs
from arctag.testing.graphs import random_graph
from arctag.testing.random_trees import random_tree, tree

_LIMITS = (-(2**31), -(2**31) - 1, -1, 2**31 - 1, 2**31, 2**70)


def sparse_graphs(longest: int = 40) -> st.SearchStrategy[Graph]:
    """Graphs with about two arcs a word, cycles and self-loops included; they shrink well."""
    return st.integers(0, longest).flatmap(_sparse_graph)


def _sparse_graph(n: int) -> st.SearchStrategy[Graph]:
    if n == 0:
        return st.just(Graph(0))
    arc = st.tuples(st.integers(0, n), st.integers(1, n), st.just("_"))
    return st.builds(Graph, st.just(n), st.lists(arc, max_size=2 * n))


def dense_graphs(longest: int = 40) -> st.SearchStrategy[Graph]:
    """Graphs with up to every possible arc, from a seed: hundreds of arcs drawn one by one take too long."""

    def make(n: int, density: float, seed: int) -> Graph:
        return random_graph(np.random.default_rng(seed), n, density, loops=seed % 2 == 0)

    return st.builds(make, st.integers(0, longest), st.sampled_from([0.1, 0.3, 0.7, 1.0]), st.integers(0, 9999))


def grown_trees(longest: int = 12) -> st.SearchStrategy[Graph]:
    """Trees whose words, in any order, each go below an earlier one or the root; they shrink well."""
    return st.integers(0, longest).flatmap(_grown_tree)


def _grown_tree(n: int) -> st.SearchStrategy[Graph]:
    def make(order: list[int], choices: tuple[int, ...]) -> Graph:
        heads = dict(zip(order, ([0, *order][choice] for choice in choices), strict=True))
        return tree([heads[word] for word in range(1, n + 1)])

    return st.builds(make, st.permutations(range(1, n + 1)), st.tuples(*(st.integers(0, i) for i in range(n))))


def large_trees(longest: int = 60) -> st.SearchStrategy[Graph]:
    """Trees of every kind, from a seed."""

    def make(n: int, seed: int) -> Graph:
        return random_tree(np.random.default_rng(seed), n)

    return st.builds(make, st.integers(0, longest), st.integers(0, 9999))


def batches(trees: bool = False) -> st.SearchStrategy[list[Graph]]:
    """A few graphs, or trees, of mixed sizes, perhaps none."""
    graphs = st.one_of(grown_trees(), large_trees()) if trees else st.one_of(sparse_graphs(), dense_graphs())
    return st.lists(graphs, max_size=4)


def label_rows() -> st.SearchStrategy[list[tuple[int, ...]]]:
    """Rows of any width with any numbers: empty ones, negative numbers, numbers no array holds."""
    value = st.one_of(st.integers(0, 3), st.integers(-3, 70), st.sampled_from(_LIMITS))
    return st.lists(st.lists(value, max_size=16).map(tuple), max_size=12)


def _run(examples: int, strategy: st.SearchStrategy[object], test: Callable[..., None]) -> None:
    """Try a test on random examples; the time of one is not looked at, since kernels compile when first called."""
    limits = settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    limits(given(strategy)(test))()


def check_random_graphs(encoding: Encoding, examples: int = 25) -> None:
    """Batches of mixed sizes, sparse and dense: what `covers` says comes back, and nothing else."""

    def test(graphs: list[Graph]) -> None:
        expect_round_trip(encoding, Arcs.of(graphs))

    _run(examples, batches(encoding.trees_only), test)


def check_any_labels(encoding: Encoding, examples: int = 25) -> None:
    """Whatever the rows hold, decoding gives valid graphs, or trees, and the same ones at every call."""

    def test(sentences: list[list[tuple[int, ...]]]) -> None:
        rows = [row for sentence in sentences for row in sentence]
        _expect_decodes(encoding, Labels.from_rows(rows, [len(sentence) for sentence in sentences]))

    _run(examples, st.lists(label_rows(), max_size=4), test)


def check_damaged_labels(encoding: Encoding, examples: int = 25) -> None:
    """Good labels with a few changed, swapped, cut or missing values: what a tagger that errs predicts."""

    def test(drawn: tuple[list[Graph], int]) -> None:
        graphs, seed = drawn
        rows = [list(row) for row in encoding.encode_all(Arcs.of(graphs))]
        _damage(rows, np.random.default_rng(seed))
        _expect_decodes(encoding, Labels.from_rows(rows, [graph.n for graph in graphs]))

    _run(examples, st.tuples(batches(encoding.trees_only), st.integers(0, 9999)), test)


def _damage(rows: list[list[int]], random: np.random.Generator) -> None:
    """Spoil about a tenth of the rows, each in one of four ways."""
    for i in np.flatnonzero(random.random(len(rows)) < 0.1).tolist():
        other = int(random.integers(len(rows)))
        way = int(random.integers(4))
        if way == 0:
            rows[i], rows[other] = rows[other], rows[i]
        elif way == 1:
            rows[i] = rows[i][: int(random.integers(len(rows[i]) + 1))]
        elif way == 2:
            rows[i] = rows[i] + rows[other]
        elif rows[i]:
            rows[i] = list(rows[i])  # rows may be shared after a swap
            rows[i][int(random.integers(len(rows[i])))] += int(random.integers(-2, 3))


def _expect_decodes(encoding: Encoding, labels: Labels) -> None:
    try:
        decoded = encoding.decode_all(labels)
    except Exception as error:
        fail(encoding, f"decoding must never raise, but gave {error!r}", labels=labels)
    expect_valid(encoding, labels, decoded)
    again = encoding.decode_all(labels)
    if not same_arcs(decoded.arcs, again.arcs) or not np.array_equal(decoded.repairs, again.repairs):
        fail(encoding, "decoding the same labels again gives something else", labels=labels)


def check_any_text(encoding: Encoding, examples: int = 25) -> None:
    """`parse` reads a text to a row that decodes, or raises `InputError`; nothing else."""

    def test(text: str) -> None:
        try:
            row = encoding.parse(text)
        except InputError:
            return
        except Exception as error:
            fail(encoding, f"`parse` must raise InputError for what it cannot read, not {error!r}", text=text)
        _expect_decodes(encoding, Labels.from_rows([row, row]))

    real = _some_labels(encoding)
    for text in (*real, *(label + "9" * digits for label in real for digits in (1, 20, 5000))):
        test(text)
    pieces = st.one_of(st.sampled_from([*real, "99999999999999999999", "-", ""]), st.text(max_size=3))
    _run(examples, st.lists(pieces, max_size=4).map("".join), test)


def _some_labels(encoding: Encoding) -> list[str]:
    graph = Graph(4, [(1, 3, "_"), (2, 1, "_"), (2, 4, "_"), (0, 2, "_")])
    return sorted({encoding.format(row) for row in encoding.encode(graph)})
