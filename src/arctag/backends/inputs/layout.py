"""Where the words of a batch stand: worked out once, so that a network never asks its device for a count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arctag.encodings.labels import offsets_of
from arctag.layers.types import Arrays, Longs


def layout(sizes: Sequence[int]) -> Arrays:
    """The sentence of each word (`owner`), its place in a padded batch (`places`), and in what order an LSTM reads the
    words (`read`, `unread`, `steps`)."""
    lengths = np.array(sizes, dtype=np.int64)
    owner, within = rows_and_steps(lengths)
    order, steps, _ = reading_order(lengths)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return {"lengths": lengths, "owner": owner, "places": owner * lengths.max(initial=0) + within,
            "read": order, "unread": back, "steps": steps}  # fmt: skip


def rows_and_steps(lengths: Longs) -> tuple[Longs, Longs]:
    """The row of each item, and its place there, for rows of these lengths one after another."""
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return rows, np.arange(len(rows)) - offsets_of(lengths)[:-1][rows]


def reading_order(lengths: Longs) -> tuple[Longs, Longs, Longs]:
    """How an LSTM reads rows side by side, the longest first: the items in order, how many at each step, and the rank
    of each row."""
    rank = np.empty_like(lengths)
    rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
    rows, within = rows_and_steps(lengths)
    steps = len(lengths) - np.searchsorted(np.sort(lengths), np.arange(lengths.max(initial=0)), side="right")
    order = np.empty_like(rows)
    order[offsets_of(steps)[within] + rank[rows]] = np.arange(len(rows))  # at each step the rows that are longer
    return order, steps, rank
