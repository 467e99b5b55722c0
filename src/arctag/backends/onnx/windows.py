"""The windows of a batch in jobs of equal length, and the vectors of words from those of their subwords."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import offsets_of
from arctag.layers.types import Arrays, Floats, Longs


class Windows:
    """Where words stand in windows."""

    def __init__(self, arrays: Arrays) -> None:
        self.subwords = arrays["subwords"]
        self.lengths: Longs = arrays["mask"].sum(1)
        width = self.subwords.shape[1]
        window, self.first = np.divmod(arrays["first"], width)
        self.last: Longs | None = arrays["last"] % width if "last" in arrays else None
        self.words = offsets_of(np.bincount(window, minlength=len(self.subwords)))
        """Where the words of each window begin: windows and words are in the same order."""

    def jobs(self, most: int) -> list[Longs]:
        """Numbers of windows of one length, at most so many subwords together, the longest windows first."""
        order = np.argsort(-self.lengths, kind="stable")
        lengths, starts = np.unique(-self.lengths[order], return_index=True)
        jobs: list[Longs] = []
        for length, windows in zip((-lengths).tolist(), np.split(order, starts[1:]), strict=True):
            count = max(1, most // length)
            jobs += [windows[i : i + count] for i in range(0, len(windows), count)]
        return jobs

    def take(self, job: Longs) -> Longs:
        """[windows, length]: the subwords of a job."""
        return np.ascontiguousarray(self.subwords[job, : self.lengths[job[0]]])

    def pool(self, job: Longs, states: npt.NDArray[Any]) -> tuple[Longs, Floats]:
        """The words of a job, and their vectors from those of its subwords."""
        counts = np.diff(self.words)[job]
        words = spread(self.words[job], counts)
        flat: Floats = states.reshape(-1, states.shape[-1])
        base = np.repeat(np.arange(len(job)) * states.shape[1], counts)
        first = base + self.first[words]
        if self.last is None:
            return words, flat[first]
        sizes = self.last[words] - self.first[words] + 1
        sums: Floats = np.add.reduceat(flat[spread(first, sizes)], offsets_of(sizes)[:-1])
        return words, (sums / sizes[:, None]).astype(np.float32)


def spread(starts: Longs, counts: Longs) -> Longs:
    """For each start, so many numbers counting up from it, one after another."""
    before = offsets_of(counts)[:-1]
    numbers: Longs = np.repeat(starts - before, counts) + np.arange(counts.sum())
    return numbers
