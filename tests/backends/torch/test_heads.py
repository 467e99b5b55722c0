"""Heads: shapes, and that given arcs are scored as all pairs are."""

from __future__ import annotations

import pytest
import torch

from arctag.backends.inputs.layout import layout
from arctag.backends.torch.backend import to_device
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.backends.torch.heads.arcs import ArcScorer
from arctag.backends.torch.heads.layers import of_words
from arctag.backends.torch.heads.relations import RelationHead
from arctag.backends.torch.heads.tags import TagHead
from arctag.backends.torch.layers import pad, unpad

pytestmark = pytest.mark.usefixtures("one_thread")

SIZES = [3, 1, 4]
HEADS = {name: kind.load_class() for name, kind in RELATION_HEADS.items() if not kind.load_class().by_word}


@pytest.fixture
def nodes() -> torch.Tensor:
    torch.manual_seed(0)
    return torch.randn(1 + sum(SIZES), 6)


def test_heads_in_the_table_are_relation_heads() -> None:
    assert all(issubclass(kind.load_class(), RelationHead) for kind in RELATION_HEADS.values())
    assert set(HEADS) == {"product", "biaffine", "concat"}


def test_heads_tag_head_gives_scores_for_each_group(nodes: torch.Tensor) -> None:
    groups = TagHead(6, (2, 5, 3), hidden=4, dropout=0.1)(nodes[1:])
    assert [tuple(group.shape) for group in groups] == [(8, 2), (8, 5), (8, 3)]


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("arcs", [0, 1, 5])
def test_heads_relations_have_a_score_for_each_arc(nodes: torch.Tensor, name: str, arcs: int) -> None:
    head = HEADS[name](6, 7, 4, 0.1)
    heads, dependents = torch.arange(arcs) % 3, torch.arange(arcs) % 8 + 1
    assert head(nodes, heads, dependents).shape == (arcs, 7)


@pytest.mark.parametrize("name", HEADS)
def test_heads_relations_of_an_arc_do_not_depend_on_others(nodes: torch.Tensor, name: str) -> None:
    head = HEADS[name](6, 7, 4, 0.1).eval()
    heads, dependents = torch.tensor([0, 2, 3, 8]), torch.tensor([1, 1, 2, 5])
    together = head(nodes, heads, dependents)
    for i in range(4):
        assert torch.allclose(head(nodes, heads[i : i + 1], dependents[i : i + 1])[0], together[i], atol=1e-5)


@pytest.mark.parametrize("name", HEADS)
def test_heads_relations_tell_head_from_dependent(nodes: torch.Tensor, name: str) -> None:
    head = HEADS[name](6, 7, 4, 0.0)
    there, back = head(nodes, torch.tensor([2, 3]), torch.tensor([3, 2]))
    assert not torch.allclose(there, back)


@pytest.mark.parametrize("name", [*HEADS, "arcs"])
def test_heads_score_arcs_in_parsing_as_in_training(nodes: torch.Tensor, name: str) -> None:
    head = (ArcScorer(6, 4, 0.1) if name == "arcs" else HEADS[name](6, 7, 4, 0.1)).eval()
    heads, dependents = torch.tensor([0, 2, 2, 8, 0]), torch.tensor([1, 1, 5, 5, 8])
    learning = head(nodes.clone().requires_grad_(), heads, dependents)
    assert torch.allclose(head(nodes, heads, dependents), learning, atol=1e-6)


def test_heads_words_that_nobody_asks_for_are_not_multiplied(nodes: torch.Tensor) -> None:
    seen = []

    def layer(words: torch.Tensor) -> torch.Tensor:
        seen.append(len(words))
        return 2 * words

    numbers = torch.tensor([5, 2, 5, 0])
    assert of_words(layer, nodes, numbers).equal(2 * nodes[numbers])
    assert of_words(layer, nodes.clone().requires_grad_(), numbers).equal(2 * nodes[numbers])
    assert seen == [3, len(nodes)]


def test_heads_arc_scorer_of_given_arcs_equals_all_pairs(nodes: torch.Tensor) -> None:
    scorer = ArcScorer(6, 5, 0.1).eval()
    inputs = to_device(layout(SIZES), torch.device("cpu"))
    scores, mask = scorer.all_pairs(nodes, inputs)
    assert scores.shape == mask.shape == (3, 4, 5)
    assert int(mask.sum()) == sum(n * (n + 1) for n in SIZES)
    first = 0
    for sentence, n in enumerate(SIZES):
        for dependent in range(1, n + 1):
            for head in range(n + 1):
                node = torch.tensor([head + first if head else 0])
                alone = scorer(nodes, node, torch.tensor([dependent + first]))
                assert torch.allclose(alone[0], scores[sentence, dependent - 1, head], atol=1e-5)
                assert mask[sentence, dependent - 1, head]
        first += n


def test_heads_padding_there_and_back(nodes: torch.Tensor) -> None:
    inputs = to_device(layout(SIZES), torch.device("cpu"))
    padded = pad(nodes[1:], inputs)
    assert padded.shape == (3, 4, 6)
    assert not padded[1, 1:].any()
    assert torch.equal(unpad(padded, inputs), nodes[1:])
