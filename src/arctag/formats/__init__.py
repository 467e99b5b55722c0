"""Graph files: read, write, convert. A new format is one module like `sdp` and one line in `FORMATS`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from arctag.errors import UnknownName
from arctag.formats import conllu, sdp
from arctag.formats.blocks import OnError
from arctag.formats.files import open_output
from arctag.formats.streams import Input, first_bytes, look
from arctag.sentence import Sentence

FORMATS: dict[str, ModuleType] = {module.NAME: module for module in (conllu, sdp)}
"""Each module has NAME, SUFFIXES, text(sentence, first), losses(sentence), and reading in two steps:
units(source, tolerant) cuts a file, sentences(units, words_only, on_error) reads what was cut, in any process."""


def get_format(name: str) -> ModuleType:
    """The module of a format, by name."""
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]


def format_of_name(path: str | Path) -> str | None:
    """The format that a file's name announces, if it does (`.gz` aside)."""
    name = str(path).lower().removesuffix(".gz")
    for module in FORMATS.values():
        if name.endswith(module.SUFFIXES):
            return str(module.NAME)
    return None


def recognised(start: bytes) -> str | None:
    """The format that a file begins like, if it does; a format may have a pattern BEGINNING."""
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    for module in FORMATS.values():
        pattern: re.Pattern[bytes] | None = getattr(module, "BEGINNING", None)
        if pattern is not None and pattern.match(start):
            return str(module.NAME)
    return None


def sniff(path: str | Path) -> str:
    """The format of a file: by its name, else by how it begins."""
    return format_of_name(path) or recognised(first_bytes(path)) or conllu.NAME


def read(
    path: str | Path, format: str | None = None, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Sentence]:
    """Stream the sentences of a file (`-`: standard input); memory does not grow with the file.

    With `words_only` the graphs are left unread and come without arcs. With `on_error` a bad
    sentence is reported and passed on as it stands.
    """
    source: Input = path
    named = format or format_of_name(path)
    if named is None:
        source, start = look(path)
        named = recognised(start) or conllu.NAME
    module = get_format(named)
    sentences: Iterator[Sentence] = module.sentences(module.units(source, on_error is not None), words_only, on_error)
    return sentences


def write(
    sentences: Iterable[Sentence], path: str | Path, format: str | None = None, losses: Counter[str] | None = None
) -> int:
    """Write sentences to a file (`-`: standard output) and give their number.

    The format is the one named, else the one the file's name announces, else the first sentence's.
    What the format has no room for is counted into `losses`. The file appears only when complete.
    """
    chosen = format or format_of_name(path)
    if chosen is not None:
        get_format(chosen)
    count = 0
    begun = False  # whether the header, if the format has one, is written
    with open_output(path) as file:
        for sentence in sentences:
            chosen = chosen or sentence.format  # one file, one format
            # what could not be read cannot be turned into another format: it goes out as it came in
            module = FORMATS[sentence.format if sentence.error else chosen]
            if losses is not None:
                losses.update({kind: n for kind, n in module.losses(sentence).items() if n})
            first = not begun and chosen == module.NAME
            file.write(module.text(sentence, first=first))
            begun = begun or first
            count += 1
    return count
