"""`LabelSpace`: label rows as the numbers a network predicts. It is all a network learns of an encoding.

A word gets one number for each *group*. With one softmax over whole labels, as in the paper, there
is a single group, whose numbers are the labels seen in training. With a factored space every
column of the row is a group of its own, so that rows never seen in training can be predicted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from arctag.encodings import Encoding, LabelRow, Labels
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.graph import IntArray

Ids = npt.NDArray[np.int64]
UNKNOWN = -100
"""The number of a label that is not in the space: no loss, never right."""


@dataclass(frozen=True, eq=False)
class LabelSpace:
    """Rows ↔ numbers, one per group."""

    rows: tuple[LabelRow, ...] = ()
    """The labels, most frequent first; empty if factored."""
    factors: tuple[int, ...] = ()
    """For a factored space, how many values each column of a row can take."""

    @cached_property
    def _ids(self) -> dict[LabelRow, int]:
        return {row: i for i, row in enumerate(self.rows)}

    @cached_property
    def _table(self) -> Labels:
        return Labels.from_rows(self.rows)

    @cached_property
    def _width(self) -> int | None:
        """The length of all rows, if they have the same."""
        widths = {len(row) for row in self.rows}
        return widths.pop() if len(widths) == 1 else None

    @classmethod
    def build(cls, labels: Labels, least: int = 1) -> LabelSpace:
        """The labels that occur at least so often; rarer ones are `UNKNOWN` in training."""
        counts = Counter(labels)
        rows = [row for row, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if count >= least]
        if not rows:
            raise InputError(f"no label occurs {least} times: there is nothing to learn")
        return cls(tuple(rows))

    @classmethod
    def factored(cls, encoding: Encoding) -> LabelSpace:
        """A group for each column; only for encodings whose columns are bounded."""
        if not encoding.factors:
            raise InputError(f"{encoding.name} has no bounded columns; a factored head goes with bits4-K or bits6-K")
        return cls(factors=encoding.factors)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many numbers each group has: the sizes of the softmaxes."""
        return self.factors or (len(self.rows),)

    def ids(self, labels: Labels) -> Ids:
        """The numbers of labels: [words, groups]."""
        if self.factors:
            return labels.fixed_width(len(self.factors))[0].astype(np.int64)
        return np.array([self._ids.get(row, UNKNOWN) for row in labels], dtype=np.int64).reshape(-1, 1)

    def labels(self, ids: Ids, sizes: IntArray) -> Labels:
        """The labels behind numbers [words, groups] of sentences of these sizes."""
        if self.factors:
            return Labels.from_matrix(np.ascontiguousarray(ids, dtype=np.int32), sizes)
        table, chosen = self._table, ids[:, 0]
        if self._width is not None:
            matrix = table.values.reshape(len(table), self._width)
            return Labels.from_matrix(matrix.take(chosen, axis=0), sizes)  # fifteen times as fast as matrix[chosen]
        lengths = np.diff(table.offsets).take(chosen)
        offsets = offsets_of(lengths)
        places = np.repeat(table.offsets.take(chosen) - offsets[:-1], lengths) + np.arange(offsets[-1])
        return Labels(table.values.take(places), offsets, sizes)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {"factors": list(self.factors)} if self.factors else {"rows": [list(row) for row in self.rows]}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> LabelSpace:
        """From `to_json`; anything else is an `InputError`."""
        try:
            rows = tuple(tuple(int(cell) for cell in row) for row in value.get("rows", ()))
            return cls(rows, tuple(int(size) for size in value.get("factors", ())))
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InputError(f"not a label space: {error}") from error


def relation_vocabulary(relations: Iterable[tuple[tuple[str, ...], int]]) -> list[tuple[str, ...]]:
    """Every set of relations that arcs carry, given with their numbers, most frequent first: classes of a head."""
    counts: Counter[tuple[str, ...]] = Counter()
    for names, count in relations:
        if count:
            counts[tuple(sorted(names))] += count
    return sorted(counts, key=lambda names: (-counts[names], names))
