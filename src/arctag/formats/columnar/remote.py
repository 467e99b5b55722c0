"""Files at addresses (`s3://bucket/texts.parquet`): whatever pyarrow's file systems open."""

from __future__ import annotations

import io
from pathlib import Path
from typing import cast

import pyarrow as pa
from pyarrow import fs

from arctag.errors import InputError


def place_of(address: str) -> tuple[fs.FileSystem, str]:
    """The file system that an address or a local path belongs to, and the path there."""
    if "://" not in address:
        return fs.LocalFileSystem(), str(Path(address).absolute())
    try:
        system, path = fs.FileSystem.from_uri(address)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise InputError(f"cannot open {address}: {str(error).splitlines()[0]}") from error
    return system, path.rstrip("/")


def open_remote(address: str) -> io.BufferedReader:
    """What is at an address, to be read."""
    system, path = place_of(address)
    try:
        return io.BufferedReader(cast(io.RawIOBase, system.open_input_file(path)))
    except OSError as error:
        raise InputError(f"cannot read {address}: {error.strerror or error}") from error


def files_at(address: str) -> list[str]:
    """The addresses of a file, or of all files below a folder, in order."""
    system, path = place_of(address)
    try:
        info = system.get_file_info(path)
        if info.type == fs.FileType.File:
            return [address]
        if info.type == fs.FileType.NotFound:
            raise InputError(f"no file at {address}")
        below = system.get_file_info(fs.FileSelector(path, recursive=True))
    except OSError as error:
        raise InputError(f"cannot read {address}: {error.strerror or error}") from error
    start = address.rstrip("/")
    return sorted(start + one.path[len(path) :] for one in below if one.type == fs.FileType.File)
