"""The sample treebank holds what demos and tests want of it, and is valid CoNLL-U."""

from __future__ import annotations

import io
from itertools import combinations
from pathlib import Path

import pytest

from arctag.formats import read
from arctag.graph import Graph
from arctag.sentence import Sentence


@pytest.fixture(scope="module")
def sentences(sample: Path) -> list[Sentence]:
    return list(read(sample))


def test_samples_pass_the_validator_of_universal_dependencies(sample: Path) -> None:
    udtools = pytest.importorskip("udtools")
    report = io.StringIO()
    state = udtools.Validator(lang="en", level=5, output=report).validate_files([str(sample)])
    assert state.passed(), report.getvalue()


def test_samples_ids_count_up(sentences: list[Sentence]) -> None:
    assert [s.id for s in sentences] == [f"sample-{i + 1:02}" for i in range(len(sentences))]


def test_samples_sdp_are_sentences_of_the_conllu_file(sentences: list[Sentence], sample_sdp: Path) -> None:
    by_id = {s.id: s for s in sentences}
    for sentence in read(sample_sdp):
        assert sentence.words == by_id[sentence.id].words


def _crossing(a: tuple[int, int], b: tuple[int, int]) -> bool:
    (a1, a2), (b1, b2) = sorted(a), sorted(b)
    return a1 < b1 < a2 < b2 or b1 < a1 < b2 < a2


def _most_mutually_crossing(graph: Graph) -> int:
    """The size of the largest set of arcs that all cross each other: no fewer planes can do."""
    arcs = sorted(graph.arc_set())
    crossings = [pair for pair in combinations(arcs, 2) if _crossing(*pair)]
    if not crossings:
        return 1
    return 3 if any(_crossing(a, c) and _crossing(b, c) for a, b in crossings for c in arcs) else 2


def test_samples_need_one_two_and_three_planes(sentences: list[Sentence]) -> None:
    assert {_most_mutually_crossing(s.graph) for s in sentences} == {1, 2, 3}


def test_samples_have_cycles_reentrancy_and_arcs_with_two_relations(sentences: list[Sentence]) -> None:
    graphs = [s.graph for s in sentences]
    assert sum(graph.cyclic for graph in graphs) >= 5
    assert sum(len(set(graph.dependents.tolist())) < len(graph) for graph in graphs) >= 10
    assert any(len(relations) > 1 for graph in graphs for _, _, relations in graph)


def test_samples_have_empty_nodes_ranges_and_a_single_word(sentences: list[Sentence]) -> None:
    assert sum(s.has_empty for s in sentences) >= 2
    assert sum(len(s.rows) > len(s.node_rows) for s in sentences) >= 2
    assert any(s.words == ["Silence"] for s in sentences)


def test_samples_sdp_has_isolated_and_many_headed_words(sample_sdp: Path) -> None:
    graphs = [s.graph for s in read(sample_sdp)]
    assert any(set(range(1, g.n + 1)) - set(g.heads.tolist()) - set(g.dependents.tolist()) for g in graphs)
    assert any(len(set(g.dependents.tolist())) < len(g) for g in graphs)
