"""The counts of each sentence as a short text, so that p values can be computed from the results alone.

Three numbers per sentence (gold, system and correct labelled arcs, tops included) are stored column by column as
differences, which are mostly 0, compressed with zlib and written in base64.
"""

from __future__ import annotations

import base64
import zlib

import numpy as np

from arctag.metrics import METRICS, Counts

METRIC = METRICS["sdp"]
COLUMNS = METRIC.headline.columns
"""Gold, system and correct arcs among the metric's counts."""
_WIDTH = max(COLUMNS) + 1


def pack(counts: Counts) -> str:
    """The headline columns of the sdp metric's counts, as text."""
    gold, system, correct = (counts[:, column] for column in COLUMNS)
    columns = np.stack([gold, system - gold, gold - correct])
    small = columns.astype("<i2")
    if not np.array_equal(small, columns):
        raise ValueError("a sentence of more than 32,767 arcs")
    return base64.b64encode(zlib.compress(small.tobytes(), 9)).decode("ascii")


def unpack(text: str) -> Counts:
    """Counts that the sdp metric can take its headline figure from; its other columns are 0."""
    flat = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype="<i2").astype(np.int64)
    gold, over, missed = flat.reshape(3, -1)
    counts = np.zeros((len(gold), _WIDTH), dtype=np.int64)
    for column, values in zip(COLUMNS, (gold, gold + over, gold - missed), strict=True):
        counts[:, column] = values
    return counts
