"""Shards: the inputs cut into parts, in order, each of which becomes a file; who parses them, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from arctag.errors import InputError
from arctag.formats import COLUMNAR, get_output_format
from arctag.formats.columnar.transcoding import Transcoder, empty_stream
from arctag.parsing.inputs import OutputChunk
from arctag.parsing.jobs import Rendered, Settings, Worker, make_jobs
from arctag.parsing.sources import DOCUMENTS
from arctag.ray.folder import Folder

WORDS = 250_000
"""Of a shard, about."""
DIFFERENT_COLUMNS = "the inputs differ in their columns: parse each kind to a folder of its own"


@dataclass
class Shard:
    """Consecutive chunks of the inputs. Which ones depends on the inputs and the size of shards only."""

    number: int
    chunks: list[OutputChunk] = field(default_factory=list)
    documents: int = 0
    """How many begin in it: texts of JSON lines and tables, else files."""
    words: int = 0
    """About how many it has."""
    size: float = 0.0
    """About how many bytes of the inputs it is."""


def cut(
    chunks: Iterable[OutputChunk], words: int, size: Callable[[OutputChunk], float] = lambda _: 0.0
) -> Iterator[Shard]:
    """Chunks in shards of about so many words; `size` says how much of the inputs a chunk is."""
    shard, before = Shard(0), None
    for one in chunks:
        shard.chunks.append(one)
        shard.words += one.chunk.words
        shard.documents += one.origin.format == DOCUMENTS or one.origin is not before
        shard.size += size(one)
        before = one.origin
        if shard.words >= words:
            yield shard
            shard = Shard(shard.number + 1)
    if shard.chunks:
        yield shard


@dataclass
class Done:
    """What came of a shard."""

    number: int = 0
    fault: str = ""
    """Why it was given up: no actor survived it."""
    documents: int = 0
    sentences: int = 0
    words: int = 0
    size: float = 0.0
    """About how many bytes of the inputs it is."""
    messages: list[str] = field(default_factory=list)
    """Sentences and documents that could not be parsed, and why."""
    lost: Counter[str] = field(default_factory=Counter)
    """What the format has no room for."""
    header: bytes = b""
    """What the file begins with: all must have the same columns."""


class ShardWorker:
    """A loaded model that parses shards and writes them."""

    def __init__(self, settings: Settings, folder: Folder, alone: bool = False) -> None:
        """`alone` if there is one input: its last sentence need not be followed by an empty line."""
        self.settings, self.folder, self.alone = settings, folder, alone
        folder.check()
        self.worker = Worker(settings)

    def ready(self) -> None:
        """Returns when the model is loaded."""

    def parse(self, shard: Shard) -> Done:
        """Parse a shard and write it."""
        done = Done(shard.number, documents=shard.documents, size=shard.size)
        with self.folder.open(shard.number) as file:
            writer = _writer(file, self.settings.to, self.alone)
            for result in self.worker.results(make_jobs(shard.chunks)):
                for rendered in result.rendered:
                    writer.add(rendered)
                done.sentences += result.sentences
                done.words += result.words
                done.messages += result.messages
                done.lost.update(result.lost)
            writer.close()
        done.header = writer.header
        return done


class _TextWriter:
    """Writes what was rendered to a file: the header, then sentences."""

    def __init__(self, file: BinaryIO, to: str, alone: bool) -> None:
        self.file, self.alone, self.header = file, alone, b""
        self.begun = False
        self.empty = get_output_format(to).header.encode()

    def add(self, rendered: Rendered) -> None:
        """Write the next sentences."""
        data = rendered.data
        if not data:
            return
        if self.begun and rendered.header != self.header:
            raise InputError(DIFFERENT_COLUMNS)
        if not self.begun:
            self.header, self.begun = rendered.header, True
            self._write(self.header)
        self._write(data if self.alone or data.endswith(b"\n\n") else data + b"\n")

    def close(self) -> None:
        """All is written."""
        if not self.begun:
            self._write(self.empty)

    def _write(self, data: bytes) -> None:
        self.file.write(data)


class _TableWriter(_TextWriter):
    """The same for a table, of parts of an Arrow stream."""

    def __init__(self, file: BinaryIO, to: str) -> None:
        self.table = Transcoder(file, COLUMNAR[to])
        self.file, self.alone, self.header, self.begun = file, True, b"", False
        self.empty = empty_stream()

    def close(self) -> None:
        super().close()
        self.table.close()

    def _write(self, data: bytes) -> None:
        self.table.add(data)


def _writer(file: BinaryIO, to: str, alone: bool) -> _TextWriter:
    return _TableWriter(file, to) if to in COLUMNAR else _TextWriter(file, to, alone)
