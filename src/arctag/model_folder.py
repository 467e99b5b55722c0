"""A model on disk: `config.json`, `labels.json`, `inputs.json`, the network, tokenizer files, a card.

The network is `model.safetensors` for torch, or ONNX files where it has been exported. Nothing is
executed or unpickled: JSON, safetensors, graphs of known operators, the tokenizer's own JSON. A folder
that is not right is refused with a reason; `checksums.json` tells whether a file is as it was written.
"""

from __future__ import annotations

import os
import re
import shutil
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from arctag import checksums, onnx_file, tokenizer
from arctag.errors import InputError, MissingExtra
from arctag.inputs import PieceInputs, WordInputs
from arctag.model_card import card_text
from arctag.model_config import CONFIG, ModelConfig, read_json, write_json
from arctag.pieces import load_pieces
from arctag.proposals import Backend
from arctag.shipped import names, place

if TYPE_CHECKING:
    from arctag.parser import Parser

TOKENIZER = "tokenizer"
WEIGHTS = "model.safetensors"
_TOKENIZER_PART = f".{tokenizer.FILE}.part"
_PATTERNS = ["*.json", "*.safetensors", "*.onnx", "*.md", f"{TOKENIZER}/*", tokenizer.FILE]


def load(folder: str | Path, device: str | None = None) -> Parser:
    """The parser in a folder."""
    from arctag.parser import Parser

    path = place(folder)
    if not path.is_dir():
        path = _from_hub(str(folder))
    checksums.check(path)
    config = ModelConfig.load(path)
    inputs = load_inputs(path)
    _check_inputs(config, inputs, path)
    return Parser(config, inputs, _backend(config, path, device), files=path)


def _backend(config: ModelConfig, folder: Path, device: str | None) -> Backend:
    """The network: exported if there is one such, else torch's."""
    found = [name for name in (*onnx_file.FILES, WEIGHTS) if (folder / name).is_file()]
    if not found:
        raise InputError(f"{folder} is not a model folder: it has neither {WEIGHTS} nor {onnx_file.WORDS}")
    if onnx_file.WORDS in found or WEIGHTS not in found:
        from arctag.onnx_backend import OnnxBackend

        return OnnxBackend(config, folder, device)
    try:
        from arctag.model.backend import TorchBackend
    except ImportError as error:
        raise MissingExtra("Running a model that is not exported", "train") from error
    return TorchBackend.load(config, folder, device)


def _from_hub(name: str) -> Path:
    """A model folder of that name on the Hugging Face hub, fetched and kept by its own client."""
    known = f"; those that come with Arctag: {', '.join(names())}" if names() else ""
    missing = InputError(f"no model folder at {name}: train one with `arctag train … --out {name}`{known}")
    if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", name):
        raise missing
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError:
        raise missing from None
    try:
        return Path(snapshot_download(name, allow_patterns=_PATTERNS))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"no model folder at {name}, and none on the hub ({reason})") from error


def load_inputs(folder: Path) -> WordInputs | PieceInputs:
    """What turns words into numbers for this model."""
    value = read_json(folder / "inputs.json")
    try:
        if value["kind"] == "words":
            return WordInputs.from_json(value)
        return load_pieces(folder / TOKENIZER, value)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{folder}: inputs.json is damaged ({error})") from error


def _check_inputs(config: ModelConfig, inputs: WordInputs | PieceInputs, folder: Path) -> None:
    """Numbers of words must have their places in the tables of the network."""
    if isinstance(inputs, WordInputs) == (config.encoder == "transformer"):
        raise InputError(f"{folder}: inputs.json is not for a {config.encoder}")
    if isinstance(inputs, WordInputs):
        for key, count in inputs.table_sizes().items():
            if config.encoder_options.get(key, 0) != count:
                wanted = config.encoder_options.get(key, 0)
                raise InputError(f"{folder}: inputs.json has {count} {key}, config.json {wanted}")


def save(parser: Parser, folder: str | Path, force: bool = False) -> None:
    """Write a model folder beside the final place, then move it there; what is there already only with `force`."""
    target = writable(folder, force)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.parent / f".{target.name}.{token_hex(4)}.part"
        part.mkdir()  # not in a temporary folder: that would be kept from other users
        try:
            _write(parser, part)
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
        raise InputError(f"{folder} is a file: choose another name, of a folder to be made")
    if not force and target.exists() and any(target.iterdir()):
        what = "holds a model" if (target / CONFIG).exists() else "is not empty"
        raise InputError(
            f"{folder} {what}: choose another folder, or replace a model in it with --force (from Python: force=True)"
        )
    return target


def _write(parser: Parser, folder: Path) -> None:
    parser.config.save(folder)
    write_json(folder / "inputs.json", parser.inputs.to_json())
    if isinstance(parser.inputs, PieceInputs):
        assert parser.files is not None
        shutil.copytree(parser.files / TOKENIZER, folder / TOKENIZER)
    parser.backend.save(folder)  # type: ignore[attr-defined]
    if parser.tokenizer is not None:
        (folder / tokenizer.FILE).write_bytes(parser.tokenizer.data)
    checksums.write(folder)
    (folder / "README.md").write_text(card_text(parser.config), encoding="utf-8")


def _move(new: Path, target: Path) -> None:
    """Put a model in its place; of a model that was there before nothing is left, of anything else everything."""
    before = checksums.names(target) | {WEIGHTS, *onnx_file.FILES, tokenizer.FILE}
    stale = before - {path.relative_to(new).as_posix() for path in new.rglob("*")}
    replace_folder(new, target)
    for name in stale:
        (target / name).unlink(missing_ok=True)


def add_tokenizer(made: tokenizer.TextTokenizer, folder: Path) -> None:
    """Put a tokenizer into a model folder that was written before it was ready."""
    part = folder / _TOKENIZER_PART
    part.write_bytes(made.data)
    os.replace(part, folder / tokenizer.FILE)
    checksums.add(folder, tokenizer.FILE)


def remove_leftovers(folder: str | Path) -> None:
    """Remove what a process killed while saving has left beside the folder."""
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
