"""Files of record batches: Parquet, Arrow IPC files and streams, known by how they begin, read a few rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from arctag.errors import FormatError
from arctag.formats.columnar.magic import IPC_FILE, IPC_STREAM, PARQUET
from arctag.formats.streams import Input, Opened, name_of, opened

ROWS = 1_024
"""Of a batch: some ten thousand words, whose text fits into the caches of a processor."""
_DAMAGED = (pa.ArrowException, OSError, EOFError, ValueError, KeyError)


class Opening(NamedTuple):
    """A file whose batches have yet to come."""

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]


@contextmanager
def damage(source: str) -> Iterator[None]:
    """What pyarrow says of a damaged file, as a `FormatError`."""
    try:
        yield
    except _DAMAGED as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        found = f"a table that cannot be read ({reason:.200})"
        raise FormatError(source, None, found, "a whole Parquet or Arrow file") from error


def open_batches(
    source: Input, check: Callable[[pa.Schema, str], object], columns: Sequence[str] | None = None
) -> Opening:
    """Open a file of record batches whose schema passes a check; of columns that are named, it has what is there."""
    name, file = name_of(source), opened(source)
    try:
        with damage(name):
            if file.beginning().startswith(PARQUET):
                schema, batches = _parquet(file, columns)
            elif file.beginning().startswith(IPC_FILE):
                schema, batches = _ipc_file(file)
            else:
                schema, batches = _ipc_stream(file)
            check(schema, name)
    except BaseException:
        file.close()
        raise
    return Opening(schema, _sliced(name, file, batches))


def columns_in(file: Opened) -> list[str]:
    """The names of the columns of a file, which is left as it was."""
    with damage(file.name):
        if file.beginning().startswith(PARQUET):
            schema = pq.read_schema(file.random_access())
        elif file.beginning().startswith(IPC_FILE):
            schema = pa.ipc.open_file(file.random_access()).schema
        else:
            schema = pa.ipc.read_schema(pa.BufferReader(file.beginning(_has_schema)))
        names: list[str] = schema.names
        return names


def _has_schema(start: bytes) -> bool:
    """Whether the first message of a stream, which has the schema, is there: its length follows its mark."""
    size = len(IPC_STREAM)
    return len(start) >= 2 * size + int.from_bytes(start[size : 2 * size], "little")


def _sliced(name: str, file: Opened, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The batches, cut into small ones."""
    with file:
        while True:
            with damage(name):
                batch = next(batches, None)
            if batch is None:
                return
            with damage(name):
                batch.validate(full=True)  # lengths, and UTF-8: nothing is looked at twice
            for start in range(0, len(batch), ROWS):
                yield batch.slice(start, ROWS)


def _parquet(file: Opened, columns: Sequence[str] | None) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    table: Any = pq.ParquetFile(file.random_access(), pre_buffer=False)
    schema = table.schema_arrow
    there = None if columns is None else [name for name in columns if name in schema.names]
    return schema, table.iter_batches(ROWS, columns=there, use_threads=False)


def _ipc_file(file: Opened) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    reader: Any = pa.ipc.open_file(file.random_access())
    return reader.schema, (reader.get_batch(number) for number in range(reader.num_record_batches))


def _ipc_stream(file: Opened) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    reader: Any = pa.ipc.open_stream(file.stream())
    return reader.schema, iter(reader)
