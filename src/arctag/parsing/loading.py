"""`load`: a parser from a model folder; config, inputs and network composed.

A folder may come from anywhere: one that is not right is refused with a reason.
"""

from __future__ import annotations

from pathlib import Path

from arctag.backends.inputs import load_inputs
from arctag.backends.protocol import Backend
from arctag.errors import InputError, MissingExtra
from arctag.modelfile import checksums
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.folder import find
from arctag.modelfile.networks import BACKENDS, find_kind
from arctag.parsing.parser import Parser


def load(folder: str | Path, device: str | None = None) -> Parser:
    """The parser in a model folder, as `arctag train`, `arctag export` or `Parser.save` wrote it; or, by its name, one
    that comes with Arctag: `arctag.load("en")`."""
    path = find(folder)
    config = load_config(path)
    inputs = load_inputs(path)
    try:
        inputs.check(config.encoder_options)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    return Parser(config, inputs, _load_backend(config, path, device), files=path)


def load_config(folder: str | Path) -> ModelConfig:
    """What the model in a folder, or of that name, predicts; its files are checked."""
    path = find(folder)
    checksums.check(path)
    return ModelConfig.load(path)


def _load_backend(config: ModelConfig, folder: Path, device: str | None) -> Backend:
    """The network in a folder, of whatever kind."""
    kind = find_kind(folder)
    if kind is None:
        names = " nor ".join(kind.files[0] for kind in reversed(BACKENDS.values()))
        raise InputError(f"{folder} is not a model folder: it has neither {names}")
    try:
        backend = kind.load_class()
    except ImportError as error:
        if not kind.extra:
            raise
        raise MissingExtra("Running a model that is not exported", kind.extra) from error
    return backend.load(config, folder, device)
