"""Arcs for graphs that lack what the training data always has: as one would add them by hand, sentence by sentence."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings import Arcs
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError, UnknownName
from arctag.formats import read
from arctag.graph import Graph
from arctag.kernel import kernels_of
from arctag.transforms import completion
from arctag.transforms.completion import completed, held
from arctag.transforms.empty_nodes import TREATMENTS
from arctag.transforms.guarantees import GUARANTEES
from arctag.transforms.spanning_tree import spanning_trees
from tests.steps import assert_linear
from tests.strategies import graphs

Pairs = set[tuple[int, int]]
"""(dependent, head)."""
CHOICES = [names for size in range(len(GUARANTEES) + 1) for names in itertools.combinations(GUARANTEES, size)]


class Case(NamedTuple):
    """A sentence: the arcs that are kept, those that are proposed with their probabilities, and a tree."""

    n: int
    kept: Pairs
    proposed: dict[tuple[int, int], float]
    tree: list[int]


def flat(sizes: list[int], pairs: list[list[tuple[int, int]]]) -> Arcs:
    return Arcs(
        np.array(sizes, dtype=np.int32),
        offsets_of([len(some) for some in pairs]),
        np.array([head for some in pairs for _, head in some], dtype=np.int32),
        np.array([dependent for some in pairs for dependent, _ in some], dtype=np.int32),
    )


def pairs_of(arcs: Arcs, marked: list[bool] | None = None) -> list[Pairs]:
    """The arcs of each sentence, or those that are marked."""
    every = list(zip(arcs.dependents.tolist(), arcs.heads.tolist(), marked or [True] * len(arcs.heads), strict=True))
    return [{(d, h) for d, h, there in every[a:b] if there} for a, b in itertools.pairwise(arcs.starts.tolist())]


def complete(cases: list[Case], with_tree: bool, names: Collection[str]) -> list[tuple[Pairs, Pairs]]:
    """For each sentence, the proposed arcs that are to be kept besides, and others."""
    sizes = [case.n for case in cases]
    kept = flat(sizes, [sorted(case.kept) for case in cases])
    proposed = flat(sizes, [sorted(case.proposed) for case in cases])
    probabilities = [case.proposed[pair] for case in cases for pair in sorted(case.proposed)]
    heads = np.array([head for case in cases for head in case.tree], dtype=np.int32) if with_tree else None
    found = completed(kept, proposed, probabilities, heads, names)
    assert found.extra.sizes.tolist() == sizes
    order = list(zip(found.extra.dependents.tolist(), found.extra.heads.tolist(), strict=True))
    for a, b in itertools.pairwise(found.extra.starts.tolist()):
        assert order[a:b] == sorted(set(order[a:b]))
    return list(zip(pairs_of(proposed, found.kept.tolist()), pairs_of(found.extra), strict=True))


def reached(pairs: Pairs) -> set[int]:
    found = {0}
    while new := {dependent for dependent, head in pairs if head in found} - found:
        found |= new
    return found - {0}


def best_tree(case: Case) -> list[int]:
    proposed = flat([case.n], [sorted(case.proposed)])
    scores = [np.log(max(case.proposed[pair], 1e-30)) for pair in sorted(case.proposed)]
    return [int(head) for head in spanning_trees(proposed, scores).heads]


def added_by_hand(case: Case, with_tree: bool, names: Collection[str]) -> Pairs:
    """One sentence, one rule after another."""
    if not case.n or not set(names) - {"acyclic"}:
        return set()
    tree = case.tree if with_tree else best_tree(case)
    pairs = set(case.kept)
    likely = sorted(case.proposed, key=lambda pair: (-case.proposed[pair], pair))
    if all(head for _, head in pairs):
        tops = [dependent for dependent, head in likely if head == 0]
        pairs.add((tops[0] if tops and not with_tree else tree.index(0) + 1, 0))
    if {"attached", "connected"} & set(names):
        for word in set(range(1, case.n + 1)) - {dependent for dependent, _ in pairs}:
            pairs.add((word, tree[word - 1]))
    if "connected" in names:
        for word in sorted(range(1, case.n + 1), key=lambda word: depth(word, tree)):
            if word not in reached(pairs):
                pairs.add((word, tree[word - 1]))
    return pairs - case.kept


def depth(word: int, tree: list[int]) -> int:
    return 1 + depth(tree[word - 1], tree) if word else 0


@st.composite
def cases(draw: st.DrawFn, most: int = 6) -> Case:
    n = draw(st.integers(0, most))
    if not n:
        return Case(0, set(), {}, [])
    pairs = st.tuples(st.integers(1, n), st.integers(0, n))
    proposed = draw(st.dictionaries(pairs, st.sampled_from([0.0, 0.1, 0.4, 0.6, 0.9]), max_size=2 * n))
    other = draw(st.sets(pairs, max_size=n))
    kept = {pair for pair, probability in proposed.items() if probability > 0.5} | other
    order = draw(st.permutations(range(1, n + 1)))
    heads = {word: draw(st.sampled_from(order[:i])) if i else 0 for i, word in enumerate(order)}
    return Case(n, kept, proposed, [heads[word] for word in range(1, n + 1)])


@given(st.lists(cases(), max_size=4), st.booleans(), st.sampled_from(CHOICES))
def test_completed_adds_what_one_would_add_by_hand(
    sentences: list[Case], with_tree: bool, names: tuple[str, ...]
) -> None:
    for case, (besides, extra) in zip(sentences, complete(sentences, with_tree, names), strict=True):
        assert besides <= set(case.proposed)
        assert not extra & set(case.proposed)
        assert besides | extra == added_by_hand(case, with_tree, names)


@given(st.lists(cases(), min_size=1, max_size=4), st.booleans(), st.sampled_from(CHOICES))
def test_completed_graphs_hold_and_need_nothing_more(
    sentences: list[Case], with_tree: bool, names: tuple[str, ...]
) -> None:
    results = complete(sentences, with_tree, names)
    grown = [
        case._replace(kept=case.kept | besides | extra)
        for case, (besides, extra) in zip(sentences, results, strict=True)
    ]
    assert complete(grown, with_tree, names) == [(set(), set())] * len(grown)
    if any(case.n for case in grown):
        arcs = flat([case.n for case in grown], [sorted(case.kept) for case in grown])
        assert set(names) - {"acyclic"} <= set(held(arcs))


EXAMPLES: dict[str, tuple[Case, bool, str, tuple[Pairs, Pairs]]] = {
    "nothing is missing": (
        Case(2, {(1, 0), (2, 1)}, {(1, 0): 0.9, (2, 1): 0.8, (2, 0): 0.4}, [2, 0]), True, "connected", (set(), set()),
    ),
    "the tree's arc before a more probable one": (
        Case(3, {(1, 0)}, {(2, 0): 0.1, (2, 3): 0.3, (3, 2): 0.4, (3, 1): 0.3}, [0, 1, 1]), True, "attached",
        ({(3, 1)}, {(2, 1)}),
    ),
    "the tree's arc": (Case(3, {(1, 0)}, {(3, 1): 0.1}, [0, 3, 1]), True, "attached", ({(3, 1)}, {(2, 3)})),
    "no proposal and no tree": (Case(3, {(3, 0)}, {(3, 0): 0.9}, []), False, "attached", (set(), {(1, 3), (2, 3)})),
    "the tree's top": (Case(2, {(2, 1)}, {(1, 0): 0.4}, [2, 0]), True, "top", (set(), {(2, 0)})),
    "the most probable top": (Case(2, set(), {(1, 0): 0.3, (2, 0): 0.4}, []), False, "top", ({(2, 0)}, set())),
    "a top that nobody proposed": (Case(2, {(1, 2)}, {(1, 2): 0.9}, []), False, "top", (set(), {(2, 0)})),
    "a cycle is entered where the tree enters it": (
        Case(3, {(1, 0), (2, 3), (3, 2)}, {}, [0, 3, 1]), True, "connected", (set(), {(3, 1)}),
    ),
    "self-loops are not proposals": (Case(2, {(1, 0)}, {(2, 2): 0.4}, [0, 1]), True, "attached", (set(), {(2, 1)})),
    "cycles stay": (Case(2, {(1, 2), (2, 1)}, {}, [0, 1]), True, "acyclic", (set(), set())),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_completed_by_hand(name: str) -> None:
    case, with_tree, guarantee, wanted = EXAMPLES[name]
    other = Case(2, {(2, 0)}, {(1, 2): 0.3}, [2, 0])
    assert complete([other, case, Case(0, set(), {}, []), other], with_tree, (guarantee,))[1] == wanted


@pytest.mark.parametrize(
    ("probabilities", "tree", "sizes", "words"),
    [
        ([0.1, 0.2], None, [2], "2 probabilities for 1 proposed arcs"),
        ([0.1], [0], [2], "1 heads of a tree for 2 words"),
        ([0.1], [0, 3], [2], "not a word of its sentence"),
        ([0.1], [2, 1], [2], "heads of sentence 1 are not a tree"),
        ([0.1], None, [1, 1], "not of the same sentences"),
    ],
)
def test_completed_wants_arrays_that_fit(
    probabilities: list[float], tree: list[int] | None, sizes: list[int], words: str
) -> None:
    kept, proposed = flat(sizes, [[]] * len(sizes)), flat([2], [[(1, 0)]])
    heads = None if tree is None else np.array(tree, dtype=np.int32)
    with pytest.raises(InputError, match=words):
        completed(kept, proposed, probabilities, heads, ("top",))


def test_completed_names_the_sentence_without_a_tree() -> None:
    none, heads = flat([1, 0, 2], [[], [], []]), np.array([0, 0, 2], dtype=np.int32)
    with pytest.raises(InputError, match="heads of sentence 3 are not a tree"):
        completed(none, none, [], heads, ("connected",))


def test_completed_unknown_guarantee() -> None:
    with pytest.raises(UnknownName, match="Known: acyclic, attached, connected, top"):
        completed(flat([], []), flat([], []), [], None, ("projective",))


@given(st.lists(graphs(), min_size=1, max_size=4))
def test_held_is_what_every_graph_keeps(some: list[Graph]) -> None:
    wanted = set(GUARANTEES)
    for graph in some:
        pairs = {(arc.dependent, arc.head) for arc in graph}
        wanted -= {"attached"} if len({dependent for dependent, _ in pairs}) < graph.n else set()
        wanted -= {"top"} if all(head for _, head in pairs) else set()
        wanted -= {"connected"} if len(reached(pairs)) < graph.n else set()
        wanted -= {"acyclic"} if graph.cyclic else set()
    assert set(held(Arcs.of([*some, Graph(0)]))) == wanted


def test_held_by_nothing() -> None:
    assert held(Arcs.of([])) == held(Arcs.of([Graph(0)])) == ()


@pytest.mark.parametrize(
    ("file", "treatment", "names"),
    [
        ("en_ewt/dev.conllu", "keep", ("attached", "top", "connected")),
        ("en_ewt/dev.conllu", "collapse", ("attached", "top", "connected")),
        ("en_ewt/dev.conllu", "drop", ("top",)),
        ("deep_sequoia/dev.sdp", "keep", ("top",)),
        ("ewt_propbank/dev.sdp", "keep", ()),
    ],
)
def test_held_by_treebanks(file: str, treatment: str, names: tuple[str, ...], shared: Path) -> None:
    treat = TREATMENTS[treatment]
    assert held(Arcs.of(treat(sentence).graph for sentence in read(shared / "data" / file))) == names


def star(n: int) -> tuple[Pairs, list[int]]:
    return {(word, word % n + 1) for word in range(1, n + 1)}, [0, *[1] * (n - 1)]


def chain(n: int) -> tuple[Pairs, list[int]]:
    return {(word, word ^ 1) for word in range(2, n - 1)}, list(range(n))


@pytest.mark.parametrize("shape", [star, chain])
def test_completed_large_graphs_are_little_work(
    shape: Callable[[int], tuple[Pairs, list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for compiled in kernels_of(completion):
        monkeypatch.setattr(completion, compiled.__name__, compiled.py_func)

    def make(n: int) -> Callable[[], object]:
        pairs, tree = shape(n)
        kept, heads = flat([n], [sorted(pairs)]), np.array(tree, dtype=np.int32)
        return lambda: completed(kept, kept, [0.5] * len(pairs), heads, ("connected",))

    assert_linear(make, 200)
