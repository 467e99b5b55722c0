"""Trees are checked, lifted to projective ones, and made of heads that are none."""

from __future__ import annotations

import numpy as np
import pytest

from arctag.encodings import Arcs
from arctag.encodings.trees.base import NO_HEAD, NotATree, as_arcs, tree_heads
from arctag.encodings.trees.lifting import lifted
from arctag.encodings.trees.one_head import leftmost_heads
from arctag.encodings.trees.repair import repaired
from arctag.graph import Graph
from arctag.testing import every_tree
from arctag.testing.random_trees import KINDS, random_trees
from tests.encodings.trees import projective, trees


def ancestors(heads: list[int], word: int) -> list[int]:
    """The words above a word, the nearest first; the root comes last."""
    above = []
    while word:
        word = heads[word - 1]
        above.append(word)
    return above


def lifted_by_definition(heads: list[int]) -> list[int]:
    """Each word to the lowest of its ancestors from which all words in between descend."""
    result = []
    for word in range(1, len(heads) + 1):
        for above in ancestors(heads, word):
            between = range(min(above, word) + 1, max(above, word))
            if all(above in ancestors(heads, other) for other in between):
                result.append(above)
                break
    return result


def lists(arcs: Arcs) -> list[list[int]]:
    return [heads.tolist() for heads in np.split(arcs.heads, np.cumsum(arcs.sizes)[:-1])]


@pytest.mark.parametrize(("n", "count"), [(0, 1), (1, 1), (2, 3), (3, 16), (4, 125), (5, 1296), (6, 16807)])
def test_every_tree_is_there_once(n: int, count: int) -> None:
    arcs = every_tree(n)
    assert len(arcs) == len({tuple(heads) for heads in lists(arcs)}) == count
    if n <= 4:
        assert {tuple(heads) for heads in lists(arcs)} == set(trees(n))


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("n", [0, 1, 2, 7, 40])
def test_random_trees_are_trees(make: object, n: int) -> None:
    random = np.random.default_rng(n)
    for _ in range(20):
        heads = make(random, n)  # type: ignore[operator]
        assert len(heads) == n
        tree_heads(as_arcs(np.array([n], np.int32), np.array(heads, np.int32)))


def test_random_trees_are_of_every_kind() -> None:
    arcs = random_trees(np.random.default_rng(0), 60, 20)
    assert len(arcs) == 60
    kinds = {(projective(tuple(heads)), heads.count(0) > 1) for heads in lists(arcs)}
    assert kinds == {(True, True), (True, False), (False, True), (False, False)}


@pytest.mark.parametrize(
    ("heads", "found"),
    [
        ([(0, 1), (1, 3)], "word 2 has no head"),
        ([(0, 1), (2, 1), (3, 1), (0, 2), (0, 3)], r"word 1 has 3 heads \(0, 2, 3\)"),
        ([(0, 1), (3, 2), (2, 3)], "word 2 is on a cycle"),
        ([(0, 1), (2, 2), (2, 3)], "word 2 is on a cycle"),
        ([(3, 1), (1, 2), (2, 3)], "word 1 is on a cycle"),
    ],
)
def test_what_is_no_tree_is_named(heads: list[tuple[int, int]], found: str) -> None:
    tree, graph = Graph(1, [(0, 1, "_")]), Graph(3, [(head, word, "_") for head, word in heads])
    with pytest.raises(NotATree, match=f"^sentence 3 is no tree: {found}$") as caught:
        tree_heads(Arcs.of([tree, Graph(0), graph, tree]))
    assert caught.value.sentence == 2
    assert str(caught.value.named("weblog-7")).startswith(
        "weblog-7: no tree, and this encoding is for trees only: word"
    )


def test_trees_are_arcs_and_back() -> None:
    arcs = Arcs.of([*every_tree(3).graphs(), Graph(0), *every_tree(2).graphs()])
    again = as_arcs(arcs.sizes, tree_heads(arcs))
    assert [graph.arc_set() for graph in again.graphs()] == [graph.arc_set() for graph in arcs.graphs()]


