"""Loading the models that are named on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arctag.errors import InputError
from arctag.parsing.loading import load
from arctag.parsing.parser import Parser

_WARM_UP = [["Hello", ",", "world", "!"]]


def load_models(specs: Iterable[str], device: str | None = None) -> dict[str, Parser]:
    """The parsers by name. Each is given as `NAME=FOLDER`, as a folder, or as a model that comes with Arctag."""
    parsers: dict[str, Parser] = {}
    for spec in specs:
        name, folder = _name_and_folder(spec)
        if name in parsers:
            raise InputError(f"two models are named {name}: give one of them another name, as NAME=FOLDER")
        parser = load(folder, device)
        list(parser.parse(_WARM_UP))  # the first sentence takes longest
        if parser.tokenizer is not None:
            list(parser.tokenizer.sentences("Hello, world!"))
        parsers[name] = parser
    return parsers


def _name_and_folder(spec: str) -> tuple[str, str]:
    name, equals, folder = spec.partition("=")
    if not equals or Path(spec).exists():
        return Path(spec).resolve().name if Path(spec).exists() else spec, spec
    if not name or not folder:
        raise InputError(f"a model is given as NAME=FOLDER or as a folder, not as {spec!r}")
    return name, folder
