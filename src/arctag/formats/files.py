"""Files of text: lines with their numbers, and writing that never leaves half a file behind."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, TextIO, cast

from arctag.errors import FormatError, InputError
from arctag.formats.packing import open_packed, packing_of_name
from arctag.formats.streams import Input, OnError, name_of, opened

_STANDARD = {"stdout": 1, "stderr": 2}
_DESCRIPTOR = re.compile(r"/dev/(stdout|stderr)|/(?:dev|proc/self)/fd/([0-9]{1,6})")


def lines(source: Input, on_bad: OnError | None = None) -> Iterator[tuple[int, str]]:
    """Numbered lines, without their ends; bad UTF-8 or a broken packed file is a `FormatError`.

    With `on_bad`, a line that is not UTF-8 is reported, and comes with the bad bytes escaped so that
    `open_output` writes them as they were; so is an input that breaks off, after its last line.
    """
    for number, raw in enumerate(_raw_lines(source, on_bad), 1):
        yield number, _decoded_line(source, number, raw, on_bad).rstrip("\r\n")


def _raw_lines(source: Input, on_bad: OnError | None) -> Iterator[bytes]:
    begun: list[bytes] = []  # of the line that the buffers so far have not ended
    for buffer in opened(source).buffers(on_bad):
        first, *others = buffer.split(b"\n")
        begun.append(first)
        for other in others:
            yield b"".join(begun)
            begun = [other]
    if any(begun):
        yield b"".join(begun)


def _decoded_line(source: Input, number: int, raw: bytes, on_bad: OnError | None) -> str:
    try:
        return _without_mark(raw.decode("utf-8"), number)
    except UnicodeDecodeError as error:
        fault = _bad_utf8(name_of(source), number, error)
        if on_bad is None:
            raise fault from error
        on_bad(fault)
        return raw.decode("utf-8", errors="surrogateescape")


def _without_mark(text: str, number: int) -> str:
    """Some editors begin a file with a byte order mark; it is no part of the first line."""
    return text.removeprefix("\ufeff") if number == 1 else text


def bad_utf8(source: str, number: int, line: bytes) -> FormatError:
    """The error of a line that is not UTF-8."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return _bad_utf8(source, number, error)
    raise ValueError(f"line {number} of {source} is UTF-8")


def _bad_utf8(source: str, number: int, error: UnicodeDecodeError) -> FormatError:
    bad = error.object[error.start : error.start + 1]
    found = f"byte {bad!r} at position {error.start + 1}, not UTF-8"
    return FormatError(source, number, found, "UTF-8 text")


@contextmanager
def open_output(path: str | Path) -> Iterator[TextIO]:
    """Open for writing UTF-8 text, as `open_bytes` does for bytes."""
    with open_bytes(path) as file:
        yield cast(TextIO, _Utf8Writer(file))


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open for writing. A file appears only when complete: written beside its place, then renamed.

    Standard output (`-`), pipes and devices are written directly. What cannot be written is an `InputError`.
    """
    try:
        if str(path) == "-":
            with _standard_output() as file:
                yield file
        elif (descriptor := descriptor_of(path)) is not None:
            with os.fdopen(os.dup(descriptor), "wb") as file:
                yield file
        elif _is_special(target := place_of(path)):
            with open(target, "wb") as file:
                yield file
        else:
            with _replacing(target) as file:
                yield file
    except BrokenPipeError:  # a reader that has seen enough
        raise
    except OSError as error:
        raise cannot_write(path, error) from error


def descriptor_of(path: str | Path) -> int | None:
    """The number behind `/dev/stdout` or `/dev/fd/3`: an open file, to be written where it stands, not replaced."""
    match = _DESCRIPTOR.fullmatch(str(path))
    return None if match is None else _STANDARD[match[1]] if match[1] else int(match[2])


def is_stream(path: str | Path) -> bool:
    """Whether what is written there goes on at once: to standard output, a pipe or a device."""
    return str(path) == "-" or descriptor_of(path) is not None or _is_special(place_of(path))


def cannot_write(path: str | Path, error: OSError) -> InputError:
    """An error of the system, with the name that it lacks."""
    return InputError(f"cannot write {'<stdout>' if str(path) == '-' else path}: {error.strerror or error}")


def place_of(path: str | Path) -> Path:
    """Where a file is written: links are followed, so that a link keeps pointing where it did."""
    if not str(path):
        raise InputError("the name of the output is empty: give a file, or '-' for standard output")
    try:
        target = Path(path).resolve()
        if target.is_symlink():  # Python 3.13 and later leave links that point at each other as they are
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: such links, before Python 3.13
        reason = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot write {path}: {reason}") from error
    if target.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    return target


def _is_special(path: Path) -> bool:
    """Whether it is there and no ordinary file: a pipe, a device."""
    return path.exists() and not stat.S_ISREG(path.stat().st_mode)


@contextmanager
def _standard_output() -> Iterator[BinaryIO]:
    """Standard output for bytes, whatever the locale: its settings stay as they are for everyone else."""
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # a notebook's, for example
        yield cast(BinaryIO, _TextOutput(sys.stdout))
        sys.stdout.flush()
        return
    yield buffer
    buffer.flush()


@contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    part = target.with_name(f".{token_hex(12)}.part")  # short, whatever the name of the file
    with open(part, "xb") as raw:
        try:
            keep_mode(part, target)
            with _packed(raw, target) as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
            os.replace(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


def keep_mode(part: Path, target: Path) -> None:
    """Give a file that will replace another the same permissions, before anything is in it."""
    if target.exists():
        part.chmod(target.stat().st_mode & 0o7777)


class _Utf8Writer(io.TextIOBase):
    """Text as UTF-8 to a file of bytes. Nothing is held back here: what cannot be written is noticed in one place."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw

    def write(self, text: str, /) -> int:
        """Write a text, escaped bytes as they were."""
        self._raw.write(text.encode("utf-8", "surrogateescape"))
        return len(text)


class _TextOutput(io.RawIOBase):
    """Bytes of UTF-8 to an output that takes text only."""

    def __init__(self, text: TextIO) -> None:
        self._text = text

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Write bytes, those that are not UTF-8 escaped."""
        self._text.write(bytes(data).decode("utf-8", "surrogateescape"))
        return len(data)


@contextmanager
def _packed(raw: BinaryIO, target: Path) -> Iterator[BinaryIO]:
    packing = packing_of_name(target)
    if packing is None:
        yield raw
        return
    with open_packed(raw, packing) as packed:
        yield packed
