"""Checks on graphs, or trees, that are the same in every run: all the small ones, and a fixed random sample."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from arctag.encodings import ENCODINGS
from arctag.encodings import encoding as by_name
from arctag.encodings.base import Encoding
from arctag.encodings.labels import Arcs, LabelRow, Labels
from arctag.encodings.trees.base import NotATree
from arctag.errors import InputError
from arctag.graph import Graph
from arctag.testing.compare import (
    expect_round_trip,
    expect_valid,
    fail,
    first_difference,
    same_arcs,
    same_labels,
    sentence_labels,
)
from arctag.testing.graphs import all_arcs, every_graph, graph_at, graphs_of_masks
from arctag.testing.material import every_small, long, mixed

_NO_TREES = [
    (2, "no head", [(0, 1), (1, 3)]),
    (1, "two heads", [(0, 1), (2, 1), (0, 2), (1, 3)]),
    (2, "itself above it", [(0, 1), (3, 2), (2, 3)]),
    (3, "itself as its head", [(0, 1), (1, 2), (3, 3)]),
]
"""A word at fault, what is wrong with it, the arcs."""


def check_is_a_frozen_value(encoding: Encoding) -> None:
    """A frozen dataclass: equal to another with the same parameters, usable as a key."""
    if not dataclasses.is_dataclass(type(encoding)):
        fail(encoding, "must be a dataclass: write @dataclass(frozen=True) above the class")
    value: Any = encoding
    again = dataclasses.replace(value)
    if again != encoding or type(encoding).__hash__ is None or hash(again) != hash(encoding):
        fail(encoding, "one with the same parameters must be equal and have the same hash: @dataclass(frozen=True)")
    for field in dataclasses.fields(value):
        try:
            setattr(encoding, field.name, getattr(encoding, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        fail(encoding, f"field {field.name!r} can be changed: write @dataclass(frozen=True) above the class")


def check_has_a_name(encoding: Encoding) -> None:
    """A name in one piece, which the registry, if it knows the family, leads back to the same class."""
    name = encoding.name
    if not isinstance(name, str) or not name or name != "".join(name.split()):
        fail(encoding, "a name is a text without spaces", name=name)
    if any(entry.make is type(encoding) for entry in ENCODINGS.values()):
        try:
            registered = by_name(name)
        except InputError as error:
            fail(encoding, f"the registry does not know its name: {error}")
        if type(registered) is not type(encoding) or registered.name != name:
            fail(encoding, "the registry finds another encoding by its name", found=registered)


def check_every_small_graph(encoding: Encoding, words: int = 4) -> None:
    """Every graph of up to `words` words: what `covers` says comes back, and nothing else."""
    for arcs in every_small(encoding, words):
        expect_round_trip(encoding, arcs)


def check_self_loops(encoding: Encoding) -> None:
    """Arcs from a word to itself must not raise; `covers` says whether they come back.

    An encoding for trees refuses them, and every other graph that is no tree.
    """
    if encoding.trees_only:
        _check_refuses_no_trees(encoding)
        return
    for n in range(1, 4):
        expect_round_trip(encoding, every_graph(n, loops=True))


def _check_refuses_no_trees(encoding: Encoding) -> None:
    """`NotATree`, which names the sentence and the word, where a tree was expected."""
    tree = Graph(2, [(0, 1, "_"), (1, 2, "_")])
    for word, found, arcs in _NO_TREES:
        graph = Graph(3, [(head, dependent, "_") for head, dependent in arcs])
        for call in (encoding.encode_all, encoding.covers_all):
            try:
                call(Arcs.of([tree, graph, tree]))
            except NotATree as error:
                if error.sentence != 1 or not error.what.startswith(f"word {word} "):
                    fail(encoding, f"the second sentence is no tree: word {word} has {found}", error=error)
            else:
                fail(encoding, f"must raise NotATree: word {word} has {found}", graph=graph)


def check_labels_are_integers(encoding: Encoding) -> None:
    """A row of plain integers for every word, the same at every call."""
    for arcs in (every_small(encoding, 2)[-1], _sample(encoding)):
        labels = encoding.encode_all(arcs)
        for array in (labels.values, labels.offsets, labels.sizes):
            if not np.issubdtype(array.dtype, np.integer):
                fail(encoding, f"labels must be integers, not {array.dtype}")
        if labels.artificial is not None and labels.artificial.shape != labels.values.shape:
            fail(encoding, "`artificial` must be parallel to the values")
        if not all(type(value) is int for row in labels for value in row):
            fail(encoding, "rows must hold plain integers", labels=labels)
        if encoding.factors and not all(_within(row, encoding.factors) for row in labels):
            fail(encoding, f"rows must stay below the bounds that `factors` names: {encoding.factors}", labels=labels)
        if not same_labels(labels, encoding.encode_all(arcs)):
            fail(encoding, "encoding the same graphs again gives other labels")


def check_labels_as_text(encoding: Encoding, words: int = 3) -> None:
    """`format` gives text in one piece, and `parse` reads every row back from it."""
    rows = {row for arcs in (*every_small(encoding, words), _sample(encoding)) for row in encoding.encode_all(arcs)}
    for row in sorted(rows):
        text = encoding.format(row)
        if not isinstance(text, str) or not text or text != "".join(text.split()):
            fail(encoding, "a formatted label is a text without spaces", row=row, text=text)
        if tuple(encoding.parse(text)) != row:
            fail(encoding, "`parse` does not read back what `format` wrote", row=row, text=text)


def check_inputs_stay_unchanged(encoding: Encoding) -> None:
    """No call writes into what it is given; read-only arrays are welcome."""
    arcs = _sample(encoding)
    labels = encoding.encode_all(arcs)
    frozen_arcs = Arcs(_frozen(arcs.sizes), _frozen(arcs.starts), _frozen(arcs.heads), _frozen(arcs.dependents))
    marks = None if labels.artificial is None else _frozen(labels.artificial)
    frozen_labels = Labels(_frozen(labels.values), _frozen(labels.offsets), _frozen(labels.sizes), marks)
    encoding.covers_all(arcs)
    encoding.decode_all(labels)
    if not same_arcs(arcs, frozen_arcs):
        fail(encoding, "encode_all or covers_all changed the arcs it was given")
    if not same_labels(labels, frozen_labels):
        fail(encoding, "decode_all changed the labels it was given")
    try:
        again = encoding.encode_all(frozen_arcs)
        encoding.covers_all(frozen_arcs)
        encoding.decode_all(frozen_labels)
    except (ValueError, TypeError) as error:
        fail(encoding, f"cannot work on read-only arrays: {error}")
    if not same_labels(labels, again):
        fail(encoding, "read-only arrays give other labels")


def check_batch_equals_single(encoding: Encoding) -> None:
    """A sentence fares the same alone, in company, and after an empty one."""
    arcs = _sample(encoding)
    labels, covered = encoding.encode_all(arcs), encoding.covers_all(arcs)
    decoded = encoding.decode_all(labels)
    for i in range(len(arcs)):
        graph, part = graph_at(arcs, i), sentence_labels(labels, i)
        alone = encoding.encode(graph)
        if not same_labels(alone, part):
            fail(encoding, "a graph gets other labels alone than in a batch", graph=graph, alone=alone, batch=part)
        if not np.array_equal(encoding.covers(graph), covered[arcs.starts[i] : arcs.starts[i + 1]]):
            fail(encoding, "`covers` differs between a graph alone and in a batch", graph=graph)
        back = encoding.decode(part)
        if not back.graph.same_arcs(graph_at(decoded.arcs, i)) or back.repairs != decoded.repairs[i]:
            fail(encoding, "labels decode differently alone than in a batch", graph=graph, alone=back)
    nothing = Arcs.of([])
    if len(encoding.encode_all(nothing)) or len(encoding.decode_all(encoding.encode_all(nothing)).arcs):
        fail(encoding, "no graphs must give no labels")


def check_long_sentence(encoding: Encoding) -> None:
    """A sentence of a thousand words neither raises nor exhausts a stack."""
    expect_round_trip(encoding, long(encoding))


def check_agrees_with_oracle(encoding: Encoding, oracle: Encoding) -> None:
    """The same labels and the same decoded arcs as a slow, obvious version of the encoding."""
    for arcs in every_small(encoding, 3 - encoding.trees_only):
        expect_same(encoding, oracle, arcs)
    if not encoding.trees_only:
        masks = np.random.default_rng(4).integers(0, 1 << len(all_arcs(4)), 400)
        expect_same(encoding, oracle, graphs_of_masks(4, masks))
    expect_same(encoding, oracle, mixed(encoding, 2, 24, 16))


def expect_same(encoding: Encoding, oracle: Encoding, arcs: Arcs) -> None:
    """Two encodings must agree on labels, coverage and decoded arcs of these graphs."""
    labels, slow = encoding.encode_all(arcs), oracle.encode_all(arcs)
    if not same_labels(labels, slow):
        for i in range(len(arcs)):
            mine, theirs = sentence_labels(labels, i), sentence_labels(slow, i)
            if not same_labels(mine, theirs):
                fail(encoding, "the oracle gives other labels", graph=graph_at(arcs, i), labels=mine, oracle=theirs)
    if not np.array_equal(encoding.covers_all(arcs), oracle.covers_all(arcs)):
        fail(encoding, "the oracle covers other arcs")
    expect_same_decoding(encoding, oracle, labels)


def expect_same_decoding(encoding: Encoding, oracle: Encoding, labels: Labels) -> None:
    """Two encodings must decode labels to the same arcs."""
    decoded, slow = encoding.decode_all(labels), oracle.decode_all(labels)
    expect_valid(encoding, labels, decoded)
    if not same_arcs(decoded.arcs, slow.arcs):
        i = first_difference(decoded.arcs, slow.arcs)
        fail(
            encoding, "the oracle decodes other arcs", labels=sentence_labels(labels, i),
            arcs=graph_at(decoded.arcs, i), oracle=graph_at(slow.arcs, i),
        )  # fmt: skip


def _within(row: LabelRow, bounds: tuple[int, ...]) -> bool:
    return len(row) == len(bounds) and all(0 <= value < bound for value, bound in zip(row, bounds, strict=True))


def _sample(encoding: Encoding) -> Arcs:
    return mixed(encoding, 1, 40, 24)


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    copy = array.copy()
    copy.flags.writeable = False
    return copy
