"""Loading the models that are named on the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from arctag.errors import InputError
from arctag.parsing.loading import load
from arctag.parsing.parser import Parser

_WARM_UP = [["Hello", ",", "world", "!"]]


def load_models(wanted: Iterable[str], device: str | None = None) -> dict[str, Parser]:
    """The parsers by name. Each is given as `NAME=FOLDER`, as a folder, or as a model that comes with Arctag."""
    parsers: dict[str, Parser] = {}
    for given in wanted:
        name, folder = _name_and_folder(given)
        if name in parsers:
            raise InputError(f"two models are called {name}: name one of them otherwise, as NAME=FOLDER")
        parser = load(folder, device)
        list(parser.parse(_WARM_UP))  # the first sentence takes longest: let it not be a client's
        if parser.tokenizer is not None:
            list(parser.tokenizer.sentences("Hello, world!"))
        parsers[name] = parser
    return parsers


def _name_and_folder(given: str) -> tuple[str, str]:
    name, equals, folder = given.partition("=")
    if not equals or Path(given).exists():
        return Path(given).resolve().name if Path(given).exists() else given, given
    if not name or not folder:
        raise InputError(f"a model is given as NAME=FOLDER or as a folder, not as {given!r}")
    return name, folder
