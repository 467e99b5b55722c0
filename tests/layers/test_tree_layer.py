"""`TreeLayer`: whatever a network answers, a tree with one root comes out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import read
from arctag.errors import InputError
from arctag.layers import Output, Question, Selection
from arctag.layers.answers import Tags
from arctag.layers.settings import GraphTraining
from arctag.layers.trees import TreeLayer
from arctag.sentence import Sentence
from arctag.transforms import drop
from tests.places import SAMPLES

SETTINGS: dict[str, Any] = {"relation_head": "product", "relation_hidden": 8, "arc_scorer": True, "nearby": 0}
GOLD = [drop(sentence) for sentence in read(SAMPLES / "sample.conllu")]


def learned(**changes: Any) -> TreeLayer:
    settings = GraphTraining(**{"encoding": "relative", "lexical": "none", **SETTINGS, **changes})
    return TreeLayer.learn("tree", "HEAD", GOLD, settings)[0]


LAYERS = {
    "verified": learned(),
    "nearby": learned(nearby=2),
    "plain": learned(verify=False, arc_scorer=False),
    "bits4": learned(encoding="bits4-2", verify=False, arc_scorer=False),
    "union": learned(encoding="bits6-2,brackets-2"),
    "baseline": learned(encoding="biaffine", verify=False),
    "baseline that verifies": learned(encoding="biaffine"),  # nothing: all pairs are scored
}


@dataclass
class Random:
    """A network that answers at random, or the same whatever the question."""

    layer: TreeLayer
    words: int
    seed: int
    even: bool
    asked: set[str] = field(default_factory=set)

    def _probable(self, count: int) -> Any:
        if self.even:
            return np.full(count, 0.5, np.float32)
        return np.random.default_rng(self.seed).choice([0.0, 1e-30, 0.3, 0.9, 1.0], count).astype(np.float32)

    def _scores(self, count: int) -> Any:
        if self.even:
            return np.zeros(count, np.float32)
        return np.random.default_rng(self.seed).choice([-200.0, -3.0, 0.0, 3.0, 200.0], count).astype(np.float32)

    def tags(self, layer: str) -> list[Tags]:
        self.asked.add(layer)
        random = np.random.default_rng(self.seed)
        labels = [
            np.stack([random.integers(0, size, self.words) for size in sizes], axis=1) for sizes in self.layer.sizes
        ]
        return [Tags(best, best[::-1].copy(), self._probable(self.words)) for best in labels]

    def relations(self, layer: str, heads: Any, dependents: Any) -> Any:
        self.asked.add(layer)
        numbers = np.random.default_rng(self.seed).integers(0, len(self.layer.relations), len(heads))
        return numbers, self._probable(len(heads))

    def verify(self, layer: str, heads: Any, dependents: Any) -> Any:
        self.asked.add(layer)
        return self._scores(len(heads))

    def search(self, layer: str, threshold: float) -> Any:
        self.asked.add(layer)
        random = np.random.default_rng(self.seed)
        dependents = np.flatnonzero(random.random(self.words) < 0.7) + 1
        return np.zeros(len(dependents), np.int64), dependents, self._scores(len(dependents))


@given(
    st.sampled_from(sorted(LAYERS)), st.lists(st.integers(0, 9), min_size=1, max_size=5), st.integers(0, 10**6),
    st.booleans(),
)  # fmt: skip
def test_tree_layer_gives_trees_whatever_the_answers(name: str, sizes: list[int], seed: int, even: bool) -> None:
    layer = LAYERS[name]
    words = [[f"w{i}" for i in range(size)] for size in sizes]
    network = Random(layer, sum(sizes), seed, even)
    question = Question(network, np.array(sizes, np.int32), words)
    found = layer.conclude(question, layer.propose(question), {})
    assert network.asked <= {"tree"}
    sentences = layer.write([Sentence.from_words(some) for some in words], found, Output())
    for sentence, given_words in zip(sentences, words, strict=True):
        assert sentence.words == given_words
        heads = [0, *map(int, sentence.column(6))]
        assert heads[1:].count(0) == (1 if given_words else 0)
        assert [head == 0 for head in heads[1:]] == [relation == "root" for relation in sentence.column(7)]
        for word in range(1, len(heads)):
            steps = 0
            while word:
                word, steps = heads[word], steps + 1
                assert steps <= len(given_words)


@pytest.mark.parametrize("name", LAYERS)
def test_tree_layer_finds_the_trees_that_the_network_is_sure_of(name: str) -> None:
    """Labels, probabilities and relations of gold give gold."""
    layer = LAYERS[name]
    targets = layer.targets(GOLD)
    sizes = np.array([sentence.size for sentence in GOLD])
    selection = Selection.of(range(len(GOLD)), np.concatenate([[0], np.cumsum(sizes)]))
    batch = targets.batch(selection)
    right = {
        (h, d): r
        for h, d, r in zip(*(batch[key].tolist() for key in ("heads", "dependents", "relations")), strict=True)
    }

    class Gold(Random):
        def tags(self, layer: str) -> list[Tags]:
            sure = np.full(self.words, 0.99, np.float32)
            return [Tags(ids, ids, sure) for ids in targets.tags]

        def relations(self, layer: str, heads: Any, dependents: Any) -> Any:
            pairs = zip(heads.tolist(), dependents.tolist(), strict=True)
            return np.array([right.get(pair, 0) for pair in pairs]), np.ones(len(heads), np.float32)

        def verify(self, layer: str, heads: Any, dependents: Any) -> Any:
            pairs = zip(heads.tolist(), dependents.tolist(), strict=True)
            return np.array([3.0 if pair in right else -3.0 for pair in pairs], np.float32)

        def search(self, layer: str, threshold: float) -> Any:
            pairs = sorted((d, h) for h, d in right)
            heads, dependents = np.array([h for _, h in pairs]), np.array([d for d, _ in pairs])
            return heads, dependents, np.full(len(pairs), 3.0, np.float32)

    question = Question(Gold(layer, int(sizes.sum()), 0, False), sizes.astype(np.int32), [s.words for s in GOLD])
    found = layer.conclude(question, layer.propose(question), {})
    blank = [Sentence.from_words(list(sentence.words)) for sentence in GOLD]
    for sentence, gold in zip(layer.write(blank, found, Output()), GOLD, strict=True):
        assert (sentence.column(6), sentence.column(7)) == (gold.column(6), gold.column(7))
    scores = layer.outcome(layer.counts(targets, selection, found), len(GOLD)).scores
    assert (scores["LAS"], scores["UAS"]) == (100.0, 100.0)
    wrong = found.heads.copy()
    wrong[:64] += 1
    found.heads = wrong
    scores = layer.outcome(layer.counts(targets, selection, found), len(GOLD)).scores
    assert (scores["LAS"], scores["UAS"]) == (75.0, 75.0)  # of 256 words


def test_tree_layer_needs_a_head_for_every_word(tmp_path: Path) -> None:
    rows = [list(row) for row in GOLD[1].rows]
    rows[2][6] = "_"
    broken = GOLD[1].replace(rows=rows)
    with pytest.raises(InputError, match=r"sample-02: found HEAD '_'; to learn trees every word needs one"):
        TreeLayer.learn("tree", "HEAD", [GOLD[0], broken], GraphTraining(encoding="relative", **SETTINGS))
