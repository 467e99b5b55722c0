"""Label rows as numbers, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import drop, encoding, read
from arctag.encodings import Arcs, Labels, standard_names
from arctag.encodings.label_space import UNKNOWN, LabelSpace, relation_vocabulary
from arctag.errors import InputError

rows = st.lists(st.lists(st.integers(-5, 5), max_size=3).map(tuple), min_size=1, max_size=20)


@pytest.fixture(scope="module")
def arcs(sample: Path) -> Arcs:
    return Arcs.of(drop(sentence).graph for sentence in read(sample))


@pytest.mark.parametrize("name", standard_names())
def test_label_space_there_and_back_is_the_same(arcs: Arcs, name: str) -> None:
    labels = encoding(name).encode_all(arcs)
    space = LabelSpace.build(labels)
    ids = space.ids(labels)
    assert ids.shape == (len(labels), 1)
    assert len(set(labels)) == space.sizes[0] == ids.max() + 1
    assert space.labels(ids, labels.sizes) == labels


@pytest.mark.parametrize("name", ["bits4-3", "bits6-4"])
def test_label_space_factored_there_and_back_is_the_same(arcs: Arcs, name: str) -> None:
    chosen = encoding(name)
    labels = chosen.encode_all(arcs)
    space = LabelSpace.factored(chosen)
    ids = space.ids(labels)
    assert ids.shape == (len(labels), len(chosen.factors))
    assert (ids < np.array(space.sizes)).all()
    assert space.labels(ids, labels.sizes) == labels


@given(rows)
def test_label_space_keeps_any_rows(rows: list[tuple[int, ...]]) -> None:
    labels = Labels.from_rows(rows)
    space = LabelSpace.build(labels)
    assert list(space.labels(space.ids(labels), labels.sizes)) == rows
    again = LabelSpace.from_json(json.loads(json.dumps(space.to_json())))
    assert again.rows == space.rows


def test_label_space_most_frequent_come_first() -> None:
    labels = Labels.from_rows([(3,), (1,), (2,), (1,), (2,), (1,)])
    assert LabelSpace.build(labels).rows == ((1,), (2,), (3,))


def test_label_space_rare_labels_are_unknown() -> None:
    labels = Labels.from_rows([(1,), (2,), (1,), (3,)])
    space = LabelSpace.build(labels, least=2)
    assert space.ids(labels).ravel().tolist() == [0, UNKNOWN, 0, UNKNOWN]


def test_label_space_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="no label occurs 3 times"):
        LabelSpace.build(Labels.from_rows([(1,), (1,)]), least=3)


def test_label_space_factored_needs_bounded_columns() -> None:
    with pytest.raises(InputError, match="relative has no bounded columns"):
        LabelSpace.factored(encoding("relative"))


@pytest.mark.parametrize("value", [[], {"rows": 5}, {"rows": ["x"]}, {"rows": [[None]]}, {"factors": [float("inf")]}])
def test_label_space_from_damaged_json_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="not a label space"):
        LabelSpace.from_json(value)


def test_label_space_relations_are_sets_by_frequency() -> None:
    found = relation_vocabulary([(("b",), 1), (("a", "c"), 1), (("c", "a"), 1), (("a",), 1), (("d",), 0), (("e",), 3)])
    assert found == [("e",), ("a", "c"), ("a",), ("b",)]
