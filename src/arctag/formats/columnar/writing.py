"""Files of record batches: Parquet in row groups, Arrow IPC as files and streams, all compressed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

COMPRESSION = "zstd"
_GROUP = 64 << 20  # bytes of a row group before they are compressed
_END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"
_SEARCHED = ["doc_id", "sent_id"]  # the columns whose smallest and largest values help a query


class Sink(Protocol):
    """What record batches are written to."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Add the rows of a batch."""


class _Parquet:
    """Rows are held back until they make a row group."""

    def __init__(self, writer: Any) -> None:
        self.writer, self.held, self.size = writer, list[pa.RecordBatch](), 0

    def write(self, batch: pa.RecordBatch) -> None:
        self.held.append(batch)
        self.size += batch.get_total_buffer_size()
        if self.size >= _GROUP:
            self.flush()

    def flush(self) -> None:
        if self.held:
            table = pa.Table.from_batches(self.held)
            self.writer.write_table(table, row_group_size=len(table))
            self.held, self.size = [], 0


@contextmanager
def parquet(file: BinaryIO, schema: pa.Schema) -> Iterator[Sink]:
    """Write a Parquet file; where it stands need not be one in which one can go back."""
    with pq.ParquetWriter(file, schema, compression=COMPRESSION, write_statistics=_SEARCHED) as writer:
        sink = _Parquet(writer)
        yield sink
        sink.flush()


@contextmanager
def arrow(file: BinaryIO, schema: pa.Schema, stream: bool = False) -> Iterator[Sink]:
    """Write an Arrow IPC file or, for a pipe, a stream: that can be read while it is written."""
    options = pa.ipc.IpcWriteOptions(compression=COMPRESSION)
    make = pa.ipc.new_stream if stream else pa.ipc.new_file
    with make(file, schema, options=options) as writer:
        yield writer


def messages(batch: pa.RecordBatch) -> bytes:
    """A batch as a part of an Arrow stream, without the schema that such a stream begins with, and without its end."""
    out = pa.BufferOutputStream()
    with arrow(out, batch.schema, stream=True) as sink:
        sink.write(batch)
    data: bytes = out.getvalue().to_pybytes()
    return data.removeprefix(header(batch.schema)).removesuffix(_END_OF_STREAM)


def header(schema: pa.Schema) -> bytes:
    """What an Arrow stream with this schema begins with."""
    data: bytes = schema.serialize().to_pybytes()
    return data
