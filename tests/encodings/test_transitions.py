"""Labels made of transitions: what each system gives, what it covers, and what becomes of labels that do not fit."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from arctag import read
from arctag.encodings import Arcs, Labels, encoding
from arctag.encodings.trees.base import as_arcs
from arctag.errors import InputError
from arctag.testing import every_tree, oracle
from arctag.testing.fixed_checks import expect_same, expect_same_decoding
from arctag.testing.random_trees import random_trees
from arctag.trace import explain_encoding, trace
from tests.encodings.trees import graph, projective, trees

STACK = ["arcstandard", "arceager", "archybrid"]
ALL = [*STACK, "covington"]
THE_CAT_SAT_ON_THE_MAT = (2, 3, 0, 6, 6, 3)


@cache
def _treebank(path: Path) -> Arcs:
    heads = [[int(row[6]) for row in sentence.rows if row[0].isdigit()] for sentence in read(path)]
    sizes = np.array([len(tree) for tree in heads], dtype=np.int32)
    return as_arcs(sizes, np.array([head for tree in heads for head in tree], dtype=np.int32))


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("arcstandard", [".", "L", "L", ".", ".", "LLRR"]),
        ("arceager", ["SL", "SL", "R", "S", "SLL", "R"]),
        ("archybrid", ["L", "L", ".", ".", "LL", "RR"]),
        ("covington", [".", "L", "LNR", ".", ".", "LLR"]),
    ],
)
def test_transitions_of_a_sentence(name: str, labels: list[str]) -> None:
    enc = encoding(name)
    assert [enc.format(row) for row in enc.encode(graph(THE_CAT_SAT_ON_THE_MAT))] == labels


def test_arceager_reduces_words_between_a_word_and_its_head() -> None:
    enc = encoding("arceager")
    assert [enc.format(row) for row in enc.encode(graph((0, 1, 2, 1)))] == ["R", "R", "RDD", "R"]


def test_covington_counts_the_words_that_it_passes() -> None:
    enc = encoding("covington")
    assert [enc.format(row) for row in enc.encode(graph((5, 0, 2, 1, 3)))] == [".", "NR", "R", "N2R", "NRNL"]


@pytest.mark.parametrize("name", STACK)
def test_stack_systems_cover_the_projective_trees(name: str) -> None:
    """The others come back with lifted words, and their labels need no repairs."""
    enc = encoding(name)
    for n in range(1, 7):
        arcs = every_tree(n)
        decoded = enc.decode_all(enc.encode_all(arcs))
        same = np.all((decoded.arcs.heads == arcs.heads).reshape(len(arcs), n), axis=1)
        straight = [projective(tuple(heads)) for heads in arcs.heads.reshape(len(arcs), n).tolist()]
        np.testing.assert_array_equal(same, straight)
        assert not np.any(decoded.repairs)


def test_covington_covers_every_tree() -> None:
    enc = encoding("covington")
    for n in range(7):
        arcs = every_tree(n)
        decoded = enc.decode_all(enc.encode_all(arcs))
        np.testing.assert_array_equal(decoded.arcs.heads, arcs.heads)
        assert not np.any(decoded.repairs)


@pytest.mark.parametrize("name", ALL)
def test_transitions_equal_their_definition(name: str) -> None:
    """Labels, coverage and decoded trees, of all small trees and of longer ones."""
    enc = encoding(name)
    for n in range(5):
        expect_same(enc, oracle(enc), every_tree(n))
    expect_same(enc, oracle(enc), random_trees(np.random.default_rng(1), 24, 60))


@pytest.mark.parametrize("name", ALL)
def test_any_transitions_decode_as_they_are_traced(name: str) -> None:
    """Whatever the rows hold: the same trees, and the same number of repairs."""
    enc, random = encoding(name), np.random.default_rng(2)
    for low, high in ((0, 4), (1, 3), (-2, 7)):
        sizes = random.integers(0, 12, 80)
        rows = [random.integers(low, high, random.integers(6)).tolist() for _ in range(int(sizes.sum()))]
        labels = Labels.from_rows(rows, sizes.tolist())
        expect_same_decoding(enc, oracle(enc), labels)
        np.testing.assert_array_equal(enc.decode_all(labels).repairs, oracle(enc).decode_all(labels).repairs)


@pytest.mark.parametrize(
    ("name", "labels", "heads", "repairs"),
    [
        ("arcstandard", ["RR"], (0,), 1),  # the root is alone on the stack
        ("arcstandard", ["L"], (0,), 2),  # the root has no head, and the word gets it as its own
        ("arcstandard", [".", "R"], (0, 1), 1),
        ("archybrid", ["LL", "R"], (2, 0), 1),
        ("archybrid", ["R", "L"], (0, 1), 2),  # no word follows
        ("arceager", ["RL", "R"], (0, 1), 1),  # it has a head
        ("arceager", ["SD", "R"], (0, 1), 2),  # it has none
        ("arceager", ["RDD", "R"], (0, 0), 1),  # the root stays
        ("arceager", ["R", "RL"], (0, 1), 1),
        ("covington", ["L", "R"], (0, 1), 2),
        ("covington", ["R", "RR"], (0, 1), 1),
        ("covington", ["R", "N5R"], (0, 1), 2),  # to the left of the root
        ("covington", [".", "R", "RL"], (0, 1, 2), 2),  # would be a cycle
    ],
)
def test_impossible_transitions_are_left_out(
    name: str, labels: list[str], heads: tuple[int, ...], repairs: int
) -> None:
    enc = encoding(name)
    decoded = enc.decode(Labels.from_rows([enc.parse(label) for label in labels]))
    assert (tuple(decoded.graph.heads.tolist()), decoded.repairs) == (heads, repairs)
    assert trace(enc, labels).repairs == repairs


@pytest.mark.parametrize("read", [(), (2,), (7,)])
def test_arceager_shifts_a_word_whose_label_does_not_say_how_it_is_read(read: tuple[int, ...]) -> None:
    enc = encoding("arceager")
    decoded = enc.decode(Labels.from_rows([read, (1,)]))
    assert decoded.graph.arc_set() == ({(2, 1), (0, 2)} if read == (2,) else {(0, 1), (1, 2)})
    assert decoded.repairs > 0


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("arcstandard", ["", "S", "LS", "l", "L.", "..", "L R"]),
        ("archybrid", ["", "D", "RD", "?"]),
        ("arceager", ["", ".", "L", "DR", "SS", "SR", "S."]),
        ("covington", ["", "N", "LN", "N1R", "N0R", "N03R", "3R", "N9999999999R", "S", "NNR"]),
    ],
)
def test_transitions_are_parsed_strictly(name: str, wrong: list[str]) -> None:
    for text in wrong:
        with pytest.raises(InputError, match=f"not a label of {name}"):
            encoding(name).parse(text)


@pytest.mark.parametrize("name", ALL)
def test_explained_transitions_tell_every_decoded_arc(name: str) -> None:
    for heads in trees(4):
        found = explain_encoding(name, graph(heads))
        for word in found.words:
            assert "".join(part.text for part in word.parts) == word.label
        told = {arc for word in found.words for part in word.parts for arc in part.meaning.split() if "→" in arc}
        assert told == {f"{head}→{dependent}" for head, dependent in found.decoded}


@pytest.mark.parametrize("name", STACK)
def test_explained_transitions_say_why_a_word_is_lifted(name: str) -> None:
    found = explain_encoding(name, graph((3, 0, 4, 2)))
    assert [arc.why for arc in found.arcs if arc.why] == [
        "it crosses another arc, so word 1 is attached to a word above word 3"
    ]
    assert (2, 1) in found.decoded


@pytest.mark.parametrize("name", ALL)
def test_transitions_of_long_sentences(name: str) -> None:
    """Each word below the one before it, each below the one after it, all below the root, all below the last."""
    n, enc = 20_000, encoding(name)
    words = np.arange(1, n + 1, dtype=np.int32)
    for heads in (words - 1, (words + 1) % (n + 1), words * 0, np.where(words < n, n, 0).astype(np.int32)):
        arcs = as_arcs(np.array([n], dtype=np.int32), heads)
        decoded = enc.decode_all(enc.encode_all(arcs))
        np.testing.assert_array_equal(decoded.arcs.heads, heads)
        assert not np.any(decoded.repairs)


@pytest.mark.parametrize("name", ALL)
def test_transitions_equal_their_definition_on_a_treebank(name: str, shared: Path) -> None:
    enc = encoding(name)
    expect_same(enc, oracle(enc), _treebank(shared / "data" / "iwpt_ta" / "dev.conllu"))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("bank", ["en_ewt/dev", "iwpt_sk/dev", "iwpt_ta/train"])
def test_transitions_cover_treebanks(name: str, bank: str, shared: Path) -> None:
    """All arcs with Covington's system, 199 of 200 with the others."""
    arcs = _treebank(shared / "data" / f"{bank}.conllu")
    covered = encoding(name).covers_all(arcs)
    assert covered.mean() > 0.995
    assert covered.all() == (name == "covington")
