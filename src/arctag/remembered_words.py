"""`RememberedWords`: for each word form met so far a row of numbers (its characters, its pieces), in flat arrays.

A batch asks for the rows of its words in one step: going over them one by one takes as long as a GPU takes to read
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import offsets_of

Longs = npt.NDArray[np.int64]
_MOST_FORMS = 500_000  # then the memory starts anew
Rows = Callable[[list[str]], Sequence[Sequence[int]]]


class RememberedWords:
    """Numbers word forms as they come, and keeps the row of each. It knows no locks: one thread at a time."""

    def __init__(self, rows: Rows) -> None:
        self._make = rows
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._starts, self._lengths, self._values = (np.zeros(1, dtype=np.int64) for _ in range(3))
        self._used = 0

    def numbers(self, sentences: Iterable[Sequence[str]]) -> Longs:
        """The number of each word, one sentence after another. Numbers are good until the next call."""
        words = list(chain.from_iterable(sentences))
        if len(self._numbers) > _MOST_FORMS:
            self._forget()
        try:
            return self._known(words)
        except KeyError:
            self._learn([word for word in dict.fromkeys(words) if word not in self._numbers])
            return self._known(words)

    def _known(self, words: list[str]) -> Longs:
        return np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))

    def _learn(self, new: list[str]) -> None:
        rows = self._make(new)
        if len(rows) != len(new):
            raise ValueError(f"{len(rows)} rows for {len(new)} words")
        count = len(self._numbers)
        lengths = np.array([len(row) for row in rows], dtype=np.int64)
        values = np.array([value for row in rows for value in row], dtype=np.int64)
        self._starts = _room(self._starts, count + len(rows))
        self._lengths = _room(self._lengths, count + len(rows))
        self._values = _room(self._values, self._used + len(values))
        self._lengths[count : count + len(rows)] = lengths
        self._starts[count : count + len(rows)] = self._used + offsets_of(lengths)[:-1]
        self._values[self._used : self._used + len(values)] = values
        self._used += len(values)
        self._numbers.update(zip(new, range(count, count + len(new)), strict=True))

    def lengths(self, numbers: Longs) -> Longs:
        """How long the rows of these forms are."""
        return self._lengths[numbers]

    def rows(self, numbers: Longs, longest: int | None = None) -> tuple[Longs, Longs]:
        """The rows of these forms, one after another, and the length of each; no more than `longest` of a row."""
        lengths = self._lengths[numbers]
        if longest is not None:
            lengths = np.minimum(lengths, longest)
        offsets = offsets_of(lengths)
        places = np.repeat(self._starts[numbers] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return self._values[places], lengths


def _room(array: Longs, size: int) -> Longs:
    """The array, or a copy at least twice as large where it is too small: adding stays cheap."""
    if size <= len(array):
        return array
    larger = np.zeros(max(size, 2 * len(array)), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
