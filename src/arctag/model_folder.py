"""A model on disk: `config.json`, `labels.json`, `inputs.json`, `model.safetensors`, tokenizer files, a card.

Nothing in it is executed or unpickled: JSON, safetensors and the tokenizer's own JSON. A folder
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

from arctag.errors import InputError, MissingExtra
from arctag.inputs import PieceInputs, WordInputs
from arctag.model_card import card_text
from arctag.model_config import ModelConfig, read_json, write_json

if TYPE_CHECKING:
    from arctag.parser import Parser

TOKENIZER = "tokenizer"


def load(folder: str | Path, device: str | None = None) -> Parser:
    """The parser in a folder."""
    from arctag.parser import Parser

    path = Path(folder)
    if not path.is_dir():
        path = _from_hub(str(folder))
    config = ModelConfig.load(path)
    try:
        from arctag.model.backend import TorchBackend
    except ImportError as error:
        raise MissingExtra("Running this model", "train") from error
    inputs = load_inputs(path)
    _check_inputs(config, inputs, path)
    return Parser(config, inputs, TorchBackend.load(config, path, device), files=path)


def _from_hub(name: str) -> Path:
    """A model folder of that name on the Hugging Face hub, fetched and kept by its own client."""
    missing = InputError(f"no model folder at {name}: train one with `arctag train … --out {name}`")
    if not re.fullmatch(r"[\w-][\w.-]*/[\w-][\w.-]*", name):
        raise missing
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError:
        raise missing from None
    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.safetensors", "*.md", f"{TOKENIZER}/*"]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = str(error).strip().splitlines()[0]
        raise InputError(f"no model folder at {name}, and none on the hub ({reason})") from error


def load_inputs(folder: Path) -> WordInputs | PieceInputs:
    """What turns words into numbers for this model."""
    value = read_json(folder / "inputs.json")
    try:
        if value["kind"] == "words":
            return WordInputs.from_json(value)
        from arctag.model.pieces import piece_inputs

        if not (folder / TOKENIZER).is_dir():  # a name that is no folder would be looked for on the hub
            raise InputError(f"{folder}: the tokenizer is missing")
        return piece_inputs(folder / TOKENIZER, int(value["limit"]), str(value["pooling"]))
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
        part.chmod(0o755)
        replace_folder(part, target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def remove_leftovers(folder: str | Path) -> None:
    """Remove what a process killed while saving has left beside the folder."""
    target = Path(folder)
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
