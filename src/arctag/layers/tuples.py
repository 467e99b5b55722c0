"""`RelationTuples`: the relations of a word's arcs as one tuple, and which arc gets which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arctag.encodings.labels import offsets_of
from arctag.layers.types import Longs


class RelationTuples(NamedTuple):
    """Tuples of relation numbers, one after another."""

    values: Longs
    starts: Longs
    lengths: Longs

    @classmethod
    def of(cls, tuples: Sequence[Sequence[int]]) -> RelationTuples:
        """An empty tuple stands for relation 0: an arc must have some relation."""
        filled = [numbers or (0,) for numbers in tuples]
        lengths = np.array([len(numbers) for numbers in filled], dtype=np.int64)
        values = np.array([number for numbers in filled for number in numbers], dtype=np.int64)
        return cls(values, offsets_of(lengths)[:-1], lengths)

    def relations(self, numbers: Longs, words: Longs) -> Longs:
        """The relation of each arc from the tuple of each word; `words` are the dependents, sorted.

        The arcs of a word get its relations in order; the last one serves again if there are too few.
        """
        rank = np.arange(len(words)) - np.searchsorted(words, words)
        chosen = numbers[words]
        relations: Longs = self.values[self.starts[chosen] + np.minimum(rank, self.lengths[chosen] - 1)]
        return relations
