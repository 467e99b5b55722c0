"""A model folder inside a saved pipeline: copied to its folder, or packed into its bytes."""

from __future__ import annotations

import os
import shutil
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from weakref import finalize
from zipfile import BadZipFile, ZipFile, ZipInfo

from arctag.errors import InputError

_LEFT_BEHIND = "checkpoints"  # of a training run; no part of the model


def copy_folder(source: Path, target: Path) -> None:
    """Copy a model folder in place of whatever is there."""
    if target.exists() and source.samefile(target):
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(_LEFT_BEHIND))


def pack(folder: Path) -> bytes:
    """The files of a model folder as a zip archive; the same files give the same bytes."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            if path.is_file() and name.parts[0] != _LEFT_BEHIND:
                archive.writestr(ZipInfo(name.as_posix()), path.read_bytes())
    return packed.getvalue()


def unpack(packed: bytes, owner: object) -> Path:
    """The folder of a packed model, which lives as long as its owner; no file gets outside, whatever its name."""
    folder = Path(mkdtemp(prefix="arctag-"))
    finalize(owner, _remove, folder, os.getpid())
    try:
        with ZipFile(BytesIO(packed)) as archive:
            archive.extractall(folder)
    except BadZipFile as error:
        raise InputError(f"the model in the pipeline's bytes is damaged ({error}); save the pipeline anew") from error
    return folder


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a forked one has an owner too, but not the folder
        shutil.rmtree(folder, ignore_errors=True)
