"""The windows of a batch, sorted into parts of equal length, and the vectors of words from those of their pieces."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arctag.backends.inputs import Arrays
from arctag.backends.protocol import Floats, Longs
from arctag.encodings.labels import offsets_of


class Windows:
    """Where words stand in windows."""

    def __init__(self, arrays: Arrays) -> None:
        self.pieces = arrays["pieces"]
        self.lengths: Longs = arrays["mask"].sum(1)
        width = self.pieces.shape[1]
        window, self.first = np.divmod(arrays["first"], width)
        self.last: Longs | None = arrays["last"] % width if "last" in arrays else None
        self.words = offsets_of(np.bincount(window, minlength=len(self.pieces)))
        """Where the words of each window begin: windows and words are in the same order."""

    def parts(self, most: int) -> list[Longs]:
        """Numbers of windows of one length, at most so many pieces together, the longest windows first."""
        order = np.argsort(-self.lengths, kind="stable")
        lengths, starts = np.unique(-self.lengths[order], return_index=True)
        parts = []
        for length, windows in zip((-lengths).tolist(), np.split(order, starts[1:]), strict=True):
            count = max(1, most // length)
            parts += [windows[i : i + count] for i in range(0, len(windows), count)]
        return parts

    def take(self, part: Longs) -> Longs:
        """[windows, length]: the pieces of a part."""
        return np.ascontiguousarray(self.pieces[part, : self.lengths[part[0]]])

    def pool(self, part: Longs, states: npt.NDArray[Any]) -> tuple[Longs, Floats]:
        """The words of a part, and their vectors from those of its pieces."""
        counts = np.diff(self.words)[part]
        words = spread(self.words[part], counts)
        flat: Floats = states.reshape(-1, states.shape[-1])
        base = np.repeat(np.arange(len(part)) * states.shape[1], counts)
        first = base + self.first[words]
        if self.last is None:
            return words, flat[first]
        sizes = self.last[words] - self.first[words] + 1
        sums: Floats = np.add.reduceat(flat[spread(first, sizes)], offsets_of(sizes)[:-1])
        return words, (sums / sizes[:, None]).astype(np.float32)


def spread(starts: Longs, counts: Longs) -> Longs:
    """For each start, so many numbers counting up from it, one after another."""
    before = offsets_of(counts)[:-1]
    found: Longs = np.repeat(starts - before, counts) + np.arange(counts.sum())
    return found
