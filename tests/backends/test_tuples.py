"""Tuples of relations: which arc of a word gets which."""

from __future__ import annotations

import numpy as np

from arctag.layers.tuples import RelationTuples


def test_tuples_name_arcs_in_the_order_of_heads() -> None:
    tuples = RelationTuples.of(((), (1,), (0, 1)))
    words = np.array([0, 1, 1, 2, 2])  # the dependents of five arcs
    # no relation predicted: the first one; too few: the last one again
    assert tuples.relations(np.array([0, 1, 2]), words).tolist() == [0, 1, 1, 0, 1]
    assert tuples.relations(np.array([2, 2, 0]), words).tolist() == [0, 0, 1, 0, 0]
    assert tuples.relations(np.array([0, 1, 2]), words[:0]).tolist() == []
