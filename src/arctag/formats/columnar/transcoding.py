"""Tables out of Arrow streams: rows come as parts of a stream, from several processes, and are written to one file."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from arctag.formats.columnar.formats import ColumnFormat
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.schema import schema_of
from arctag.formats.columnar.writing import Sink, header


class Transcoder:
    """Writes a table of what is added to it: the beginning of a stream, with its schema, then more of its rows."""

    def __init__(self, file: BinaryIO, format: ColumnFormat) -> None:
        """What is written to the file can be read before it is complete, if the format has a way."""
        self._file, self._format = file, format
        self._stack = ExitStack()
        self._sink: Sink | None = None
        self._schema = b""

    def add(self, data: bytes) -> None:
        """Write the next rows."""
        reader = pa.ipc.open_stream(self._schema + data)
        if self._sink is None:
            self._schema = header(reader.schema)
            self._sink = self._stack.enter_context(self._format.sink(self._file, reader.schema, stream=True))
        for batch in reader:
            self._sink.write(batch)

    def close(self) -> None:
        """Write what is held back, and the end of the table."""
        self._stack.close()


def transcode(stream: Path, file: BinaryIO, format: ColumnFormat) -> None:
    """Write the table that a whole stream stands for."""
    with pa.OSFile(str(stream)) as source:
        reader = pa.ipc.open_stream(source)
        with format.sink(file, reader.schema) as sink:
            for batch in reader:
                sink.write(batch)


def empty_stream() -> bytes:
    """A stream without rows."""
    return header(schema_of(Layout()))
