"""Comparing whole batches, and naming the first graph where they differ."""

from __future__ import annotations

from itertools import islice
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, Encoding
from arctag.encodings.labels import Arcs, Labels, offsets_of
from arctag.encodings.trees.base import NotATree, TreeEncoding, tree_heads
from arctag.graph import BoolArray
from arctag.testing.graphs import graph_at


def fail(encoding: Encoding, what: str, **seen: object) -> NoReturn:
    """Raise an error that says what is wrong and shows what was seen."""
    lines = [f"{encoding.name}: {what}", *(f"  {name.replace('_', ' ')}: {value!r}" for name, value in seen.items())]
    raise AssertionError("\n".join(lines))


def restrict(arcs: Arcs, keep: BoolArray) -> Arcs:
    """The same sentences with only the arcs that `keep` marks."""
    return Arcs(arcs.sizes, offsets_of(keep)[arcs.starts], arcs.heads[keep], arcs.dependents[keep], arcs.tags)


def same_arcs(one: Arcs, other: Arcs) -> bool:
    """Whether two batches hold the same graphs."""
    return (
        np.array_equal(one.sizes, other.sizes)
        and np.array_equal(one.starts, other.starts)
        and np.array_equal(one.heads, other.heads)
        and np.array_equal(one.dependents, other.dependents)
    )


def first_difference(one: Arcs, other: Arcs) -> int:
    """The number of the first sentence whose graphs differ."""
    if len(one) != len(other):
        raise AssertionError(f"{len(one)} sentences against {len(other)}")
    for i in range(len(one)):
        if not graph_at(one, i).same_arcs(graph_at(other, i)):
            return i
    raise AssertionError("the graphs are the same")


def sentence_labels(labels: Labels, i: int) -> Labels:
    """The labels of one sentence of a batch."""
    return next(islice(labels.sentences(), i, None))


def same_labels(one: Labels, other: Labels) -> bool:
    """Whether two batches of labels are equal, null arcs included."""
    if one.artificial is None or other.artificial is None:
        return one == other and one.artificial is other.artificial
    return one == other and np.array_equal(one.artificial, other.artificial)


def expect_valid(encoding: Encoding, labels: Labels, decoded: DecodedBatch) -> None:
    """Decoded arcs must be graphs over the same words, with a count of repairs for each."""
    arcs, repairs = decoded.arcs, decoded.repairs
    if not np.array_equal(arcs.sizes, labels.sizes):
        fail(encoding, "decoding changed the number of words", labels=labels, sizes=arcs.sizes)
    if len(repairs) != len(labels.sizes) or not np.issubdtype(repairs.dtype, np.integer) or np.any(repairs < 0):
        fail(encoding, "repairs must be one count, 0 or more, for each sentence", labels=labels, repairs=repairs)
    if len(arcs.starts) != len(arcs.sizes) + 1 or arcs.starts[0] != 0 or arcs.starts[-1] != len(arcs.heads):
        fail(encoding, "the starts of the decoded arcs are wrong", labels=labels, starts=arcs.starts)
    for i, graph in enumerate(arcs.graphs()):
        try:
            again = graph_at(arcs, i)  # built with checks: raises for arcs that do not fit or come twice
        except Exception as error:
            fail(encoding, f"decoding gave no valid graph: {error}", labels=sentence_labels(labels, i), arcs=graph)
        if not again.same_arcs(graph):
            fail(encoding, "decoded arcs are not sorted by (dependent, head)", arcs=graph)
    if encoding.trees_only:
        _expect_trees(encoding, labels, arcs)


def _expect_trees(encoding: Encoding, labels: Labels, arcs: Arcs) -> None:
    try:
        tree_heads(arcs)
    except NotATree as error:
        i = error.sentence
        fail(
            encoding, f"decoding gave no tree: {error.what}", labels=sentence_labels(labels, i), arcs=graph_at(arcs, i)
        )


def expect_round_trip(encoding: Encoding, arcs: Arcs) -> Labels:
    """Encode and decode: exactly the covered arcs must come back, without repairs.

    A word of a tree whose arc is not covered has another head, and that may take repairs.
    """
    labels, covered = encoding.encode_all(arcs), encoding.covers_all(arcs)
    if len(labels) != int(arcs.sizes.sum()) or not np.array_equal(labels.sizes, arcs.sizes):
        fail(encoding, f"{len(labels)} labels for {int(arcs.sizes.sum())} words")
    if covered.dtype != np.bool_ or covered.shape != arcs.heads.shape:
        fail(encoding, "`covers` must give one truth value for each arc", covers=covered)
    if encoding.trees_only:
        _expect_trees_back(encoding, arcs, labels, covered)
    else:
        _expect_covered_back(encoding, arcs, labels, covered)
    return labels


def _expect_covered_back(encoding: Encoding, arcs: Arcs, labels: Labels, covered: BoolArray) -> None:
    decoded = encoding.decode_all(labels)
    wanted = restrict(arcs, covered)
    if not same_arcs(decoded.arcs, wanted):
        i = first_difference(decoded.arcs, wanted)
        fail(
            encoding, "other arcs come back than `covers` says", graph=graph_at(arcs, i),
            labels=sentence_labels(labels, i), covered=graph_at(wanted, i), came_back=graph_at(decoded.arcs, i),
        )  # fmt: skip
    _expect_no_repairs(encoding, arcs, labels, decoded.repairs)


def _expect_trees_back(encoding: Encoding, arcs: Arcs, labels: Labels, covered: BoolArray) -> None:
    decoded = encoding.decode_all(labels)
    expect_valid(encoding, labels, decoded)
    owner = np.repeat(np.arange(len(arcs)), arcs.sizes)
    different = np.flatnonzero((decoded.arcs.heads == arcs.heads) != covered)
    if len(different):
        i = int(owner[different[0]])
        fail(
            encoding, "other arcs come back than `covers` says", graph=graph_at(arcs, i),
            labels=sentence_labels(labels, i), covers=covered[owner == i], came_back=graph_at(decoded.arcs, i),
        )  # fmt: skip
    lost = ~covered
    if isinstance(encoding, TreeEncoding):  # a word that the labels leave without a head may be given the right one
        lost = encoding.decode_heads(labels)[0] != arcs.heads
    whole = np.bincount(owner[lost], minlength=len(arcs)) == 0
    _expect_no_repairs(encoding, arcs, labels, np.where(whole, decoded.repairs, 0))


def _expect_no_repairs(encoding: Encoding, arcs: Arcs, labels: Labels, repairs: npt.NDArray[np.int64]) -> None:
    if np.any(repairs):
        i = int(np.flatnonzero(repairs)[0])
        fail(
            encoding, f"its own labels needed {repairs[i]} repairs", graph=graph_at(arcs, i),
            labels=sentence_labels(labels, i),
        )  # fmt: skip
