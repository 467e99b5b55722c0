"""Files of sentences: recognised, read, written. A new format is one file like `sdp` and one line in `table`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arctag.formats.base import Chunk, Format, InputFormat, OutputFormat
from arctag.formats.conllu import CONLLU
from arctag.formats.recognition import format_of_beginning, format_of_file, format_of_name
from arctag.formats.streams import Input, OnError, look
from arctag.formats.table import (
    FORMATS,
    READ_ONLY,
    WRITE_ONLY,
    get_format,
    get_input_format,
    get_output_format,
    input_formats,
    output_formats,
)
from arctag.formats.writer import Writer, write
from arctag.sentence import Sentence

__all__ = [
    "FORMATS", "READ_ONLY", "WRITE_ONLY", "Chunk", "Format", "InputFormat", "OutputFormat", "Writer",
    "format_of_beginning", "format_of_file", "format_of_name", "get_format", "get_input_format", "get_output_format",
    "input_formats", "output_formats", "read", "write",
]  # fmt: skip


def read(
    path: str | Path, format: str | None = None, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Sentence]:
    """Stream the sentences of a graph file (`-`: standard input); memory does not grow with the file.

    With `words_only` the graphs are not read and come without arcs. With `on_error` a damaged
    sentence is reported and passed on as it stands.
    """
    source: Input = path
    name = format or format_of_name(path)
    if name is None:
        source, start = look(path)
        name = format_of_beginning(start) or CONLLU.name
    chosen = get_format(name)
    return chosen.sentences(chosen.chunks(source, on_error is not None), words_only, on_error)
