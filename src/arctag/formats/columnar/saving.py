"""Writing tables: sentences become the rows of a file, or the rows of one file those of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import pyarrow as pa

from arctag.blocks.block import Block
from arctag.errors import InputError
from arctag.formats.columnar.batches import Batches
from arctag.formats.columnar.formats import ColumnFormat, check_table_name
from arctag.formats.columnar.reading import open_batches
from arctag.formats.columnar.schema import layout_of
from arctag.formats.files import is_stream, open_bytes
from arctag.formats.streams import Input
from arctag.sentence import Sentence


def save(
    sentences: Iterable[Sentence | Block],
    path: str | Path,
    format: ColumnFormat,
    losses: Counter[str] | None = None,
    layers: Sequence[str] = (),
) -> int:
    """Write sentences, or blocks of them, to a table and return their number: see `arctag.write`."""
    stream: Iterator[Any] = iter(sentences)
    first = next(stream, None)
    one = next(iter(first)) if isinstance(first, Block) else first
    batches = Batches(layers, one.further_graphs if one is not None else ())
    if one is not None:
        batches.begin(one)
    everything: Iterator[Any] = stream if first is None else chain([first], stream)
    groups = groupby(everything, lambda one: isinstance(one, Block))

    def made() -> Iterator[pa.RecordBatch]:
        for are_blocks, some in groups:
            for batch in (batches.of_blocks if are_blocks else batches.of)(some):
                if batches.faults:
                    raise InputError(f"cannot write {path}: {batches.faults[0]}")
                yield batch

    count = write_batches(made(), batches.schema, path, format)
    if losses is not None:
        losses.update(batches.lost)
    return count


def copy(source: Input, path: str | Path, format: ColumnFormat) -> int:
    """Write the rows of a table to another one as they are, with all their columns; their number."""
    schema, batches = open_batches(source, layout_of)
    return write_batches(batches, schema, path, format)


def write_batches(batches: Iterable[pa.RecordBatch], schema: pa.Schema, path: str | Path, format: ColumnFormat) -> int:
    """Write record batches to a file, which appears when it is complete; the number of their rows."""
    check_table_name(path)
    count = 0
    with open_bytes(path) as file, format.sink(file, schema, is_stream(path)) as sink:
        for batch in batches:
            sink.write(batch)
            count += len(batch)
    return count
