"""How much of the inputs a chunk is, about: for progress bars and estimates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from arctag.formats.columnar.formats import BatchChunk
from arctag.formats.packing import packing_of_name
from arctag.formats.streams import Opened
from arctag.parsing.inputs import OutputChunk
from arctag.parsing.sources import DOCUMENTS, Source

_SAMPLE = 1 << 20  # bytes of JSON lines that are looked at for how long they are


class Sizes:
    """The bytes of local files that are not packed, and what a row or line of each takes."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.total: float | None = 0.0
        """Of all inputs; None if that is unknown."""
        self._rows: dict[str, float] = {}
        for source in sources:
            path = Path(source.path)
            if not path.is_file() or packing_of_name(path):
                self.total = None
                return
            size = path.stat().st_size
            self.total += size
            if (rows := _rows(source, size)) is not None:
                self._rows[source.origin.name] = size / max(1.0, rows)

    def of(self, one: OutputChunk) -> float:
        """About how many bytes of the inputs a chunk is; only where the total is known."""
        if self.total is None:
            return 0.0
        if isinstance(one.chunk, BatchChunk):
            return len(one.chunk.batch) * self._rows.get(one.origin.name, 0.0)
        return self._rows[one.origin.name] if one.origin.name in self._rows else len(one.chunk.data)


def _rows(source: Source, size: int) -> float | None:
    """About how many documents, or rows with sentences, a file has; None for files of other kinds."""
    try:
        if source.named_format == "parquet":
            return float(pq.read_metadata(source.path).num_rows)
    except (pa.ArrowException, OSError):
        return None  # it is reported when it is read
    if source.format != DOCUMENTS:
        return None
    with Opened(source.path) as opened:
        sample = opened.beginning(lambda start: len(start) >= _SAMPLE)
    return size / len(sample) * sample.count(b"\n") if sample else None
