"""Arcs that no label proposes are found where they are looked for; and what the scores of a word's heads mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arctag.encodings import encoding as make
from arctag.encodings.label_space import LabelSpace
from arctag.encodings.labels import Arcs
from arctag.graph import Graph
from arctag.layers.answers import Tags
from arctag.layers.base import Question
from arctag.layers.further_arcs import with_tops
from arctag.layers.odds import log_odds, sigmoid, softmax
from arctag.layers.predicted import Predicted
from arctag.layers.trees import TreeLayer

WORDS = 40
TOP = 20
"""The word below the root; it heads all others, most of them from afar."""


def chain(n: int) -> Graph:
    return Graph(n, [(word - 1, word, "dep") for word in range(1, n + 1)])


class Network:
    """Its labels say that each word heads the next one; its arc scorer knows better."""

    def __init__(self, right: set[tuple[int, int]]) -> None:
        self.right, self.asked = right, 0

    def tags(self, layer: str) -> list[Tags]:
        ids = np.zeros((WORDS, 1), np.int64)
        return [Tags(ids, ids, np.ones(WORDS, np.float32))]

    def relations(self, layer: str, heads: Any, dependents: Any) -> Any:
        return np.zeros(len(heads), np.int64), np.ones(len(heads), np.float32)

    def verify(self, layer: str, heads: Any, dependents: Any) -> Any:
        self.asked += len(heads)
        pairs = zip(heads.tolist(), dependents.tolist(), strict=True)
        return np.array([4.0 if pair in self.right else -4.0 for pair in pairs], np.float32)

    def search(self, layer: str, threshold: float) -> Any:
        raise AssertionError("all pairs were scored")


def question(network: Network) -> Question:
    return Question(network, np.array([WORDS], np.int32), [[f"w{i}" for i in range(WORDS)]], 0.5)


def settings(encoding: str) -> dict[str, Any]:
    spaces = (LabelSpace.build(make(encoding).encode_all(Arcs.of([chain(1)]))),)
    return {"encoding": encoding, "spaces": spaces, "relations": (("root",), ("dep",)), "alternatives": 0}


def test_further_arcs_tops_head_words_that_are_far_away() -> None:
    right = {(TOP if word != TOP else 0, word) for word in range(1, WORDS + 1)}
    layer = TreeLayer(name="tree", column="HEAD", nearby=2, **settings("relative"))
    network = Network(right)
    asking = question(network)
    found = layer.conclude(asking, layer.propose(asking), {})
    assert found.heads.tolist() == [TOP if word != TOP else 0 for word in range(1, WORDS + 1)]
    assert network.asked < 12 * WORDS  # the root for each word, 3 tops, 2 words on each side, and the labels


def test_further_arcs_tops_are_the_most_likely_words_of_each_sentence() -> None:
    sizes, none = np.array([2, 0, 3], np.int32), np.zeros(0, np.float32)
    empty, longs = np.zeros(0, np.int32), np.zeros(3, np.int64)
    start = Predicted(sizes, np.zeros(4, np.int64), empty, empty, longs[:0], none, none, none, longs, none, [])
    layer = TreeLayer(name="tree", column="HEAD", **settings("relative"))
    found = with_tops(layer, question(Network({(0, 2), (0, 5)})), start, 1)
    assert list(zip(found.heads.tolist(), found.dependents.tolist(), strict=True)) == [(2, 1), (3, 1), (3, 2)]
    assert found.starts.tolist() == [0, 1, 1, 3]


def test_odds_are_those_of_probabilities() -> None:
    probable = np.array([0.1, 0.5, 0.9], np.float32)
    assert sigmoid(np.array([log_odds(p) for p in probable], np.float32)) == pytest.approx(probable)
    assert log_odds(0) == -np.inf
    assert sigmoid(np.array([log_odds(1)], np.float32))[0] == 1  # and so reachable
    assert sigmoid(np.array([-1e9], np.float32))[0] > 0


def test_odds_of_a_words_heads_add_up_to_one() -> None:
    scores = np.array([1000.0, 999.0, -3.0, 0.0, 0.0], np.float32)
    found = softmax(scores, np.array([0, 2, 3]))
    assert found == pytest.approx([1 / (1 + np.exp(-1)), 1 / (1 + np.e), 1, 0.5, 0.5])
    assert len(softmax(np.zeros(0, np.float32), np.zeros(0, np.int64))) == 0


def test_head_loss_is_the_cross_entropy_of_heads() -> None:
    torch = pytest.importorskip("torch", reason="losses need torch")
    from arctag.backends.torch.losses import head_loss

    scores = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(0), requires_grad=True)
    pairs = torch.ones(2, 3, 4, dtype=torch.bool)
    pairs[1, 2] = False  # a sentence of two words, padded
    pairs[1, :, 3] = False
    heads = [[2, 0, 1], [0, 1]]
    cells = torch.tensor([(s * 3 + d) * 4 + h for s, some in enumerate(heads) for d, h in enumerate(some)])
    loss = head_loss(scores, pairs, cells, 5)
    allowed = scores[0], scores[1, :2, :3]
    wanted = [
        torch.nn.functional.cross_entropy(some, torch.tensor(of), reduction="sum").item()
        for some, of in zip(allowed, heads, strict=True)
    ]
    assert loss.item() == pytest.approx(sum(wanted) / 5)
    loss.backward()  # type: ignore[no-untyped-call]
    assert torch.isfinite(scores.grad).all()
    assert scores.grad[1, 2].abs().sum() == 0
