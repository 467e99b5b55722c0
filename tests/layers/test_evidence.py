"""Evidence for arcs, counted by hand and beside a slow count; what weights make of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arctag.errors import InputError
from arctag.layers.evidence import OF_GRAPHS, OF_TREES, of_graph, of_tree, scorer_alone
from arctag.layers.predicted import Predicted, Proposal
from tests.parsing.test_proposals import CHAIN, OTHER, STAR, Made, config, pairs_of, run, tags


def predicted(scores: list[float], proposals: list[Proposal]) -> Predicted:
    """Two sentences: 0→1, 2→1, 1→2 and 0→1."""
    floats = np.array(scores, np.float32)
    return Predicted(
        np.array([2, 1], np.int32), np.array([0, 3, 4]), np.array([0, 2, 1, 0], np.int32),
        np.array([1, 1, 2, 1], np.int32), np.zeros(4, np.int64), floats, floats, floats, np.zeros(2, np.int64),
        np.zeros(2, np.float32), [], proposals=proposals,
    )  # fmt: skip


PROPOSAL = Proposal(
    words=np.array([0, 1, 2, 0, 0]), heads=np.array([0, 1, 0, 2, 2], np.int32), best=3,
    probability=np.array([1.0, 0.5, 0.25], np.float32),
)  # fmt: skip


def columns(names: tuple[str, ...], evidence: np.ndarray) -> dict[str, list[float]]:
    return {name: evidence[:, i].tolist() for i, name in enumerate(names)}


def test_evidence_of_trees_counts_label_sequences() -> None:
    found = columns(OF_TREES, of_tree(predicted([1, 2, 3, 4], [PROPOSAL])))
    assert found["score"] == [1, 2, 3, 4]
    assert np.expm1(found["sequences"]) == pytest.approx([1, 2, 1, 1])
    assert found["best"] == [1, 0, 1, 1]
    assert np.exp(found["best, dependent's label"]) == pytest.approx([1, 1, 0.5, 0.25])
    assert np.exp(found["best, head's label"]) == pytest.approx([1, 1, 1, 1])


def test_evidence_of_graphs_compares_the_arcs_of_a_word() -> None:
    named = np.array([0.95, 0.5, 1e-12, 1], np.float32)
    found = columns(OF_GRAPHS, of_graph(predicted([1, 2, -99, 0], [PROPOSAL]), named))
    assert found["score"] == [1, 2, -30, 0]
    assert found["first"] == [0, 1, 1, 1]
    assert found["rival"] == [2, 1, -30, -30]
    assert found["rival of first"] == [0, 1, -30, -30]
    assert found["rivals"] == pytest.approx([1 / (1 + np.exp(-2)), 1 / (1 + np.exp(-1)), 0, 0])
    assert found["relation"][:2] == pytest.approx(np.log([0.95, 0.5]))
    assert found["relation"][2] == pytest.approx(np.log(1e-9))
    assert found["certain relation"] == pytest.approx([np.log(0.95), 0, 0, 0])
    assert np.exp(found["head's label"]) == pytest.approx([1, 0.5, 1, 1])
    assert found["constant"] == [1, 1, 1, 1]


def test_evidence_without_labels_is_that_of_the_baseline() -> None:
    found = columns(OF_TREES, of_tree(predicted([1, 2, 3, 4], [])))
    assert found["sequences"] == found["best"] == [0, 0, 0, 0]


def test_evidence_of_no_arcs() -> None:
    nothing = predicted([1, 2, 3, 4], [PROPOSAL]).keep(np.zeros(4, np.bool_))
    assert of_tree(nothing).shape == (0, len(OF_TREES))
    assert of_graph(nothing, np.zeros(0, np.float32)).shape == (0, len(OF_GRAPHS))


def test_evidence_counts_are_those_of_a_slow_count() -> None:
    random = np.random.default_rng(0)
    for _ in range(50):
        sizes = random.integers(0, 5, 4).astype(np.int32)
        pairs = [(s, d, h) for s, n in enumerate(sizes) for d in range(1, n + 1) for h in range(n + 1) if h != d]
        arcs = sorted({pairs[i] for i in random.integers(0, len(pairs), 20)}) if pairs else []
        drawn = [pairs[i] for i in random.integers(0, len(pairs), 30)] if pairs else []
        first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        proposal = Proposal(
            np.array([first[s] + d - 1 for s, d, _ in drawn], np.int64), np.array([h for *_, h in drawn], np.int32),
            min(10, len(drawn)), np.ones(int(sizes.sum()), np.float32),
        )  # fmt: skip
        none = np.zeros(len(arcs), np.float32)
        starts = np.searchsorted([s for s, *_ in arcs], np.arange(5))
        some = Predicted(
            sizes, starts, np.array([h for *_, h in arcs], np.int32), np.array([d for _, d, _ in arcs], np.int32),
            np.zeros(len(arcs), np.int64), none, none, none, np.zeros(4, np.int64), np.zeros(4, np.float32), [],
        )  # fmt: skip
        votes, best = proposal.counted(some)
        assert votes.tolist() == [drawn.count(arc) for arc in arcs]
        assert best.tolist() == [arc in drawn[:10] for arc in arcs]


def test_weights_of_the_scorer_alone_change_no_arc() -> None:
    made = config(["relative"], alternatives=2)
    backend = Made([tags(made, 0, CHAIN, STAR, 0.5)], {(0, 1): 0.9, (1, 2): 0.6, (2, 3): 0.3, (1, 3): 0.7})
    weighed = replace(made, weights=scorer_alone(OF_GRAPHS))
    for threshold in (0.2, 0.5, 0.65):
        assert pairs_of(run(weighed, backend, threshold)) == pairs_of(run(made, backend, threshold))


def test_weights_let_labels_decide_against_the_scorer() -> None:
    made = config(["relative"], alternatives=2)
    backend = Made([tags(made, 0, CHAIN, OTHER, 0.5)], dict.fromkeys([*CHAIN, *OTHER], 0.5))
    labels = replace(made, weights=tuple(8.0 * (name == "best") - 4.0 * (name == "constant") for name in OF_GRAPHS))
    found = run(labels, backend)
    assert pairs_of(found) == CHAIN
    assert found.probabilities == pytest.approx(1 / (1 + np.exp(-4)))


def test_weights_the_baseline_looks_below_its_threshold() -> None:
    made = config([], verify=False)
    backend = Made([], {(0, 1): 0.9, (3, 2): 0.3, (2, 3): 0.01})
    bold = replace(made, weights=tuple(float(name == "score") + 2.0 * (name == "constant") for name in OF_GRAPHS))
    assert pairs_of(run(made, backend)) == [(0, 1)]
    assert pairs_of(run(bold, backend)) == [(0, 1), (3, 2)]


@pytest.mark.parametrize("weights", [(1.0,), (0.0,) * 14])
def test_weights_of_another_number_are_refused(weights: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="weights of evidence"):
        replace(config(["relative"]), weights=weights).check()
