"""From labels to arcs: joined, voted on, verified, named. The network here is made up, no torch needed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from arctag.backends.protocol import Backend, Reading, Tags
from arctag.encodings import Arcs
from arctag.encodings.label_space import LabelSpace
from arctag.graph import Graph
from arctag.layers import Question
from arctag.layers.graphs import GraphLayer
from arctag.layers.odds import log_odds
from arctag.layers.predicted import NULL, Predicted
from arctag.layers.types import Arrays

Pairs = list[tuple[int, int]]
CHAIN: Pairs = [(0, 1), (1, 2), (2, 3)]
STAR: Pairs = [(0, 1), (1, 2), (1, 3)]
OTHER: Pairs = [(0, 2), (2, 1), (2, 3)]


@dataclass
class Made(Backend):
    """A network that gives the labels of chosen graphs, and fixed scores of arcs."""

    tagged: list[Tags]
    arcs: dict[tuple[int, int], float] = field(default_factory=dict)
    relation: int = 0
    asked: Pairs = field(default_factory=list)

    @classmethod
    def load(cls, config: Any, folder: Any, device: Any = None) -> Any:
        raise NotImplementedError

    def save(self, folder: Any) -> None:
        raise NotImplementedError

    def read(self, arrays: Arrays, layers: Collection[str]) -> Any:
        return None

    def join(self, states: Any, lengths: Any) -> Any:
        raise AssertionError("no sentence here is long")

    def tags(self, state: Any, layer: str) -> list[Tags]:
        return self.tagged

    def relations(self, state: Any, layer: str, heads: Any, dependents: Any) -> Any:
        return np.full(len(heads), self.relation), np.full(len(heads), 0.5, np.float32)

    def verify(self, state: Any, layer: str, heads: Any, dependents: Any) -> Any:
        pairs = list(zip(heads.tolist(), dependents.tolist(), strict=True))
        self.asked.extend(pairs)
        return np.array([log_odds(self.arcs.get(pair, 0.5)) for pair in pairs], np.float32)

    def search(self, state: Any, layer: str, threshold: float) -> Any:
        kept = sorted((pair for pair, p in self.arcs.items() if p >= threshold), key=lambda pair: (pair[1], pair[0]))
        scores = np.array([log_odds(self.arcs[pair]) for pair in kept], np.float32)
        return np.array([h for h, _ in kept]), np.array([d for _, d in kept]), scores


def config(names: Sequence[str], **changes: Any) -> GraphLayer:
    made = GraphLayer(
        name="graph", column="DEPS", encoding=",".join(names), spaces=(), relations=(("a",), ("b",), NULL),
        **{"alternatives": 0, **changes},
    )  # fmt: skip
    arcs = Arcs.of(graph(pairs) for pairs in (CHAIN, STAR, OTHER))
    return replace(made, spaces=tuple(LabelSpace.build(e.encode_all(arcs)) for e in made.make_encodings()))


def graph(pairs: Pairs) -> Graph:
    return Graph(3, [(head, dependent, "x") for head, dependent in pairs])


def tags(made: GraphLayer, i: int, best: Pairs, second: Pairs | None = None, probability: float = 0.9) -> Tags:
    """What a network says that believes in one graph, and would else believe in another."""
    chosen, space = made.make_encodings()[i], made.spaces[i]
    first, other = (space.ids(chosen.encode(graph(pairs))) for pairs in (best, second or best))
    return Tags(first, other, np.full(3, probability, np.float32))


def run(made: GraphLayer, backend: Made, threshold: float = 0.5) -> Predicted:
    question = Question(Reading(backend, None), np.array([3], np.int32), [["a", "b", "c"]], threshold)
    return made.conclude(question, made.propose(question), {})


def pairs_of(found: Predicted) -> Pairs:
    return sorted(zip(found.heads.tolist(), found.dependents.tolist(), strict=True))


def test_proposals_plain_labels_are_decoded_and_named() -> None:
    made = config(["relative"], verify=False)
    found = run(made, Made([tags(made, 0, CHAIN)]))
    assert pairs_of(found) == CHAIN
    assert found.relations.tolist() == [0, 0, 0]
    assert np.allclose(found.probabilities, 0.45)
    assert np.allclose(found.scores, np.log(0.9))


def test_proposals_null_relation_removes_the_arc() -> None:
    made = config(["relative"], verify=False)
    assert pairs_of(run(made, Made([tags(made, 0, CHAIN)], relation=2))) == []


def test_proposals_threshold_drops_doubted_arcs_and_only_proposed_ones_are_scored() -> None:
    made = config(["relative"])
    backend = Made([tags(made, 0, CHAIN)], {(0, 1): 0.9, (1, 2): 0.6, (2, 3): 0.1, (1, 3): 1.0})
    assert pairs_of(run(made, backend)) == [(0, 1), (1, 2)]
    assert sorted(backend.asked) == CHAIN
    assert pairs_of(run(made, backend, 0.0)) == CHAIN
    assert pairs_of(run(made, backend, 0.95)) == []


def test_proposals_union_has_the_arcs_of_every_encoding() -> None:
    made = config(["relative", "brackets-2"])
    found = run(made, Made([tags(made, 0, CHAIN), tags(made, 1, STAR)]), 0.0)
    assert pairs_of(found) == sorted({*CHAIN, *STAR})


@pytest.mark.parametrize("verify", [True, False])
def test_proposals_vote_keeps_what_most_encodings_propose(verify: bool) -> None:
    made = config(["relative", "brackets-2", "hierarchical"], combine="vote", verify=verify)
    found = run(made, Made([tags(made, i, pairs) for i, pairs in enumerate((CHAIN, STAR, OTHER))]), 0.0)
    assert pairs_of(found) == [(0, 1), (1, 2), (2, 3)]
    found = run(made, Made([tags(made, i, pairs) for i, pairs in enumerate((CHAIN, STAR, STAR))]), 0.0)
    assert pairs_of(found) == sorted(STAR)


def test_proposals_vote_counts_an_encoding_once() -> None:
    made = replace(config(["relative", "brackets-2", "hierarchical"], combine="vote"), alternatives=4)
    unsure = tags(made, 0, OTHER, probability=0.3)
    found = run(made, Made([unsure, tags(made, 1, CHAIN), tags(made, 2, CHAIN)]), 0.0)
    assert pairs_of(found) == CHAIN


@pytest.mark.parametrize(("probability", "expected"), [(0.99, STAR), (0.5, sorted({*STAR, *CHAIN}))])
def test_proposals_uncertain_words_also_propose_their_second_label(probability: float, expected: Pairs) -> None:
    made = replace(config(["absolute"]), alternatives=2)
    backend = Made([tags(made, 0, STAR, CHAIN, probability)])
    assert pairs_of(run(made, backend, 0.0)) == expected
    plain = replace(made, verify=False)
    assert pairs_of(run(plain, backend, 0.0)) == STAR


def test_proposals_biaffine_takes_what_the_search_finds() -> None:
    made = config([], verify=False)
    backend = Made([], {(0, 1): 0.9, (3, 2): 0.7, (2, 3): 0.4})
    found = run(made, backend)
    assert pairs_of(found) == [(0, 1), (3, 2)]
    assert np.allclose(found.probabilities, [0.45, 0.35])
    assert np.isfinite(found.scores).all()


def test_proposals_repairs_are_those_of_the_best_labels() -> None:
    made = replace(config(["relative"]), alternatives=3)
    rows = ((-9,), (1,))
    made = replace(made, spaces=(LabelSpace(rows),))
    ids = np.array([[0], [1], [0]])
    found = run(made, Made([Tags(ids, ids, np.full(3, 0.2, np.float32))]), 0.0)
    assert found.repairs.tolist() == [2]


def test_proposals_keep_counts_arcs_of_each_sentence() -> None:
    none = np.zeros(4, np.float32)
    found = Predicted(
        np.array([2, 0, 1, 1], np.int32), np.array([0, 2, 2, 2, 4]), np.array([0, 1, 0, 0], np.int32),
        np.array([1, 2, 1, 1], np.int32), np.zeros(4, np.int64), none, none, none, np.zeros(4, np.int64), none, [],
    )  # fmt: skip
    assert found.keep(np.array([False, True, True, False])).starts.tolist() == [0, 1, 1, 1, 2]