@pytest.mark.parametrize("n", range(6))
def test_lifting_follows_its_definition_on_every_tree(n: int) -> None:
    arcs = every_tree(n)
    found = lists(as_arcs(arcs.sizes, lifted(arcs.sizes, arcs.heads)))
    assert found == [lifted_by_definition(heads) for heads in lists(arcs)]


def test_lifting_follows_its_definition_on_random_trees() -> None:
    arcs = random_trees(np.random.default_rng(5), 120, 30)
    found = lists(as_arcs(arcs.sizes, lifted(arcs.sizes, arcs.heads)))
    for before, after in zip(lists(arcs), found, strict=True):
        assert after == lifted_by_definition(before)
        assert projective(tuple(after))
        assert after == before or not projective(tuple(before))


def test_lifting_leaves_what_it_is_given() -> None:
    arcs = random_trees(np.random.default_rng(6), 30, 12)
    before = arcs.heads.copy()
    before.flags.writeable = False
    assert np.shares_memory(lifted(arcs.sizes, before), before) is False
    np.testing.assert_array_equal(before, arcs.heads)


@pytest.mark.parametrize(
    ("heads", "wanted", "repairs"),
    [
        ([0, 1, 2], [0, 1, 2], 0),
        ([0, 0, 2], [0, 0, 2], 0),
        ([2, 0, NO_HEAD], [2, 0, 2], 1),  # below the first word that is below the root
        ([NO_HEAD, NO_HEAD], [0, 1], 2),  # none is: the first word without a head
        ([2, NO_HEAD, 2], [2, 0, 2], 1),
        ([2, 1], [0, 1], 1),  # every word has a head: the first word
        ([2, 3, 1, 0], [4, 3, 1, 0], 1),  # the first word of a cycle is attached
        ([0, 3, 2, 5, 4], [0, 1, 2, 1, 4], 2),
        ([4, 3, 2, 0], [4, 4, 2, 0], 1),
        ([1, 0], [2, 0], 1),  # a word is no head of itself
        ([9, 0, -7], [2, 0, 2], 2),
        ([0], [0], 0),
        ([NO_HEAD], [0], 1),
        ([1], [0], 1),
    ],
)
def test_repair_makes_trees(heads: list[int], wanted: list[int], repairs: int) -> None:
    counts = np.zeros(3, dtype=np.int64)
    around = np.array([0, *heads], np.int32)  # a sentence of one word before, none after
    found = repaired(np.array([1, len(heads), 0], np.int32), around, counts)
    assert found.tolist() == [0, *wanted]
    assert counts.tolist() == [0, repairs, 0]
    assert around.tolist() == [0, *heads]


def test_repair_gives_a_tree_whatever_the_heads() -> None:
    random = np.random.default_rng(8)
    sizes = random.integers(0, 9, 400).astype(np.int32)
    heads = random.integers(-2, 11, sizes.sum()).astype(np.int32)
    counts = np.zeros(len(sizes), dtype=np.int64)
    fixed = repaired(sizes, heads, counts)
    tree_heads(as_arcs(sizes, fixed))
    again = np.zeros_like(counts)
    np.testing.assert_array_equal(repaired(sizes, fixed, again), fixed)
    assert not again.any()
    changed = np.add.reduceat(np.append(fixed != heads, False), np.cumsum(sizes) - sizes)
    np.testing.assert_array_equal(np.where(sizes > 0, changed, 0), counts)


def test_one_head_is_the_leftmost_that_is_not_the_word_itself() -> None:
    graph = Graph(4, [(head, word, "_") for head, word in [(0, 1), (3, 1), (2, 2), (1, 3), (3, 3), (4, 3)]])
    repairs = np.zeros(2, dtype=np.int64)
    heads = leftmost_heads(Arcs.of([Graph(1, [(0, 1, "_")]), graph]), repairs)
    assert heads.tolist() == [0, 0, NO_HEAD, 1, NO_HEAD]
    assert repairs.tolist() == [0, 3]
