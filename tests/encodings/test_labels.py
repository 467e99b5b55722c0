"""`Labels` and `Arcs`: rows and graphs in flat arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.encodings import Arcs, Labels
from arctag.errors import InputError
from arctag.graph import Graph

ROWS = [(1, 2), (), (3,)]


def test_labels_give_back_their_rows() -> None:
    labels = Labels.from_rows(ROWS)
    assert list(labels) == ROWS
    assert len(labels) == 3
    assert (labels[0], labels[1], labels[-1]) == ((1, 2), (), (3,))


def test_labels_refuse_rows_that_are_not_there() -> None:
    with pytest.raises(IndexError):
        Labels.from_rows(ROWS)[3]
    with pytest.raises(IndexError):
        Labels.from_rows(ROWS)[-4]


def test_labels_split_into_sentences() -> None:
    labels = Labels.from_rows(ROWS, [1, 0, 2])
    assert [list(part) for part in labels.sentences()] == [[(1, 2)], [], [(), (3,)]]


def test_labels_keep_null_marks_when_split() -> None:
    labels = Labels.from_matrix(np.zeros((3, 2), np.int32), np.array([1, 2], np.int32), np.eye(3, 2, dtype=np.bool_))
    marks = [part.artificial.tolist() for part in labels.sentences() if part.artificial is not None]
    assert marks == [[True, False], [False, True, False, False]]


def test_labels_equal_only_with_the_same_rows_and_sentences() -> None:
    assert Labels.from_rows(ROWS) == Labels.from_rows(ROWS, [3])
    assert Labels.from_rows(ROWS) != Labels.from_rows(ROWS, [1, 2])
    assert Labels.from_rows([(1,), (2,)]) != Labels.from_rows([(1, 2), ()])
    assert Labels.from_rows(ROWS) != ROWS


def test_labels_refuse_sizes_that_do_not_add_up() -> None:
    with pytest.raises(InputError, match="3 label rows for sentences of 4 words"):
        Labels.from_rows(ROWS, [4])


@pytest.mark.parametrize("huge", [2**31, 2**40, 2**70, 10**100])
def test_labels_clip_numbers_that_do_not_fit(huge: int) -> None:
    assert list(Labels.from_rows([(huge, -huge, 5)])) == [(2**31 - 1, -(2**31), 5)]


def test_labels_fixed_width_counts_what_it_repairs() -> None:
    labels = Labels.from_rows([(1, 2), (3,), (4, 5, 6), (-1, 7)], [1, 0, 3])
    matrix, repairs = labels.fixed_width(2)
    assert matrix.tolist() == [[1, 2], [3, 0], [4, 5], [0, 7]]
    assert repairs.tolist() == [0, 0, 3]


@given(st.lists(st.lists(st.integers(-1, 1), max_size=2), max_size=8))
def test_labels_count_different_rows(rows: list[list[int]]) -> None:
    assert Labels.from_rows(rows).distinct() == len(set(map(tuple, rows)))


def test_labels_show_short_sentences_only() -> None:
    assert repr(Labels.from_rows([(1,)])) == "Labels([(1,)])"
    assert repr(Labels.from_rows([(1,)] * 21)) == "<Labels of 21 words>"


def test_arcs_give_back_their_graphs() -> None:
    graphs = [Graph(2, [(0, 1, "_"), (1, 2, "_")]), Graph(0), Graph(3, [(3, 1, "_")]), Graph(1)]
    arcs = Arcs.of(graphs)
    assert list(arcs.graphs()) == graphs
    assert len(arcs) == 4
    assert arcs.starts.tolist() == [0, 2, 2, 3, 3]
