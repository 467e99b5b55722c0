"""Which format a file is in: by its name, or by how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arctag.formats.conllu import CONLLU
from arctag.formats.packing import unpacked_name
from arctag.formats.streams import first_bytes
from arctag.formats.table import graph_formats

Suffixes = Mapping[str, tuple[str, ...]]
"""How names of files end, for each kind of file."""


def kind_of_name(path: str | Path, suffixes: Suffixes) -> str | None:
    """The kind of file that a name announces, if it does (packing and case aside); the longest suffix counts."""
    name = unpacked_name(str(path).lower())
    matches = [(len(suffix), kind) for kind, some in suffixes.items() for suffix in some if name.endswith(suffix)]
    return max(matches)[1] if matches else None


def without_suffix(name: str, suffixes: Suffixes) -> str:
    """A name without the suffix that says what is in the file: `v1.0.txt.gz` is `v1.0`."""
    name = unpacked_name(name)
    lengths = (len(suffix) for some in suffixes.values() for suffix in some if name.lower().endswith(suffix))
    return name[: len(name) - max(lengths, default=0)] or name


def format_of_name(path: str | Path) -> str | None:
    """The format of graph files that a name announces, if it does."""
    return kind_of_name(path, {name: format.suffixes for name, format in graph_formats().items()})


def format_of_beginning(start: bytes) -> str | None:
    """The format of graph files that a file begins like, if it does."""
    start = start.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    return next((name for name, format in graph_formats().items() if format.recognises(start)), None)


def format_of_file(path: str | Path) -> str:
    """The format of a graph file: by its name, else by how it begins, else CoNLL-U."""
    return format_of_name(path) or format_of_beginning(first_bytes(path)) or CONLLU.name
