"""A model folder inside a saved pipeline: copied to its folder, or as a zip archive in its bytes."""

from __future__ import annotations

import os
import shutil
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize
from zipfile import BadZipFile, ZipFile, ZipInfo

from arctag.errors import InputError

_IGNORED = "checkpoints"  # of a training run; no part of the model


def copy_folder(source: Path, target: Path) -> None:
    """Copy a model folder in place of whatever is there."""
    if target.exists() and source.samefile(target):
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(_IGNORED))


def pack(folder: Path) -> bytes:
    """The files of a model folder as a zip archive; the same files give the same bytes."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and name.parts[0] != _IGNORED:
                archive.writestr(ZipInfo(name.as_posix()), path.read_bytes())
    return packed.getvalue()


def unpack(packed: bytes, owner: object) -> Path:
    """A packed model in a temporary folder, which is removed with its owner; no file is written outside of it."""
    folder = Path(mkdtemp(prefix="arctag-"))
    finalize(owner, _remove, folder, os.getpid())
    try:
        with ZipFile(BytesIO(packed)) as archive:
            archive.extractall(folder)
    except BadZipFile as error:
        raise InputError(f"the model in the pipeline's bytes is damaged ({error}); save the pipeline again") from error
    return folder


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a forked process has a copy of the owner, but not of the folder
        shutil.rmtree(folder, ignore_errors=True)
