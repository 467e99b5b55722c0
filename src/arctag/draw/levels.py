"""How high each arc lies, and where on it the label stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def stack(left: Floats, right: Floats, lengths: Floats, last: Sequence[bool]) -> Ints:
    """A level from 1 for each closed range: one more than the highest one placed before that it meets.

    Those of small `lengths` are placed first; those marked `last` after all others.
    """
    levels = np.zeros(len(left), dtype=np.int64)
    points = np.unique(np.concatenate([left, right]))
    starts, ends = np.searchsorted(points, left), np.searchsorted(points, right)
    heights = np.zeros(len(points), dtype=np.int64)
    order = np.lexsort((np.arange(len(left)), lengths, np.asarray(last, dtype=bool)))
    for i in order.tolist():
        inside = heights[starts[i] : ends[i] + 1]
        levels[i] = inside.max() + 1
        inside[:] = levels[i]
    return levels


def label_centres(
    middles: Floats,
    ends: tuple[Floats, Floats],
    legs: tuple[Bools, Bools],
    fixed: Bools,
    levels: Ints,
    labels: Floats,
    pad: float,
) -> Floats:
    """The middle of each label: that of its deck, or the nearest place where no leg runs through it.

    `legs` says which of the two ends of an arc have a leg; a `fixed` label stays at its place in `middles`.
    """
    places = np.concatenate([ends[0][legs[0]], ends[1][legs[1]]])
    heights = np.concatenate([levels[legs[0]], levels[legs[1]]])
    order = np.argsort(places, kind="stable")
    places, heights = places[order], heights[order]
    centres = middles.copy()
    for i in np.flatnonzero(~fixed).tolist():
        left, right = sorted((float(ends[0][i]), float(ends[1][i])))
        inside = slice(np.searchsorted(places, left, "right"), np.searchsorted(places, right, "left"))
        walls = places[inside][heights[inside] > levels[i]]
        if len(walls):
            centres[i] = _nearest_gap(left, right, walls, float(labels[i]), pad)
    return centres


def _nearest_gap(left: float, right: float, walls: Floats, width: float, pad: float) -> float:
    """The place nearest to the middle of left..right where `width` fits between walls; else the middle."""
    middle = (left + right) / 2
    starts = np.concatenate([[left], walls]) + width / 2 + pad
    ends = np.concatenate([walls, [right]]) - width / 2 - pad
    fits = starts <= ends
    if not fits.any():
        return middle
    places = np.clip(middle, starts[fits], ends[fits])
    return float(places[np.argmin(np.abs(places - middle))])
