"""`WordCache`: for each word form seen so far a row of numbers (its characters, its subwords), in flat arrays.

A batch looks up all its words in one step: going over them one by one takes as long as a GPU takes to read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from threading import Lock
from typing import NamedTuple

import numpy as np

from arctag.blocks.forms import Forms
from arctag.encodings.labels import offsets_of
from arctag.layers.types import Longs

_MOST_FORMS = 500_000  # then the cache is emptied
_MOST_BLOCKS = 32  # whose words are remembered by number
Rows = Callable[[list[str]], Sequence[Sequence[int]]]


class CachedWords(NamedTuple):
    """The word forms of a batch by number, and the rows of those numbers.

    It stays valid whatever other threads look up: arrays are filled beyond what is used, or replaced.
    """

    numbers: Longs
    """Of each word, one sentence after another."""
    row_starts: Longs
    row_lengths: Longs
    values: Longs

    def lengths(self) -> Longs:
        """How long the row of each word is."""
        return self.row_lengths[self.numbers]

    def rows(self, numbers: Longs, longest: int | None = None) -> tuple[Longs, Longs]:
        """The rows of these numbers, one after another, and the length of each; no more than `longest` of a row."""
        lengths = self.row_lengths[numbers]
        if longest is not None:
            lengths = np.minimum(lengths, longest)
        offsets = offsets_of(lengths)
        places = np.repeat(self.row_starts[numbers] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return self.values[places], lengths


class WordCache:
    """Numbers word forms as they come, and keeps the row of each. Several threads may share it."""

    def __init__(self, rows: Rows) -> None:
        self._make = rows
        self._lock = Lock()
        self._clear()

    def __getstate__(self) -> Rows:
        return self._make  # a copy, or another process, starts with an empty cache: a lock cannot be pickled

    def __setstate__(self, rows: Rows) -> None:
        self.__init__(rows)  # type: ignore[misc]

    def _clear(self) -> None:
        self._numbers: dict[str, int] = {}
        self._blocks: dict[int, tuple[list[str], Longs]] = {}
        self._starts, self._lengths, self._values = (np.zeros(1, dtype=np.int64) for _ in range(3))
        self._used = 0

    def look_up(self, sentences: Iterable[Sequence[str]]) -> CachedWords:
        """The words of these sentences; new forms are added."""
        words = list(sentences)
        numbered = [forms for forms in words if isinstance(forms, Forms)]
        with self._lock:
            if len(self._numbers) > _MOST_FORMS:
                self._clear()
            if words and len(numbered) == len(words):
                numbers = self._of_forms(numbered)
            else:
                numbers = self._of_words(list(chain.from_iterable(words)))
            return CachedWords(numbers, self._starts, self._lengths, self._values)

    def _of_forms(self, sentences: list[Forms]) -> Longs:
        """The numbers of words that are numbered already, block by block: only distinct words are looked up."""
        blocks = {id(forms.names): forms.names for forms in sentences}
        tables = [self._of_block(names) for names in blocks.values()]
        first = dict(zip(blocks, offsets_of([len(table) for table in tables])[:-1].tolist(), strict=True))
        shifts = np.array([first[id(forms.names)] for forms in sentences], dtype=np.int64)
        places = np.repeat(shifts, [len(forms) for forms in sentences])
        places += np.concatenate([forms.numbers for forms in sentences])
        return np.concatenate(tables)[places]

    def _of_block(self, names: list[str]) -> Longs:
        if id(names) not in self._blocks:
            if len(self._blocks) >= _MOST_BLOCKS:
                self._blocks.clear()
            self._blocks[id(names)] = names, self._of_words(names)  # kept, so that no other list gets this identity
        return self._blocks[id(names)][1]

    def _of_words(self, words: list[str]) -> Longs:
        try:
            return self._known(words)
        except KeyError:
            self._add([word for word in dict.fromkeys(words) if word not in self._numbers])
            return self._known(words)

    def _known(self, words: list[str]) -> Longs:
        return np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))

    def _add(self, new: list[str]) -> None:
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


def _room(array: Longs, size: int) -> Longs:
    """The array, or a copy at least twice as large where it is too small: adding stays cheap."""
    if size <= len(array):
        return array
    larger = np.zeros(max(size, 2 * len(array)), dtype=array.dtype)
    larger[: len(array)] = array
    return larger
