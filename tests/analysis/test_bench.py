"""What `arctag bench` measures with; figures themselves are never looked at."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arctag import drop, read
from arctag.analysis import bench_encodings as bench
from arctag.encodings import Arcs
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing.graphs import graph_at
from tests.conftest import Run


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run everything once: how long it takes is of no interest here."""

    def once(action: object, *_: object) -> float:
        assert callable(action)
        action()
        return 0.5

    monkeypatch.setattr(bench, "best_of", once)


@pytest.fixture(scope="module")
def arcs(sample: Path) -> Arcs:
    return Arcs.of(drop(sentence).graph for sentence in read(sample))


def test_bench_encodings_json_has_the_promised_shape(run: Run, sample: Path, arcs: Arcs) -> None:
    found = json.loads(run("bench", "encodings", sample, "--json").out)
    rate = 2 * int(arcs.sizes.sum())  # at half a second for everything
    assert found["encodings"]["bits6-4"] == {"encode_tokens_per_s": rate, "decode_tokens_per_s": rate}
    assert set(found["machine"]) == {"processor", "cores", "python", "arctag"}
    assert "lengths" not in found


def test_bench_encodings_names_rows_by_the_encodings_own_names(run: Run, sample: Path) -> None:
    found = json.loads(run("bench", "encodings", sample, "--encodings", "B6_4,A", "--json").out)
    assert list(found["encodings"]) == ["bits6-4", "absolute"]


def test_bench_encodings_prints_a_table(run: Run, sample: Path) -> None:
    result = run("bench", "encodings", sample, "--encodings", "relative")
    assert result.text.startswith("encoding\tencode tokens/s\tdecode tokens/s\nrelative\t")


def test_bench_lengths_have_a_figure_for_each_length(arcs: Arcs) -> None:
    found = bench.bench_lengths(arcs, ["hierarchical"], lengths=(5, 50))
    assert set(found["hierarchical"]) == {"5", "50"}
    assert set(found["hierarchical"]["50"]) == {"encode_ns_per_token", "decode_ns_per_token"}


@pytest.mark.parametrize("length", [1, 3, 10, 100, 1000])
def test_bench_join_to_length_keeps_arcs_valid(arcs: Arcs, length: int) -> None:
    joined = bench.join_to_length(arcs, length, tokens=2500)
    assert int(joined.sizes.sum()) >= 2500
    assert joined.sizes.max() <= length
    assert joined.starts[-1] == len(joined.heads)
    for i in range(len(joined)):
        graph = graph_at(joined, i)  # checks that arcs fit and come once
        part = slice(joined.starts[i], joined.starts[i + 1])
        np.testing.assert_array_equal(graph.heads, joined.heads[part])  # and are sorted


def test_bench_join_to_length_joins_neighbours() -> None:
    """Arcs move with their words; root arcs stay at the root."""
    arcs = Arcs.of([Graph(2, [(0, 1, "_"), (1, 2, "_")]), Graph(1, [(0, 1, "_")])])
    joined = bench.join_to_length(arcs, 3, tokens=3)
    assert [graph.arc_set() for graph in joined.graphs()] == [{(0, 1), (1, 2), (0, 3)}]


def test_bench_join_to_length_cuts_long_sentences() -> None:
    arcs = Arcs.of([Graph(4, [(0, 1, "_"), (4, 1, "_"), (1, 2, "_"), (2, 4, "_")])])
    joined = bench.join_to_length(arcs, 2, tokens=2)
    assert [graph.arc_set() for graph in joined.graphs()] == [{(0, 1), (1, 2)}]


def test_bench_join_to_length_refuses_nothing() -> None:
    with pytest.raises(InputError, match="no words"):
        bench.join_to_length(Arcs.of([Graph(0)]), 10)


def test_bench_join_to_length_keeps_trees() -> None:
    arcs = Arcs.of([Graph(4, [(4, 1, "_"), (1, 2, "_"), (1, 3, "_"), (0, 4, "_")])])
    joined = bench.join_to_length(arcs, 3, tokens=3)
    assert [graph.arc_set() for graph in joined.graphs()] == [{(0, 1), (1, 2), (1, 3)}]
