"""`ColumnFormat`: files that are tables of sentences, a format among others. pyarrow is imported when one is used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from arctag.blocks.block import Block
from arctag.errors import FormatError, InputError, MissingExtra
from arctag.formats.base import InputFormat
from arctag.formats.block_format import reported
from arctag.formats.columnar.magic import IPC_FILE, IPC_STREAM, PARQUET
from arctag.formats.packing import packing_of_name
from arctag.formats.streams import Input, OnError, Opened, name_of
from arctag.sentence import Sentence

if TYPE_CHECKING:
    import pyarrow as pa

    from arctag.formats.columnar.writing import Sink


class RecordedError(FormatError):
    """A row has an error in place of a sentence: something could not be parsed when the table was written."""


def need_pyarrow() -> None:
    """`MissingExtra`, with the command that installs it, where pyarrow is not there."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingExtra("Reading and writing Parquet and Arrow", "arrow") from error


def check_table_name(path: str | Path) -> None:
    """Refuse a name that says that the file is packed: the columns of tables are."""
    if (packing := packing_of_name(path)) is not None:
        raise InputError(f"cannot write {path}: tables are compressed inside; leave out {packing.suffix}")


@dataclass(frozen=True)
class BatchChunk:
    """Some rows of a table."""

    source: str
    """How the file is named in messages."""
    row: int
    """The number of the first row in the file."""
    batch: pa.RecordBatch
    last: bool
    """Whether these are the last rows of the file."""

    @cached_property
    def data(self) -> bytes:
        """The rows as an Arrow stream."""
        from arctag.formats.columnar.writing import header, messages

        return header(self.batch.schema) + messages(self.batch)

    @property
    def words(self) -> int:
        """How many words they have."""
        return len(self.batch.column("form").flatten())

    def __reduce__(self) -> tuple[Any, tuple[str, int, bytes, bool]]:
        return _received, (self.source, self.row, self.data, self.last)  # other processes get these rows alone


def _received(source: str, row: int, data: bytes, last: bool) -> BatchChunk:
    import pyarrow as pa

    return BatchChunk(source, row, pa.ipc.open_stream(data).read_next_batch(), last)


class ColumnFormat(InputFormat[BatchChunk]):
    """A format of tables. All of them are read by how they begin, whichever of them their names announce."""

    def __init__(self, name: str, suffixes: tuple[str, ...], magic: tuple[bytes, ...]) -> None:
        self.name, self.suffixes, self.magic = name, suffixes, magic

    def recognises(self, start: bytes) -> bool:
        """Whether a file begins so."""
        return start.startswith(self.magic)

    def chunks(self, source: Input, tolerant: bool = False) -> Iterator[BatchChunk]:  # noqa: ARG002
        """The rows of a file, a thousand at a time; damage is always found when they are read."""
        need_pyarrow()
        from arctag.formats.columnar.reading import open_batches
        from arctag.formats.columnar.schema import COLUMNS, layout_of

        _, batches = open_batches(source, layout_of, COLUMNS)
        row, before = 1, None
        for batch in batches:
            if before is not None:
                yield BatchChunk(name_of(source), row, before, last=False)
                row += len(before)
            before = batch
        if before is None:
            raise FormatError(name_of(source), None, "no sentence (the table is empty)", "at least one sentence")
        yield BatchChunk(name_of(source), row, before, last=True)

    def columns(self, source: Opened) -> list[str]:
        """The names of the columns of a file, which is left as it was."""
        need_pyarrow()
        from arctag.formats.columnar.reading import columns_in

        return columns_in(source)

    def sentences(
        self, chunks: Iterable[BatchChunk], words_only: bool = False, on_error: OnError | None = None
    ) -> Iterator[Sentence]:
        """The sentences of chunks."""
        for block in self.blocks(chunks, words_only, on_error):
            yield from block

    def blocks(
        self, chunks: Iterable[BatchChunk], words_only: bool = False, on_error: OnError | None = None
    ) -> Iterator[Block]:
        """The blocks of chunks."""
        return reported(_blocks(chunks, words_only), on_error)

    def sink(self, file: BinaryIO, schema: pa.Schema, stream: bool = False) -> AbstractContextManager[Sink]:
        """What record batches are written to; `stream` if the file is a pipe."""
        from arctag.formats.columnar import writing

        return writing.parquet(file, schema) if self is PARQUET_FORMAT else writing.arrow(file, schema, stream)


def _blocks(chunks: Iterable[BatchChunk], words_only: bool) -> Iterator[Block]:
    need_pyarrow()
    from arctag.formats.columnar.blocks import BatchReader
    from arctag.formats.columnar.schema import layout_of

    for chunk in chunks:
        reader = BatchReader(layout_of(chunk.batch.schema, chunk.source), chunk.source, words_only)
        yield from reader.blocks(chunk.batch, chunk.row, chunk.last)


PARQUET_FORMAT = ColumnFormat("parquet", (".parquet", ".pq"), (PARQUET,))
ARROW_FORMAT = ColumnFormat("arrow", (".arrow", ".feather", ".arrows"), (IPC_FILE, IPC_STREAM))
