"""From what the user names to one stream of chunks: texts, files and folders are found, opened in turn and cut."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol
from zlib import crc32

from arctag.errors import ArctagError, InputError
from arctag.formats import Chunk
from arctag.formats.columnar.formats import need_pyarrow
from arctag.formats.pieces import Piece, last_document
from arctag.formats.recognition import kind_of_name
from arctag.formats.resumable import Unfinished
from arctag.parsing.sources import TEXT, Origin, Source, suffixes
from arctag.text.documents import Fields

_ADDRESS = re.compile(r"[a-z][a-z0-9+]*://\S+$")
_FILE_NAME = re.compile(r"\S*[/\\]\S*|\S*\.(?=[a-z0-9]*[a-z])[a-z0-9]{2,6}", re.IGNORECASE)


class Reporter(Protocol):
    """What problems with an input are reported to."""

    def warn(self, message: str) -> None:
        """Something odd that does not keep an input from being parsed."""

    def fail(self, message: str) -> None:
        """An input that cannot be read, or not to its end."""


@contextmanager
def find_sources(
    inputs: Sequence[str], format: str | None, layout: str, output: Path | None = None, fields: Fields | None = None
) -> Iterator[list[Source]]:
    """The sources that inputs stand for: texts, files, the files in folders, standard input (`-`).

    What is in the folder `output` is no input. `fields` say where documents stand in JSON lines and tables.
    """
    streams = [argument for argument in inputs if argument == "-" or _is_stream(Path(argument))]
    if len(set(streams)) < len(streams):
        raise InputError("a stream can be read only once, and one is given twice: leave out the second")
    sources = [source for argument in inputs for source in _sources_at(argument, format, layout, output, fields)]
    try:
        yield sources
    finally:
        for source in sources:
            source.close()


def _sources_at(
    argument: str, format: str | None, layout: str, output: Path | None, fields: Fields | None
) -> Iterator[Source]:
    """A text, a file, or the files in a folder."""
    path = Path(argument or " ")  # an empty text is not the current folder
    if _ADDRESS.match(argument) and not _exists(path):
        yield from (Source(file, format, layout, fields=fields) for file in _files_at(argument, format))
    elif argument == "-" or (_exists(path) and not path.is_dir()):
        yield Source(argument, format, layout, fields=fields)
    elif _exists(path):
        files = files_in(path, output)
        yield from (Source(str(f), format, layout, below=f.relative_to(path), fields=fields) for f in files)
    elif format not in (None, TEXT) or _FILE_NAME.fullmatch(argument):
        raise InputError(f"no file at {argument}; to parse a text, put it in quotation marks, or pipe it in")
    else:
        # the bytes that were typed are UTF-8, whatever the locale makes of them
        yield Source("text", TEXT, layout, text=os.fsencode(argument).decode("utf-8", "surrogateescape"))


def _files_at(address: str, format: str | None) -> list[str]:
    """The files at an address, or below it, that can be parsed: what `s3://…` and the like stand for."""
    need_pyarrow()
    from arctag.formats.columnar.remote import files_at

    files = files_at(address)
    if files == [address]:
        return files
    known = [file for file in files if format or kind_of_name(file, suffixes())]
    if not known:
        raise _nothing_in(address)
    return known


def _nothing_in(folder: str | Path) -> InputError:
    *first, last = [endings[0] for endings in suffixes().values()]
    return InputError(f"no file to parse in {folder}: names must end in {', '.join(first)} or {last} (or .gz, .xz)")


def _is_stream(path: Path) -> bool:
    return _exists(path) and not path.is_file() and not path.is_dir()


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a text that is too long for a name
        return False


def files_in(folder: Path, without: Path | None = None) -> list[Path]:
    """The files in a folder and its subfolders whose names say that they can be parsed.

    A subfolder `without` is left out: what an earlier run wrote there is no input.
    """
    skipped = without.resolve() if without is not None and without.resolve() != folder.resolve() else None
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and (skipped is None or skipped not in path.resolve().parents)
        and not path.name.startswith(".")
        and kind_of_name(path, suffixes())
    ]
    if not files:
        raise _nothing_in(folder)
    return files


@dataclass
class Remaining:
    """What is still to be parsed for an output: its sources, without the chunks that an interrupted run has written."""

    output: int
    """The number of the output."""
    path: str
    sources: Sequence[Source]
    done: int = 0
    """How many chunks are written already."""
    checksum: int = 0
    """Of the streams among the sources, up to there."""
    unreadable: bool = False
    """Set when nothing of the sources could be read."""


class OutputChunk(NamedTuple):
    """A chunk, and the output that its sentences go to."""

    output: int
    origin: Origin
    chunk: Chunk
    checksum: int
    """Of all that was read of streams so far: by it a resumed run knows that it reads the same."""
    document: str | None = None
    """The document that the chunk continues, if it is in a graph file that has several."""


def read_chunks(remaining: Iterable[Remaining], reporter: Reporter, strict: bool = False) -> Iterator[OutputChunk]:
    """The chunks that are still to be parsed, output by output; a source that cannot be read is reported.

    If strict, that is an error unless some of it was read.
    """
    for rest in remaining:
        yield from _read_rest(rest, reporter, strict)


def _read_rest(rest: Remaining, reporter: Reporter, strict: bool) -> Iterator[OutputChunk]:
    count = checksum = failures = 0
    for source in rest.sources:
        before, document = count, None
        try:
            chunks = source.chunks(reporter.warn)
            is_stream, origin = source.is_stream, source.origin
            for chunk in chunks:
                count += 1
                if is_stream:  # no size and no date tell it from another one
                    checksum = crc32(chunk.data, checksum)
                if count > rest.done:
                    yield OutputChunk(rest.output, origin, chunk, checksum, document)
                elif count == rest.done and checksum != rest.checksum:
                    raise _changed(rest)
                if isinstance(chunk, Piece):
                    document = last_document(chunk.data, document)
        except Unfinished:
            raise
        except (ArctagError, OSError) as error:
            if strict and count == before:
                raise
            reporter.fail(str(error))
            failures += 1
    if count < rest.done:
        raise _changed(rest)
    rest.unreadable = bool(failures) and not count


def _changed(rest: Remaining) -> Unfinished:
    return Unfinished(f"cannot resume {rest.path}: the input is not the same; use --force")
