"""Encodings for trees in bits and brackets: their labels, how many there are, and what becomes of crossing arcs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from arctag import read
from arctag.encodings import Arcs, Labels, encoding
from arctag.encodings.trees.base import as_arcs
from arctag.encodings.trees.lifting import lifted
from arctag.errors import InputError
from arctag.testing import every_tree
from arctag.testing.compare import expect_round_trip
from arctag.testing.random_trees import tree
from arctag.transforms import empty_nodes
from tests.encodings.test_trees import four_bits
from tests.encodings.trees import projective_trees

NAMES = ["treebits4", "treebits7", "treebrackets-1", "treebrackets-2", "treehierarchical"]
CROSSING = [2, 0, 2, 1, 2]  # 1→4 crosses 2→5, which is to the right too, and the arc from the root


@cache
def every_projective_tree(longest: int) -> Arcs:
    """Those of 1 to `longest` words."""
    sizes, heads = list[int](), list[int]()
    for n in range(1, longest + 1):
        arcs = every_tree(n)
        crossing = (lifted(arcs.sizes, arcs.heads) != arcs.heads).reshape(-1, n).any(axis=1)
        kept = arcs.heads.reshape(-1, n)[~crossing]
        sizes += [n] * len(kept)
        heads += kept.reshape(-1).tolist()
    return as_arcs(np.array(sizes, np.int32), np.array(heads, np.int32))


@cache
def treebank(path: Path) -> Arcs:
    """The trees of a file."""
    graphs = [empty_nodes.drop(sentence).column(6) for sentence in read(path)]
    return Arcs.of(tree([int(head) for head in heads]) for heads in graphs)


def formatted(name: str, heads: list[int]) -> list[str]:
    enc = encoding(name)
    return [enc.format(row) for row in enc.encode(tree(heads))]


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("treebits4", ["0100", "1111", "1001", "1100", "1100"]),
        ("treebits7", ["0010001", "1011100", "1000000", "1110000", "1010000"]),
        ("treebrackets-1", ["<", "\\>//", ">", ".", ">"]),
        ("treebrackets-2", ["</*", "\\>//", ">", ">*", ">"]),
        ("treehierarchical", ["[", "]>1)<[", ")>", "]>1", "]>"]),
    ],
)
def test_labels_of_a_tree_with_crossing_arcs(name: str, labels: list[str]) -> None:
    assert formatted(name, CROSSING) == labels


@pytest.mark.parametrize("name", NAMES)
def test_every_projective_tree_is_covered(name: str) -> None:
    arcs = every_projective_tree(6)
    assert len(arcs) == 1 + 3 + 12 + 55 + 273 + 1428
    enc = encoding(name)
    assert np.all(enc.covers_all(arcs))
    assert not enc.decode_all(enc.encode_all(arcs)).repairs.any()


@pytest.mark.parametrize(("name", "labels"), [("treebits4", 16), ("treebits7", 16), ("treehierarchical", 12)])
def test_projective_trees_have_few_labels(name: str, labels: int) -> None:
    """All of them, and no more for longer sentences."""
    for longest in (5, 6):
        assert encoding(name).encode_all(every_projective_tree(longest)).distinct() == labels


def test_treehierarchical_labels_of_projective_trees() -> None:
    """The head to the left, to the right; its arc structural or auxiliary; dependents that must be written."""
    enc = encoding("treehierarchical")
    labels = {enc.format(row) for row in set(enc.encode_all(every_projective_tree(5)))}
    assert labels == {
        "]>", "]>[", ")>", ")>[", "]<)>", "]<)>[", "[", "]<[", "(<", "(<[", "]<(<", "]<(<[",
    }  # fmt: skip


def test_treebits_are_the_bits_of_their_definition() -> None:
    for heads in projective_trees(5):
        bits = [four_bits(heads, word) for word in range(1, len(heads) + 1)]
        assert formatted("treebits4", list(heads)) == bits
        assert formatted("treebits7", list(heads)) == [f"{b[0]}0{b[1:]}00" for b in bits]


def test_treebits4_lets_arcs_of_different_directions_cross() -> None:
    heads = [3, 0, 2, 1]  # 3→1 crosses the arc from the root, and 1→4
    assert encoding("treebits4").covers(tree([3, 0, 2])).all()
    assert encoding("treebits4").covers(tree(heads)).tolist() == [True, True, True, False]


@pytest.mark.parametrize("name", NAMES[1:])
def test_two_planes_cover_what_one_does_not(name: str) -> None:
    assert encoding(name).covers(tree(CROSSING)).all() == (name != "treebrackets-1")


def test_treehierarchical_covers_every_tree() -> None:
    assert all(encoding("treehierarchical").covers_all(every_tree(n)).all() for n in range(7))


@pytest.mark.parametrize(
    ("name", "labels", "heads", "repairs"),
    [
        ("treebits4", ["1100", "1000"], [0, 0], 0),
        ("treebits4", ["0000", "1100"], [2, 0], 2),  # no head to the right; attached to the top
        ("treebits4", ["0101", "1110"], [0, 1], 1),  # a cycle
        ("treebits7", ["0000000", "1110000"], [2, 0], 2),
        ("treebits7", ["1010001", "1010000"], [0, 0], 1),  # no dependent in the second plane
        ("treebrackets-1", [">", ".", "."], [0, 1, 1], 2),
        ("treebrackets-2", [">", "<>*", "\\"], [0, 0, 1], 2),  # the first of two heads, then the word without one
        ("treehierarchical", ["]>", "."], [0, 1], 1),
        ("treehierarchical", ["@]>[", "]="], [0, 1], 2),
    ],
)
def test_ill_formed_labels_are_repaired(name: str, labels: list[str], heads: list[int], repairs: int) -> None:
    enc = encoding(name)
    decoded = enc.decode(Labels.from_rows([enc.parse(label) for label in labels]))
    assert (decoded.graph.heads.tolist(), decoded.repairs) == (heads, repairs)


@pytest.mark.parametrize(
    ("name", "text", "example"),
    [
        ("treebits4", "110", "'1101'"),
        ("treebits4", "1101.1101", "'1101'"),
        ("treebits7", "1101", "'1010101'"),
        ("treebits7", "101010١", "'1010101'"),
        ("treebrackets-1", ">*", r"'\\\\>/'"),
        ("treehierarchical", "[]>", r"'\]<\)>\['"),
    ],
)
def test_texts_that_are_no_labels_are_refused_by_name(name: str, text: str, example: str) -> None:
    with pytest.raises(InputError, match=f"is not a label of {name}; one looks like {example}"):
        encoding(name).parse(text)


def test_treebrackets_refuses_less_than_one_plane() -> None:
    with pytest.raises(InputError, match="number of planes 0"):
        type(encoding("treebrackets-1"))(k=0)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", NAMES)
def test_labels_of_other_widths_decode(name: str) -> None:
    enc = encoding(name)
    rows = [(), (1, 1), (-5,), (2**31 - 1,) * 9]
    decoded = enc.decode(Labels.from_rows(rows))
    assert decoded.repairs > 0
    assert len(decoded.graph.heads) == 4


@pytest.mark.parametrize(
    ("file", "fewest"),
    [
        ("en_ewt/dev.conllu", {"treebits4": 99.7, "treebits7": 99.99, "treebrackets-1": 99.8, "treebrackets-2": 99.99}),
        ("iwpt_sk/test.conllu", {"treebits4": 97, "treebits7": 99.9, "treebrackets-1": 97, "treebrackets-2": 99.9}),
    ],
)
def test_nearly_all_arcs_of_treebanks_are_covered(file: str, fewest: dict[str, float], shared: Path) -> None:
    arcs = treebank(shared / "data" / file)
    for name in NAMES:
        expect_round_trip(encoding(name), arcs)
        covered = 100 * encoding(name).covers_all(arcs).mean()
        assert covered >= fewest.get(name, 100)
