"""Opening what is read: files, pipes and standard input, packed or not.

Everything is opened once and read once. How an input begins can be looked at first: what was looked at is
kept and read again, since a pipe cannot be opened a second time.
"""

from __future__ import annotations

import io
import os
import select
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from arctag.errors import FormatError, InputError
from arctag.formats.packing import DAMAGED, is_decided, packing_of_beginning, unpacked_name

OnError = Callable[[FormatError], None]
"""What damage is reported to."""
BUFFER_SIZE = 1 << 16
"""Bytes read at a time."""


_STDIN = "<stdin>"


def describe(path: str | Path) -> str:
    """How an input is named in messages."""
    return _STDIN if str(path) == "-" else str(path)


def document_name(path: str | Path) -> str:
    """The name of the document in a file, which begins the ids of its sentences: `texts/news.txt.gz` is `news`."""
    if str(path) in ("-", _STDIN):
        return "stdin"
    if str(path).startswith(("/dev/fd/", "/proc/self/fd/")):  # `<(command)`: the number differs from run to run
        return "pipe"
    return Path(unpacked_name(Path(path).name)).stem


class Opened:
    """An opened input: how it begins can be looked at, then it is read from its first byte, once.

    Packed files are recognised by their first bytes, whatever their names.
    """

    def __init__(self, path: str | Path, prompt: bool = False) -> None:
        """If prompt, what has come is passed on before more of it is waited for."""
        self.path, self.name = path, describe(path)
        self.prompt = prompt
        self._file = _binary(path)
        self._owned = str(path) != "-"
        raw = _LookAhead(self._file)
        self._packing = packing_of_beginning(raw.look(is_decided))
        self._start = _LookAhead(self._packing.reader(_buffered(raw))) if self._packing else raw
        self._copy: BinaryIO | None = None

    def beginning(self, enough: Callable[[bytes], bool] | None = None) -> bytes:
        """The first bytes, unpacked: at least the first line with something in it, unless that is very long; or as many
        as are enough."""
        if self._copy is not None:
            self._copy.seek(0)
            return self._copy.read(BUFFER_SIZE)
        return self._start.look(enough or _a_line)

    def buffers(self, on_damage: OnError | None = None) -> Iterator[bytes]:
        """The bytes of the input as they come; a slow pipe is not waited for longer than needed.

        An input that breaks off is a `FormatError`, or is reported to `on_damage`: what came before it counts.
        """
        with self:
            stream = _buffered(self._start)
            while True:
                try:
                    buffer = stream.read1(BUFFER_SIZE)
                except (*DAMAGED, OSError) as error:
                    fault = self._fault(error)
                    if on_damage is None:
                        raise fault from error
                    on_damage(fault)
                    return
                if not buffer:
                    return
                yield buffer

    def stream(self) -> io.BufferedReader:
        """The bytes of the input, unpacked, for who reads as much as is needed."""
        return _buffered(self._start)

    def random_access(self) -> BinaryIO:
        """The input as a file in which one can go back: itself, or a temporary copy of what is packed or no file."""
        if self._packing is None and is_regular(self.path):
            self._file.seek(0)
            return cast(BinaryIO, self._file)
        if self._copy is None:
            copy = cast(BinaryIO, tempfile.TemporaryFile(prefix="arctag-"))  # noqa: SIM115  # closed with this object
            try:
                shutil.copyfileobj(self.stream(), copy)
            except (*DAMAGED, OSError) as error:
                copy.close()
                raise self._fault(error) from error
            self._copy = copy
        self._copy.seek(0)
        return self._copy

    def must_wait(self) -> bool:
        """Whether the next bytes have yet to come, as from a pipe whose writer is slow."""
        try:
            descriptor = self._file.fileno()
            return not (stat.S_ISREG(os.fstat(descriptor).st_mode) or select.select([descriptor], [], [], 0)[0])
        except (OSError, ValueError):  # no descriptor, or a system that cannot tell
            return True

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._owned:
            self._file.close()
        if self._copy is not None:
            self._copy.close()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def _fault(self, error: Exception) -> FormatError:
        if isinstance(error, DAMAGED) and self._packing:
            return FormatError(self.name, None, f"a damaged {self._packing.name} file ({error})", "a whole one")
        reason = getattr(error, "strerror", None) or error
        return FormatError(self.name, None, f"an input that breaks off ({reason})", "one that can be read to its end")


Input = str | Path | Opened
"""What can be read: a path, `-` for standard input, or an input that is open already."""


def opened(source: Input) -> Opened:
    """An input that is open."""
    return source if isinstance(source, Opened) else Opened(source)


def name_of(source: Input) -> str:
    """How an input is named in messages."""
    return source.name if isinstance(source, Opened) else describe(source)


def look(path: str | Path) -> tuple[Input, bytes]:
    """What to read from, and how it begins. What can be read only once stays open."""
    opened = Opened(path, prompt=True)
    start = opened.beginning()
    if not is_regular(path):
        return opened, start
    opened.close()
    return path, start


def is_regular(path: str | Path) -> bool:
    """Whether it is an ordinary file, which can be read again."""
    return str(path) != "-" and Path(path).is_file()


def first_bytes(path: str | Path) -> bytes:
    """How a file begins, unpacked if it is packed."""
    with Opened(path) as opened:
        return opened.beginning()


class _LookAhead(io.RawIOBase):
    """A stream whose beginning may be read ahead; it comes first when the stream is read."""

    def __init__(self, stream: io.BufferedIOBase) -> None:
        self._stream = stream
        self._held = b""
        self._ended = False
        self._failure: Exception | None = None

    def look(self, enough: Callable[[bytes], bool]) -> bytes:
        """The beginning: read on until it is enough, or there is no more."""
        while not (self._ended or self._failure or enough(self._held)):
            try:
                more = self._stream.read1(BUFFER_SIZE)
            except (*DAMAGED, OSError) as error:
                self._failure = error  # raised when everything before it has been read
                break
            self._ended = not more
            self._held += more
        return self._held

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read some bytes: those that were looked at, then those that follow."""
        if self._held:
            more, self._held = self._held[: len(buffer)], self._held[len(buffer) :]
        elif self._failure is not None:
            raise self._failure
        else:
            more = b"" if self._ended else self._stream.read1(len(buffer))
        buffer[: len(more)] = more
        return len(more)


def _buffered(stream: io.RawIOBase) -> io.BufferedReader:
    return io.BufferedReader(stream, BUFFER_SIZE)


def _a_line(start: bytes) -> bool:
    return b"\n" in start.lstrip(b"\r\n") or len(start) >= BUFFER_SIZE


def _binary(path: str | Path) -> io.BufferedIOBase:
    if str(path) == "-":
        stream: io.BufferedIOBase = sys.stdin.buffer  # type: ignore[assignment]
        return stream
    if "://" in str(path):
        from arctag.formats.columnar.formats import need_pyarrow

        need_pyarrow()
        from arctag.formats.columnar.remote import open_remote

        return open_remote(str(path))
    try:
        return open(path, "rb")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:  # a zero character in the name
        raise InputError(f"cannot read {str(path)!r}: {error}") from error
