"""The best tree over proposed arcs: a tree whatever is given, and the best of all trees where there are few."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings import Arcs
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.kernel import kernels_of
from arctag.transforms import spanning_tree
from arctag.transforms.spanning_tree import spanning_trees
from tests.steps import assert_linear

Scored = dict[tuple[int, int], float]
"""(dependent, head) → score."""
Proposals = tuple[int, Scored]

INFINITE = (math.nan, math.inf, -math.inf)


def arcs_of(sentences: list[Proposals]) -> tuple[Arcs, list[float]]:
    """The proposals of several sentences as flat arrays."""
    pairs = [pair for _, scored in sentences for pair in sorted(scored)]
    arcs = Arcs(
        np.array([n for n, _ in sentences], dtype=np.int32),
        offsets_of([len(scored) for _, scored in sentences]),
        np.array([head for _, head in pairs], dtype=np.int32),
        np.array([dependent for dependent, _ in pairs], dtype=np.int32),
    )
    return arcs, [scored[pair] for _, scored in sentences for pair in sorted(scored)]


def heads_of(n: int, scored: Scored) -> list[int]:
    return [int(head) for head in spanning_trees(*arcs_of([(n, scored)])).heads]


def is_rooted(heads: tuple[int, ...]) -> bool:
    """Whether every word gets to the root from head to head."""
    for word in range(1, len(heads) + 1):
        for _ in heads:
            word = heads[word - 1] if word else 0
        if word:
            return False
    return True


def forests(n: int, scored: Scored) -> Iterator[tuple[int, ...]]:
    """All ways to give each word a proposed head or the root, without a cycle."""
    choices = [[h for h in range(n + 1) if h == 0 or (h != d and (d, h) in scored)] for d in range(1, n + 1)]
    return filter(is_rooted, itertools.product(*choices))


def worth(heads: tuple[int, ...], scored: Scored) -> tuple[float, ...]:
    """Few words below the root, few root arcs that nobody proposed, few scores of -inf and many of inf, a high sum."""
    found = [scored[pair] for pair in enumerate(heads, 1) if pair in scored]
    bad, good = sum(math.isnan(score) or score == -math.inf for score in found), found.count(math.inf)
    finite = math.fsum(score for score in found if math.isfinite(score))
    return -heads.count(0), len(found), good - bad, finite


def joined(heads: tuple[int, ...], scored: Scored) -> list[int]:
    """One word below the root: that with the best proposed root arc, else with the most dependents, else the first."""
    tops = [word for word, head in enumerate(heads, 1) if head == 0]
    proposed = {word: scored[word, 0] for word in tops if (word, 0) in scored}
    top = max(proposed, key=proposed.__getitem__) if proposed else max(tops, key=heads.count)
    return [top if head == 0 and word != top else head for word, head in enumerate(heads, 1)]


def proposals(scores: st.SearchStrategy[float], most: int = 5) -> st.SearchStrategy[Proposals]:
    def of(n: int) -> st.SearchStrategy[Proposals]:
        pairs = st.tuples(st.integers(1, n), st.integers(0, n)) if n else st.nothing()
        return st.tuples(st.just(n), st.dictionaries(pairs, scores, max_size=n * (n + 1)))

    return st.integers(0, most).flatmap(of)


any_score = st.one_of(st.floats(width=32), st.sampled_from(INFINITE))
close = st.integers(-4, 4).map(float)  # many ties
distinct = st.integers(0, 2**20).map(lambda value: math.sqrt(value + 2))  # hardly two sums are equal


@given(st.lists(proposals(any_score, most=9), max_size=4))
def test_spanning_trees_are_trees_whatever_is_given(sentences: list[Proposals]) -> None:
    arcs, scores = arcs_of(sentences)
    trees = spanning_trees(arcs, scores)
    first = offsets_of(arcs.sizes)
    for s, (n, scored) in enumerate(sentences):
        heads = tuple(trees.heads[first[s] : first[s + 1]].tolist())
        assert len(heads) == n
        assert is_rooted(heads)
        assert heads.count(0) == (n > 0)
        for word, (head, arc) in enumerate(zip(heads, trees.arcs[first[s] : first[s + 1]], strict=True), 1):
            if arc >= 0:
                assert arcs.starts[s] <= arc < arcs.starts[s + 1]
                assert (arcs.dependents[arc], arcs.heads[arc]) == (word, head)
            else:
                assert (word, head) not in scored


@given(proposals(st.one_of(close, st.sampled_from(INFINITE))))
def test_spanning_trees_are_as_good_as_the_best_of_all(given: Proposals) -> None:
    n, scored = given
    found = tuple(heads_of(n, scored))
    if not n:
        return
    fewer_tops, proposed, *rest = max(worth(heads, scored) for heads in forests(n, scored))
    below, missing = -fewer_tops, n - proposed
    if below == 1:
        assert worth(found, scored) == (fewer_tops, proposed, *rest)
    assert sum(pair not in scored for pair in enumerate(found, 1)) == below - (below > missing)


@given(proposals(distinct))
def test_spanning_trees_that_do_not_connect_are_joined_at_the_top(given: Proposals) -> None:
    n, scored = given
    if n:
        assert heads_of(n, scored) == joined(max(forests(n, scored), key=lambda heads: worth(heads, scored)), scored)


@pytest.mark.parametrize("seed", range(12))
def test_spanning_trees_of_six_words_with_all_arcs(seed: int) -> None:
    chance = random.Random(seed)
    scored = {(d, h): math.log(chance.random()) for d in range(1, 7) for h in range(7) if h != d}
    best = max(forests(6, scored), key=lambda heads: worth(heads, scored))
    assert heads_of(6, scored) == list(best)


def random_proposals(n: int, count: int, chance: random.Random) -> Scored:
    """Random arcs with whole scores, a chain among them so that a tree exists."""
    scored = {(word, word - 1): float(chance.randrange(1000)) for word in range(1, n + 1)}
    for _ in range(count):
        dependent, head = chance.randrange(1, n + 1), chance.randrange(n + 1)
        if head != dependent:
            scored[dependent, head] = float(chance.randrange(1000))
    return scored


@pytest.mark.parametrize("seed", range(10))
def test_spanning_trees_have_the_scores_of_another_program(seed: int) -> None:
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    chance = random.Random(seed)
    n = chance.randrange(20, 60)
    scored = random_proposals(n, chance.choice([n, 3 * n, n * n // 2]), chance)
    graph = networkx.DiGraph()
    for (dependent, head), score in scored.items():
        graph.add_edge(head, dependent, weight=score if head else score - 1_000_000)
    best = networkx.maximum_spanning_arborescence(graph)
    heads = heads_of(n, scored)
    total = sum(weight for _, _, weight in best.edges(data="weight"))
    assert sum(scored[pair] for pair in enumerate(heads, 1)) - 1_000_000 == total


EXAMPLES: dict[str, tuple[int, Scored, list[int]]] = {
    "best heads": (3, {(1, 2): 2, (1, 0): 1, (2, 0): 3, (3, 1): 1, (3, 2): 5}, [2, 0, 2]),
    "a cycle, entered where least is lost": (2, {(1, 2): 9, (2, 1): 9, (1, 0): 1, (2, 0): 2}, [2, 0]),
    "only one of two tops": (2, {(1, 0): 9, (2, 0): 9, (1, 2): 1, (2, 1): 2}, [0, 1]),
    "one top though it costs all": (2, {(1, 0): 1e30, (2, 0): 1e30, (1, 2): -1e30}, [2, 0]),
    "a cycle within a cycle": (
        3, {(1, 2): 9, (2, 1): 9, (3, 2): 8, (1, 3): 7, (1, 0): 0, (2, 0): 0, (3, 0): 5}, [3, 1, 0],
    ),
    "no arcs": (3, {}, [0, 1, 1]),
    "no arc from the root": (3, {(1, 2): 1, (3, 2): 1}, [2, 0, 2]),
    "two pieces, the more probable top": (4, {(1, 0): 1, (2, 1): 1, (3, 0): 2, (4, 3): 1}, [3, 1, 0, 3]),
    "two pieces, one with a root arc": (4, {(1, 2): 2, (2, 1): 1, (3, 0): -9, (4, 3): 1}, [2, 3, 0, 3]),
    "two pieces without one": (4, {(3, 2): 1, (4, 2): 1}, [2, 0, 2, 2]),
    "self-loops": (2, {(1, 1): 9, (2, 2): 9, (2, 0): 1}, [2, 0]),
    "not a number": (2, {(1, 0): math.nan, (2, 0): -1e30, (1, 2): -1e30, (2, 1): math.inf}, [0, 1]),
    "impossible, but proposed": (2, {(1, 0): 0, (2, 1): -math.inf}, [0, 1]),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_spanning_trees_by_hand(name: str) -> None:
    n, scored, heads = EXAMPLES[name]
    assert heads_of(n, scored) == heads


def test_spanning_trees_say_which_arcs_they_are_made_of() -> None:
    arcs, scores = arcs_of([(2, {(1, 2): 1, (2, 1): 1}), (0, {}), (3, {(1, 0): 5, (2, 0): 1, (2, 1): 1})])
    trees = spanning_trees(arcs, scores)
    assert trees.heads.tolist() == [0, 1, 0, 1, 1]
    assert trees.arcs.tolist() == [-1, 1, 2, 4, -1]


def test_spanning_trees_without_sentences() -> None:
    assert len(spanning_trees(*arcs_of([])).heads) == 0


def test_spanning_trees_want_a_score_for_each_arc() -> None:
    arcs, scores = arcs_of([(1, {(1, 0): 1.0})])
    with pytest.raises(InputError, match="2 scores for 1 arcs"):
        spanning_trees(arcs, [*scores, 0.0])


def nested(n: int) -> Scored:
    """A cycle of two words, which is in a cycle with the third, and so on."""
    scored = {(word, word + 1): -float(word) for word in range(1, n)}
    return {**scored, **{(word, word - 1): 1.0 for word in range(2, n + 1)}, (1, 0): -2.0 * n}


def nested_backwards(n: int) -> Scored:
    return {(n + 1 - d, n + 1 - h if h else 0): score for (d, h), score in nested(n).items()}


def pairs_of_pairs(n: int) -> Scored:
    """Neighbours in cycles, pairs of them in cycles, and so on."""
    scored = {(1, 0): 0.0}
    step = 1
    while step < n:
        for left in range(1, n - step + 1, 2 * step):
            scored[left, left + step] = scored[left + step, left] = -float(step)
        step *= 2
    return {**{(word, word - 1): -2.0 * n for word in range(2, n + 1)}, **scored}


def all_into_one(n: int) -> Scored:
    """A word with every other one as its head, all in one cycle."""
    ring = {(word, word % n + 1): 1.0 for word in range(1, n + 1)}
    return {**{(1, head): -float(head) for head in range(n + 1) if head != 1}, **ring}


def scattered(n: int) -> Scored:
    return random_proposals(n, 3 * n, random.Random(n))


@pytest.mark.parametrize("shape", [nested, nested_backwards, pairs_of_pairs, all_into_one, scattered])
def test_spanning_trees_cycles_of_cycles_are_little_work(
    shape: Callable[[int], Scored], monkeypatch: pytest.MonkeyPatch
) -> None:
    for compiled in kernels_of(spanning_tree):
        monkeypatch.setattr(spanning_tree, compiled.__name__, compiled.py_func)

    def make(n: int) -> Callable[[], object]:
        arcs, scores = arcs_of([(n, shape(n))])
        return lambda: spanning_trees(arcs, scores)

    assert_linear(make, 100)


def test_spanning_trees_of_a_long_sentence() -> None:
    n = 10_000
    for scored in (nested(n), all_into_one(n), scattered(n)):
        heads = heads_of(n, scored)
        assert heads.count(0) == 1
        seen = bytearray(n + 1)
        seen[0] = 1
        for word in range(1, n + 1):
            way = []
            while not seen[word]:
                seen[word] = 1
                way.append(word)
                word = heads[word - 1]
            assert word == 0 or word not in way
