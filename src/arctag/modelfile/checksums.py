"""`checksums.json`: the SHA-256 of every file of a model folder that is read, so that damage is noticed.

A folder without it is read unchecked: whoever changes a model by hand deletes it.
"""

from __future__ import annotations

import os
from hashlib import file_digest
from pathlib import Path, PurePosixPath

from arctag.errors import InputError
from arctag.modelfile.json_files import read_json, write_json

FILE = "checksums.json"
PART = f".{FILE}.part"
_KIND = "sha256"
_NOT_READ = (FILE, "README.md")


def write(folder: Path) -> None:
    """Write the checksums of all files in a folder that are read."""
    _save(folder, _computed(folder))


def of(folder: Path) -> dict[str, str]:
    """The checksums of a folder as they are written there, or else computed."""
    return _listed(folder) if (folder / FILE).exists() else _computed(folder)


def _computed(folder: Path) -> dict[str, str]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name: _checksum(folder / name) for name in sorted(names) if name not in _NOT_READ}


def add(folder: Path, name: str) -> None:
    """Add a file that was put into a folder later."""
    _save(folder, {**_listed(folder), name: _checksum(folder / name)})


def check(folder: Path) -> None:
    """`InputError`, naming the file, where one is missing or is not what was written."""
    for name, checksum in _listed(folder).items() if (folder / FILE).exists() else ():
        path = folder / name
        if not path.is_file():
            raise InputError(f"{folder} is not a complete model folder: {name} is missing; get the model again")
        if _checksum(path) != checksum:
            raise InputError(
                f"{path}: damaged or changed, for it does not match {FILE}: get the model again, "
                f"or delete {FILE} if the change is yours"
            )


def names(folder: Path) -> set[str]:
    """The files that were written with a model, as far as they are listed."""
    try:
        return set(_listed(folder))
    except InputError:
        return set()


def _listed(folder: Path) -> dict[str, str]:
    listed = read_json(folder / FILE).get(_KIND)
    if not isinstance(listed, dict):
        raise InputError(f"{folder / FILE}: damaged (no checksums in it); get the model again")
    for name in listed:
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts or not inside.parts:
            raise InputError(f"{folder / FILE}: damaged ({name!r:.50} is no file of the folder); get the model again")
    return listed


def _checksum(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error


def _save(folder: Path, sums: dict[str, str]) -> None:
    write_json(folder / PART, {_KIND: sums}, indent=1)
    os.replace(folder / PART, folder / FILE)
