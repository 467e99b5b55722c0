"""A model on disk: `config.json`, `labels.json`, `inputs.json`, the network, tokenizer files, a card.

The network is `model.safetensors` for torch, or ONNX files where it has been exported. Nothing is
executed or unpickled: JSON, safetensors, graphs of known operators, the tokenizer's own JSON. A folder
that is not right is refused with a reason.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING

from arctag import onnx_file, tokenizer
from arctag.errors import InputError, MissingExtra
from arctag.inputs import PieceInputs, WordInputs
from arctag.model_card import card_text
from arctag.model_config import ModelConfig, read_json, write_json
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
    config = ModelConfig.load(path)
    inputs = load_inputs(path)
    _check_inputs(config, inputs, path)
    return Parser(config, inputs, _backend(config, path, device), files=path)


def _backend(config: ModelConfig, folder: Path, device: str | None) -> Backend:
    """The network: exported if there is one such, else torch's."""
    if (folder / onnx_file.WORDS).is_file():
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


def save(parser: Parser, folder: str | Path) -> None:
    """Write a model folder beside the final place, then move it there."""
    target = Path(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part"))
    try:
        parser.config.save(part)
        write_json(part / "inputs.json", parser.inputs.to_json())
        if isinstance(parser.inputs, PieceInputs):
            assert parser.files is not None
            shutil.copytree(parser.files / TOKENIZER, part / TOKENIZER)
        parser.backend.save(part)  # type: ignore[attr-defined]
        (part / "README.md").write_text(card_text(parser.config), encoding="utf-8")
        if parser.tokenizer is not None:
            (part / tokenizer.FILE).write_bytes(parser.tokenizer.data)
        part.chmod(0o755)
        others = {WEIGHTS, *onnx_file.FILES} - {item.name for item in part.iterdir()}
        replace_folder(part, target)
        for name in others:
            (target / name).unlink(missing_ok=True)  # a network of another kind that was there before
        if parser.tokenizer is None:
            (target / tokenizer.FILE).unlink(missing_ok=True)  # of the model that was there before
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def add_tokenizer(made: tokenizer.TextTokenizer, folder: Path) -> None:
    """Put a tokenizer into a model folder that was written before it was ready."""
    part = folder / _TOKENIZER_PART
    part.write_bytes(made.data)
    os.replace(part, folder / tokenizer.FILE)


def remove_leftovers(folder: str | Path) -> None:
    """Remove what a process killed while saving has left beside the folder."""
    target = Path(folder)
    (target / _TOKENIZER_PART).unlink(missing_ok=True)
    for part in target.parent.glob(f".{escape(target.name)}.*.part"):
        shutil.rmtree(part, ignore_errors=True)


def replace_folder(new: Path, target: Path) -> None:
    """Put a folder in the place of another, file by file; at no moment is one missing or half-written."""
    if not target.exists():
        os.replace(new, target)
        return
    for item in sorted(new.iterdir()):
        goal = target / item.name
        if item.is_dir() and goal.is_dir() and not goal.is_symlink():
            names = {inner.name for inner in item.iterdir()}
            replace_folder(item, goal)
            for old in goal.iterdir():
                if old.name not in names:
                    old.unlink()
        else:
            os.replace(item, goal)
    new.rmdir()
