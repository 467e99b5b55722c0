"""Where on its arc each label stands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from arctag.draw.scene import Edge

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def label_centres(
    edges: Sequence[Edge], head_x: Floats, dependent_x: Floats, levels: Ints, labels: Floats, pad: float
) -> Floats:
    """The middle of each label: that of its deck, or the nearest place where no leg runs through it."""
    own_leg = np.array([not edge.root for edge in edges], dtype=bool)
    legs = np.concatenate([head_x[own_leg], dependent_x])
    leg_levels = np.concatenate([levels[own_leg], levels])
    order = np.argsort(legs, kind="stable")
    legs, leg_levels = legs[order], leg_levels[order]
    centres = (head_x + dependent_x) / 2
    for i, edge in enumerate(edges):
        if edge.root or edge.loop:
            continue
        left, right = sorted((float(head_x[i]), float(dependent_x[i])))
        inside = slice(np.searchsorted(legs, left, "right"), np.searchsorted(legs, right, "left"))
        walls = legs[inside][leg_levels[inside] > levels[i]]
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
