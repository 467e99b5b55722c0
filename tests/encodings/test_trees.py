"""On trees the encodings reduce to those known for trees: the paper's appendix on degenerate cases."""

from __future__ import annotations

from collections import defaultdict

import pytest

from arctag.encodings import Encoding, encoding
from tests.encodings.trees import Heads, graph, projective_trees, trees

LONGEST = 5
FOUR_BIT = "1101"


def four_bits(heads: Heads, word: int) -> str:
    """The 4-bit label of the tree encoding; the root is a dummy word 0, its children right dependents.

    b0: right dependent. b1: outermost dependent of its head on its side. b2, b3: has left, right dependents.
    """
    head = heads[word - 1]
    children = [child for child, parent in enumerate(heads, 1) if parent == word]
    siblings = [child for child, parent in enumerate(heads, 1) if parent == head]
    outermost = word == (max(siblings) if word > head else min(siblings))
    bits = [word > head, outermost, any(child < word for child in children), any(child > word for child in children)]
    return "".join("1" if bit else "0" for bit in bits)


def formatted(enc: Encoding, heads: Heads) -> list[str]:
    return [enc.format(row) for row in enc.encode(graph(heads))]


@pytest.mark.parametrize("n", range(1, LONGEST + 1))
def test_absolute_on_trees_is_the_head(n: int) -> None:
    for heads in trees(n):
        assert list(encoding("absolute").encode(graph(heads))) == [(head,) for head in heads]


@pytest.mark.parametrize("n", range(1, LONGEST + 1))
def test_relative_on_trees_is_the_distance_to_the_head(n: int) -> None:
    for heads in trees(n):
        wanted = [(head - word,) for word, head in enumerate(heads, 1)]
        assert list(encoding("relative").encode(graph(heads))) == wanted


@pytest.mark.parametrize("name", ["brackets-1", "brackets-2"])
def test_brackets_on_trees_have_at_most_one_incoming_symbol(name: str) -> None:
    for heads in trees(4):
        for label in formatted(encoding(name), heads):
            assert label.count(">") + label.count("<") <= 1


def test_brackets_on_projective_trees_are_the_tree_encoding() -> None:
    enc = encoding("brackets-1")
    for heads in projective_trees(LONGEST):
        for word, label in enumerate(formatted(enc, heads), 1):
            head = heads[word - 1]
            left = sum(parent == word for parent in heads[: word - 1])
            right = sum(parent == word for parent in heads[word:])
            symbols = "\\" * left + (">" if head < word else "<") + "/" * right
            assert label == symbols


@pytest.mark.parametrize("first_null", ["next", "root"])
def test_bits4_on_projective_trees_is_the_four_bit_encoding(first_null: str) -> None:
    enc = encoding("bits4-1", first_null=first_null)
    for heads in projective_trees(LONGEST):
        assert formatted(enc, heads) == [four_bits(heads, word) for word in range(1, len(heads) + 1)]


@pytest.mark.parametrize("first_null", ["next", "root"])
@pytest.mark.parametrize("k", [2, 3])
def test_bits4_groups_beyond_the_first_say_nothing_of_a_projective_tree(k: int, first_null: str) -> None:
    """They hold null arcs only, so their values depend on a word's place and not on the tree."""
    enc = encoding(f"bits4-{k}", first_null=first_null)
    extra = defaultdict(set)
    for heads in projective_trees(LONGEST):
        for word, label in enumerate(formatted(enc, heads), 1):
            first, *rest = label.split(".")
            assert first == four_bits(heads, word)
            extra[len(heads), word].add(tuple(rest))
    assert all(len(values) == 1 for values in extra.values())


def test_bits4_extra_groups_are_the_same_for_every_inner_word() -> None:
    """With the paper's null arc from the word before: the last word alone has no dependent to its right."""
    enc = encoding("bits4-2", first_null="root")
    extra = defaultdict(set)
    for heads in projective_trees(LONGEST):
        for word, label in enumerate(formatted(enc, heads), 1):
            extra[word == len(heads)].add(label.split(".")[1])
    assert extra == {False: {FOUR_BIT}, True: {"1100"}}


def test_bits6_on_projective_trees_is_isomorphic_to_the_four_bit_encoding() -> None:
    """A bijection between labels: each 4-bit label goes with exactly one 6-bit label, and back."""
    enc = encoding("bits6-1")
    pairs = {
        (four_bits(heads, word), label)
        for heads in projective_trees(LONGEST)
        for word, label in enumerate(formatted(enc, heads), 1)
    }
    assert len({four for four, _ in pairs}) == len({six for _, six in pairs}) == len(pairs) > 8


@pytest.mark.parametrize("k", [2, 3])
def test_bits6_groups_beyond_the_first_are_empty_on_projective_trees(k: int) -> None:
    for heads in projective_trees(LONGEST):
        for label in formatted(encoding(f"bits6-{k}"), heads):
            assert label.endswith(".000000" * (k - 1))


@pytest.mark.parametrize("name", ["brackets-1", "bits4-1", "bits6-1"])
def test_one_plane_covers_every_projective_tree(name: str) -> None:
    enc = encoding(name)
    for heads in projective_trees(LONGEST):
        assert enc.decode(enc.encode(graph(heads))).graph.same_arcs(graph(heads))
