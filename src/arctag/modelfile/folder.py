"""A model on disk: finding it, and writing it so that it is complete or not there.

A folder holds `config.json`, `labels.json`, `inputs.json`, the network (`model.safetensors` for torch, or ONNX files),
tokenizer files and a card. Nothing in it is executed or unpickled.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from glob import escape
from pathlib import Path
from secrets import token_hex

from arctag.errors import InputError
from arctag.modelfile import checksums
from arctag.modelfile.bundled import names, place
from arctag.modelfile.config import CONFIG
from arctag.modelfile.networks import all_files
from arctag.text import tokenizer

TOKENIZER = "tokenizer"
INPUTS = "inputs.json"
_TOKENIZER_PART = f".{tokenizer.FILE}.part"
_PATTERNS = ["*.json", "*.md", f"{TOKENIZER}/*", tokenizer.FILE]


def find(model: str | Path) -> Path:
    """The folder of a model: the user's own, one that comes with Arctag, or one on the Hugging Face hub."""
    path = place(model)
    return path if path.is_dir() else _from_hub(str(model))


def _from_hub(name: str) -> Path:
    """A model folder of that name on the Hugging Face hub, fetched and cached by its own client."""
    known = f"; those that come with Arctag: {', '.join(names())}" if names() else ""
    missing = InputError(f"no model folder at {name}: train one with `arctag train … -o {name}`{known}")
    if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", name):
        raise missing
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError:
        raise missing from None
    try:
        return Path(snapshot_download(name, allow_patterns=[*_PATTERNS, *all_files()]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"no model folder at {name}, and none on the hub ({reason})") from error


def write(folder: str | Path, fill: Callable[[Path], None], force: bool = False) -> None:
    """Let `fill` write the files beside the final place, then move them there; over a model only with `force`."""
    target = writable(folder, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.parent / f".{target.name}.{token_hex(4)}.part"
        part.mkdir()  # not in a temporary folder: that would be kept from other users
        try:
            fill(part)
            _move(part, target)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {folder}: {error.strerror or error}") from error


def writable(folder: str | Path, force: bool) -> Path:
    """Where a model may be written; `InputError` if something is there that must not be replaced."""
    if not str(folder):
        raise InputError("no name for the model folder to write")
    target = Path(os.path.realpath(folder))
    if target.is_symlink():
        raise InputError(f"cannot write {folder}: it is a link that leads to itself")
    if target.exists() and not target.is_dir():
        raise InputError(f"{folder} is a file: choose another name for the folder")
    if not force and target.exists() and any(target.iterdir()):
        what = "holds a model" if (target / CONFIG).exists() else "is not empty"
        raise InputError(
            f"{folder} {what}: choose another folder, or replace a model in it with --force (from Python: force=True)"
        )
    return target


def _move(new: Path, target: Path) -> None:
    """Put a model in its place; a model that was there before is removed, other files stay."""
    networks = {path.name for pattern in all_files() for path in target.glob(pattern)}
    before = checksums.names(target) | networks | {tokenizer.FILE}
    stale = before - {path.relative_to(new).as_posix() for path in new.rglob("*")}
    replace_folder(new, target)
    for name in stale:
        (target / name).unlink(missing_ok=True)


def add_tokenizer(trained: tokenizer.TextTokenizer, folder: Path) -> None:
    """Put a tokenizer into a model folder that was written before it was ready."""
    part = folder / _TOKENIZER_PART
    part.write_bytes(trained.data)
    os.replace(part, folder / tokenizer.FILE)
    checksums.add(folder, tokenizer.FILE)


def remove_leftovers(folder: str | Path) -> None:
    """Remove what a process that was killed while saving left beside the folder."""
    target = Path(folder)
    for name in (_TOKENIZER_PART, checksums.PART):
        (target / name).unlink(missing_ok=True)
    for part in target.parent.glob(f".{escape(target.name)}.*.part"):
        shutil.rmtree(part, ignore_errors=True)


def replace_folder(new: Path, target: Path) -> None:
    """Move the files of a folder to another, one by one; at no moment is one missing or half-written."""
    if not target.exists():
        os.replace(new, target)
        return
    for item in sorted(new.iterdir()):
        goal = target / item.name
        if item.is_dir() and goal.is_dir():
            replace_folder(item, goal)
        else:
            os.replace(item, goal)
    new.rmdir()
