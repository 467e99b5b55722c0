"""Opening files for reading and writing: `.gz`, `-` for standard streams, atomic replacement."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from arctag.errors import FormatError, InputError

OnBad = Callable[[FormatError], None]
"""Somebody who is told of lines that are not UTF-8."""
Run = tuple[int, list[str], int]
"""Lines that are not empty: the number of the first, the lines, the empty lines after them."""
_STRETCH = 1 << 16  # bytes decoded at a time
_GZIP_MAGIC = b"\x1f\x8b"


def describe(path: str | Path) -> str:
    """How a source is called in messages."""
    return "<stdin>" if str(path) == "-" else str(path)


@contextmanager
def open_input(path: str | Path) -> Iterator[io.BufferedIOBase]:
    """Open for reading bytes; gzip is recognised by its first bytes, whatever the name.

    A gzip file that turns out damaged while it is read is a `FormatError`.
    """
    with _open_binary(path) as raw:
        buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
        if buffered.peek(2)[:2] != _GZIP_MAGIC:
            yield buffered
            return
        try:
            with gzip.open(buffered) as unzipped:
                yield cast(io.BufferedIOBase, unzipped)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise FormatError(describe(path), None, f"a damaged gzip file ({error})", "a whole one") from error


def first_bytes(path: str | Path) -> bytes:
    """How a file begins, unpacked if it is packed; of standard input nothing is used up."""
    with _open_binary(path) as raw:
        start = raw.peek(_STRETCH) if isinstance(raw, io.BufferedReader) else b""
    if start[:2] != _GZIP_MAGIC:
        return start
    try:
        return zlib.decompressobj(wbits=31).decompress(start, _STRETCH)
    except zlib.error:  # whoever reads it will say so
        return b""


@contextmanager
def _open_binary(path: str | Path) -> Iterator[BinaryIO]:
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(path, "rb")  # noqa: SIM115  # only opening is guarded; `with` comes below
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    with file:
        yield file


def lines(path: str | Path, on_bad: OnBad | None = None) -> Iterator[tuple[int, str]]:
    """Numbered lines, without their ends; bad UTF-8 or a broken gzip file is a `FormatError`.

    With `on_bad`, a line that is not UTF-8 is told, and comes with its odd bytes escaped so that
    `open_output` writes them as they were.
    """
    with open_input(path) as file:
        for number, raw in enumerate(file, 1):
            yield number, _decoded_line(path, number, raw, on_bad).rstrip("\r\n")


def paragraphs(path: str | Path, on_bad: OnBad | None = None) -> Iterator[Run]:
    """Runs of lines that are not empty.

    Whole stretches of the file are decoded and split at once, which is several times faster than
    line by line; only a stretch with bad UTF-8 takes the slow way, to find the line. Empty lines
    at the start of a file come as a run of no lines.
    """
    number = 1
    rest = bytearray()
    seen = 0  # no paragraph ends before this place: a long one must not be searched again for each stretch of it
    with open_input(path) as file:
        for stretch in _stretches(file):
            rest += stretch
            text = stretch.rstrip(b"\n")
            if not text:
                continue
            # never between a paragraph and the empty lines after it: another one must have begun
            end = len(rest) - len(stretch) + len(text)
            cut = rest.rfind(b"\n\n", seen, end)
            seen = end
            if cut < 0:
                continue
            ready = bytes(rest[: cut + 2])
            del rest[: cut + 2]
            seen -= cut + 2
            yield from _runs(_decoded(path, number, ready, on_bad), number)
            number += ready.count(b"\n")
    if rest:
        yield from _runs(_decoded(path, number, bytes(rest), on_bad), number)


def _stretches(file: io.BufferedIOBase) -> Iterator[bytes]:
    """The file as it is read, with line ends of one kind."""
    held = b""
    while stretch := file.read1(_STRETCH):  # what is there; a pipe may be slow
        stretch, held = held + stretch, b""
        if stretch.endswith(b"\r"):  # the other half of the pair may follow
            stretch, held = stretch[:-1], b"\r"
        yield stretch.replace(b"\r\n", b"\n")
    yield held


def text_paragraphs(text: str) -> Iterator[Run]:
    """The same runs of lines, of a file's text that is in memory."""
    return _runs(_without_mark(text.replace("\r\n", "\n"), 1), 1)


def _runs(text: str, number: int) -> Iterator[Run]:
    if text.startswith("\n"):
        stripped = text.lstrip("\n")
        yield number, [], len(text) - len(stripped)
        number += len(text) - len(stripped)
        text = stripped
    start = 0
    while start < len(text):
        end = text.find("\n\n", start)
        if end < 0:
            yield number, text[start:].removesuffix("\n").split("\n"), 0
            return
        found = text[start:end].split("\n")
        after = end + 2
        while after < len(text) and text[after] == "\n":
            after += 1
        yield number, found, after - end - 1
        number += len(found) + after - end - 1
        start = after


def _decoded(path: str | Path, number: int, raw: bytes, on_bad: OnBad | None) -> str:
    try:
        return _without_mark(raw.decode("utf-8"), number)
    except UnicodeDecodeError:
        return "\n".join(_decoded_line(path, number + i, line, on_bad) for i, line in enumerate(raw.split(b"\n")))


def _decoded_line(path: str | Path, number: int, raw: bytes, on_bad: OnBad | None) -> str:
    try:
        return _without_mark(raw.decode("utf-8"), number)
    except UnicodeDecodeError as error:
        fault = _bad_utf8(path, number, error)
        if on_bad is None:
            raise fault from error
        on_bad(fault)
        return raw.decode("utf-8", errors="surrogateescape")


def _without_mark(text: str, number: int) -> str:
    """Some editors begin a file with a byte order mark; it is no part of the first line."""
    return text.removeprefix("\ufeff") if number == 1 else text


def _bad_utf8(path: str | Path, number: int, error: UnicodeDecodeError) -> FormatError:
    bad = error.object[error.start : error.start + 1]
    found = f"byte {bad!r} at position {error.start + 1}, not UTF-8"
    return FormatError(describe(path), number, found, "UTF-8 text")


@contextmanager
def open_output(path: str | Path) -> Iterator[TextIO]:
    """Open for writing text. A file appears only when complete: written beside, then renamed.

    Standard output (`-`), pipes and devices are written directly.
    """
    if str(path) == "-":
        if isinstance(sys.stdout, io.TextIOWrapper):  # the locale may want another encoding; files are UTF-8
            sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
        yield sys.stdout
        sys.stdout.flush()
        return
    target = Path(path)
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        if target.is_dir():
            raise InputError(f"cannot write {path}: it is a folder")
        with open(target, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            yield file
        return
    try:
        target = target.resolve()  # so that a link keeps pointing where it did
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    except RuntimeError as error:  # Python before 3.13 on links that point at each other
        raise InputError(f"cannot write {path}: {error}") from error
    try:
        with os.fdopen(handle, "wb") as raw:
            with _text_writer(raw, zipped=target.suffix == ".gz") as file:
                yield file
            raw.flush()
            os.fsync(raw.fileno())
        os.chmod(name, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _text_writer(raw: BinaryIO, zipped: bool) -> Iterator[TextIO]:
    if not zipped:
        text = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", newline="\n")
        yield text
        text.flush()
        text.detach()  # leave `raw` open for the sync
        return
    # no name and no time inside, so that the same text gives the same bytes
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed:
        with io.TextIOWrapper(packed, encoding="utf-8", errors="surrogateescape", newline="\n") as inside:
            yield inside


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
