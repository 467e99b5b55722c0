"""`load`: a parser from a model folder; config, inputs and network composed.

A folder may come from anywhere: one that is not right is refused with a reason.
"""

from __future__ import annotations

from pathlib import Path

from arctag.backends.inputs import PieceInputs, WordInputs
from arctag.backends.protocol import Backend
from arctag.backends.subwords import load_pieces
from arctag.errors import InputError, MissingExtra
from arctag.modelfile import checksums
from arctag.modelfile.config import ModelConfig, read_json
from arctag.modelfile.folder import INPUTS, ONNX_FILES, TOKENIZER, WEIGHTS, WORDS, find
from arctag.parsing.parser import Parser


def load(folder: str | Path, device: str | None = None) -> Parser:
    """The parser in a model folder, as `arctag train`, `arctag export` or `Parser.save` wrote it; or, by its name, one
    that comes with Arctag: `arctag.load("en")`."""
    path = find(folder)
    checksums.check(path)
    config = ModelConfig.load(path)
    inputs = load_inputs(path)
    _check_inputs(config, inputs, path)
    return Parser(config, inputs, _backend(config, path, device), files=path)


def _backend(config: ModelConfig, folder: Path, device: str | None) -> Backend:
    """The network: exported if there is one such, else torch's."""
    found = [name for name in (*ONNX_FILES, WEIGHTS) if (folder / name).is_file()]
    if not found:
        raise InputError(f"{folder} is not a model folder: it has neither {WEIGHTS} nor {WORDS}")
    if WORDS in found or WEIGHTS not in found:
        from arctag.backends.onnx.backend import OnnxBackend

        return OnnxBackend(config, folder, device)
    try:
        from arctag.backends.torch.backend import TorchBackend
    except ImportError as error:
        raise MissingExtra("Running a model that is not exported", "train") from error
    return TorchBackend.load(config, folder, device)


def load_inputs(folder: Path) -> WordInputs | PieceInputs:
    """What turns words into numbers for this model."""
    value = read_json(folder / INPUTS)
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
