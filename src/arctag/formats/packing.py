"""Packed files, gzip and xz: known by how they begin when they are read, and by their names when they are written."""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError)
"""What reading a broken file raises."""


class Packing(NamedTuple):
    """A way to pack files. What is packed piece by piece makes a whole file."""

    name: str
    suffix: str
    magic: bytes
    """What every packed file begins with."""
    reader: Callable[[BinaryIO], io.BufferedIOBase]
    writer: Callable[[BinaryIO], io.BufferedIOBase]
    pack: Callable[[bytes], bytes]


PACKINGS = (
    Packing(
        "gzip", ".gz", b"\x1f\x8b",
        lambda file: gzip.GzipFile(fileobj=file),
        # no name and no time inside, so that the same text gives the same bytes
        lambda file: gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0),
        lambda data: gzip.compress(data, mtime=0),
    ),
    Packing("xz", ".xz", b"\xfd7zXZ\0", lzma.LZMAFile, partial(lzma.LZMAFile, mode="wb"), lzma.compress),
)  # fmt: skip


def packing_of_beginning(start: bytes) -> Packing | None:
    """How a file that begins like this is packed, if it is."""
    return next((packing for packing in PACKINGS if start.startswith(packing.magic)), None)


def is_decided(start: bytes) -> bool:
    """Whether no more bytes are needed to tell how a file is packed."""
    return not any(len(start) < len(packing.magic) and packing.magic.startswith(start) for packing in PACKINGS)


def packing_of_name(path: str | Path) -> Packing | None:
    """How a file of this name is packed, if it is."""
    return next((packing for packing in PACKINGS if str(path).lower().endswith(packing.suffix)), None)


def unpacked_name(name: str) -> str:
    """A name without the suffix that says how the file is packed: `news.txt.gz` is `news.txt`."""
    packing = packing_of_name(name)
    return name[: -len(packing.suffix)] if packing else name


def open_packed(file: BinaryIO, packing: Packing) -> BinaryIO:
    """A file to write to, packed on its way."""
    return cast(BinaryIO, packing.writer(file))
