"""Hexatags: what covers what, what labels look like, and what any labels decode to."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctag.encodings import Arcs, Labels, encoding
from arctag.encodings.labels import offsets_of
from arctag.encodings.trees.base import as_arcs, tree_heads
from arctag.encodings.trees.lifting import lifted
from arctag.encodings.trees.unlifting import MOST
from arctag.errors import InputError
from arctag.graph import BoolArray, IntArray
from arctag.testing import every_tree, oracle
from arctag.trace import explain_encoding, trace
from tests.encodings.trees import Heads, graph, projective, trees

ENC = encoding("hexatag")
LONGEST = 6


def tangled_tree(random: np.random.Generator, n: int, reach: int) -> IntArray:
    """A tree whose heads are few words away, in an order that is shuffled a little, so that arcs cross."""
    order = np.argsort(np.arange(n) + random.random(n) * reach) + 1
    heads = np.zeros(n, dtype=np.int32)
    for i in range(1, n):
        heads[order[i] - 1] = order[i - random.integers(1, min(i, reach) + 1)]
    return heads


def tangled_trees(seed: int, count: int, longest: int) -> Arcs:
    random = np.random.default_rng(seed)
    sizes = random.integers(0, longest + 1, count).astype(np.int32)
    found = [tangled_tree(random, int(n), int(random.integers(1, 6))) for n in sizes]
    return as_arcs(sizes, np.concatenate(found))


def check(labels: Labels) -> None:
    """Decoding gives a tree, and heads and repairs are those of the trace."""
    decoded, slow = ENC.decode_all(labels), oracle(ENC).decode_all(labels)
    tree_heads(decoded.arcs)  # raises for what is no tree
    assert np.array_equal(decoded.arcs.heads, slow.arcs.heads)
    assert np.array_equal(decoded.repairs, slow.repairs)


def complete(covered: BoolArray, sizes: IntArray) -> BoolArray:
    """Whether all words of each sentence are covered."""
    lost = offsets_of(~covered)[offsets_of(sizes)]
    return np.asarray(np.diff(lost) == 0)


@pytest.mark.parametrize(
    ("heads", "labels"),
    [
        ((0,), "r."),
        ((0, 1), "lr< r."),
        ((2, 0), "lr> r."),
        ((0, 0), "rl< r."),
        ((2, 0, 2), "ll> rr< r."),
        ((2, 3, 0), "ll> rr> r."),
        ((0, 1, 2), "lr< lr< r."),
        ((3, 3, 0), "lr> lr> r."),
        ((3, 0, 2), "ll>^1 rr< r."),
        ((0, 4, 1, 1), "ll< rl<^2 rr< r."),
    ],
)
def test_labels_of_small_trees(heads: Heads, labels: str) -> None:
    assert " ".join(ENC.format(row) for row in ENC.encode(graph(heads))) == labels


@pytest.mark.parametrize("n", range(1, LONGEST + 1))
def test_every_projective_tree_is_covered_with_nine_labels(n: int) -> None:
    arcs = every_tree(n)
    straight = np.array([projective(tuple(heads)) for heads in arcs.heads.reshape(-1, n).tolist()])
    labels, covered = ENC.encode_all(arcs), ENC.covers_all(arcs).reshape(-1, n)
    assert np.all(covered[straight])
    rows = labels.values.reshape(-1, n, 3)[straight].reshape(-1, 3)
    assert not np.any(rows[:, 2])
    assert len(np.unique(rows, axis=0)) == (1, 4, 8, 9, 9, 9)[n - 1]


@pytest.mark.parametrize("n", range(LONGEST + 1))
def test_own_labels_of_covered_trees_need_no_repairs(n: int) -> None:
    arcs = every_tree(n)
    whole = complete(ENC.covers_all(arcs), arcs.sizes)
    assert not np.any(ENC.decode_all(ENC.encode_all(arcs)).repairs[whole])
    assert n > 3 or np.all(whole)


@pytest.mark.parametrize("n", range(5))
def test_every_small_tree_is_as_the_definition_says(n: int) -> None:
    arcs = every_tree(n)
    labels = ENC.encode_all(arcs)
    assert labels == oracle(ENC).encode_all(arcs)
    check(labels)


@pytest.mark.parametrize("seed", range(5))
def test_tangled_trees_are_as_the_definition_says(seed: int) -> None:
    arcs = tangled_trees(seed, 20, 30)
    labels = ENC.encode_all(arcs)
    assert labels == oracle(ENC).encode_all(arcs)
    assert np.array_equal(ENC.covers_all(arcs), oracle(ENC).covers_all(arcs))
    check(labels)


CHAINS = [list(range(2000)), [*range(2, 2001), 0], [0] * 2000, [0, *[1] * 1999], [2000] * 1999 + [0]]


@pytest.mark.parametrize("heads", CHAINS, ids=["right", "left", "root", "first", "last"])
def test_a_long_chain_or_star_comes_back(heads: list[int]) -> None:
    arcs = as_arcs(np.array([len(heads)], dtype=np.int32), np.array(heads, dtype=np.int32))
    decoded = ENC.decode_all(ENC.encode_all(arcs))
    assert decoded.arcs.heads.tolist() == heads
    assert not decoded.repairs[0]


def test_a_long_tree_of_crossing_arcs_comes_back_in_part() -> None:
    arcs = as_arcs(np.array([2000], dtype=np.int32), tangled_tree(np.random.default_rng(3), 2000, 3))
    straight = lifted(arcs.sizes, arcs.heads) == arcs.heads
    assert np.mean(straight) < np.mean(ENC.covers_all(arcs)) < 1


@pytest.mark.parametrize("head", range(1, 13))
def test_a_lifted_word_finds_its_head_among_nine(head: int) -> None:
    """All words are below the root, but for the last, which is lifted to it."""
    arcs = Arcs.of([graph((*[0] * 13, head))])
    assert ENC.encode_all(arcs)[13] == (1, 0, head if head <= MOST else 0)
    decoded = ENC.decode_all(ENC.encode_all(arcs))
    assert decoded.arcs.heads[13] == (head if head <= MOST else 0)
    assert not decoded.repairs[0]


@pytest.mark.parametrize(
    ("labels", "heads", "repairs"),
    [
        ("r.", [0], 0),
        ("l.", [0], 1),  # its node never comes: it takes the place that is open
        ("rl<", [0], 1),  # no node comes after the last word
        ("r. r.", [0, 0], 1),  # but one does after others
        ("rl> r.", [0, 0], 1),  # nothing is the head of the root
        ("rr< r.", [0, 0], 1),  # no node is open that the next could be a right child of
        ("ll< l.", [0, 1], 2),
        ("r.^1", [0], 1),  # there is no word below
        ("rl<^1 r.", [2, 0], 0),
        ("rl<^1 r.^1", [0, 1], 1),  # each is the head of the other, and none is below the root
        ("rl< rl<^2 r.^2", [0, 1, 2], 1),  # the same, but word 1 is
    ],
)
def test_repairs_are_as_documented(labels: str, heads: list[int], repairs: int) -> None:
    rows = Labels.from_rows([ENC.parse(label) for label in labels.split()])
    decoded = ENC.decode_all(rows)
    assert (decoded.arcs.heads.tolist(), decoded.repairs.tolist()) == (heads, [repairs])
    check(rows)


def test_every_sequence_of_three_labels_without_lifts() -> None:
    rows = list(product(range(2), range(5), [0]))
    sentences = list(product(rows, repeat=3))
    check(Labels.from_rows([row for sentence in sentences for row in sentence], [3] * len(sentences)))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 9)), max_size=14), max_size=4))
def test_any_tags_give_a_tree(sentences: list[list[tuple[int, int, int]]]) -> None:
    check(Labels.from_rows([row for rows in sentences for row in rows], [len(rows) for rows in sentences]))


VALUES = st.one_of(st.integers(0, 1), st.integers(-2, 12), st.sampled_from([-(2**31), 2**31 - 1, 2**70]))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(VALUES, max_size=5).map(tuple), max_size=10))
def test_any_rows_give_a_tree(rows: list[tuple[int, ...]]) -> None:
    check(Labels.from_rows(rows))


def test_text_of_every_row_is_read_back() -> None:
    for row in product(range(2), range(5), range(10)):
        assert ENC.parse(ENC.format(row)) == row


OTHER = ["", "l", "lr", "r..", "rl<^", "rl<^0", "rl<^10", "xl<", "rl< ", "rl<\n", "Rl<", "r.^²"]


@pytest.mark.parametrize("text", OTHER)
def test_other_text_is_no_label(text: str) -> None:
    with pytest.raises(InputError, match="is not a label of hexatag; one looks like 'lr<'"):
        ENC.parse(text)


def test_parts_say_what_tags_stand_for() -> None:
    words = explain_encoding(ENC, graph((2, 0, 2, 6, 2, 3))).words
    assert [word.label for word in words] == ["ll>", "rl<", "lr<", "rl<", "rr<", "r.^2"]
    assert all("".join(part.text for part in word.parts) == word.label for word in words)
    assert [part.meaning for part in words[2].parts] == [
        "a left child: joined with word 4 first",
        "the next node joins word 3 with word 4: arc 3→4; it is a right child",
    ]
    assert [part.meaning for part in words[5].parts] == [
        "a right child: joined with word 2 first",
        "no node comes after the last word",
        "lifted to word 2; the head is number 2 of the words below that, word 3",
    ]


def test_parts_of_every_small_tree() -> None:
    for heads in trees(4):
        words = explain_encoding(ENC, graph(heads)).words
        assert all("".join(part.text for part in word.parts) == word.label for word in words)


def test_trace_shows_the_nodes_that_wait_and_what_moves() -> None:
    steps = trace(ENC, ["ll>", "rl<", "lr<", "rl<", "rr<", "r.^2"]).steps
    assert [step.stacks.get("open") for step in steps] == [[0], [0, 1], [0, 2], [0, 2, 3], [0, 2], [0, 2], [], None]
    assert steps[2].text == (
        "'r': the leaf of word 2 is the right child that the last open node waits for. "
        "The node joins word 1 with word 2, and its head is on the right: arc 2→1. "
        "'l<': the next node, a left child, has word 2 on its left and its head on the left; "
        "it waits for its right child."
    )
    assert steps[-1].text == (
        "Words that were lifted go back below their heads. '^2': word 6 was lifted to word 2, "
        "and number 2 of the words below that, top-down, is word 3: arc 3→6 in place of 2→6."
    )


def treebank(path: Path) -> Arcs:
    """The trees of the HEAD column."""
    sizes, heads = [], []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        cells = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        found = [int(row[6]) for row in cells if row[0].isdigit()]
        sizes.append(len(found))
        heads += found
    return as_arcs(np.array(sizes, dtype=np.int32), np.array(heads, dtype=np.int32))


@pytest.mark.parametrize(
    ("file", "labels", "lost"),
    [
        ("en_ewt/train.conllu", 76, 53),
        ("iwpt_sk/test.conllu", 28, 0),
        ("iwpt_ta/train.conllu", 16, 0),
        ("iwpt_fi/test.conllu", 36, 1),
    ],
)
def test_treebanks_are_nearly_covered_with_few_labels(file: str, labels: int, lost: int, shared: Path) -> None:
    arcs = treebank(shared / "data" / file)
    encoded = ENC.encode_all(arcs)
    assert (encoded.distinct(), int(np.sum(~ENC.covers_all(arcs)))) == (labels, lost)
    assert not np.any(ENC.decode_all(encoded).repairs)
