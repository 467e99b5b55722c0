"""Files of sentences: recognised, read, written. A new format is one file like `sdp` and one line in `table`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arctag.blocks.block import Block
from arctag.formats.base import Chunk, Format, InputFormat, OutputFormat
from arctag.formats.block_format import BlockFormat
from arctag.formats.conllu import CONLLU
from arctag.formats.recognition import format_of_beginning, format_of_file, format_of_name
from arctag.formats.streams import Input, OnError, Opened, is_regular, look
from arctag.formats.table import (
    FORMATS,
    READ_ONLY,
    WRITE_ONLY,
    get_block_format,
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
    "input_formats", "output_formats", "read", "read_blocks", "read_whole", "write",
]  # fmt: skip


def read(
    path: str | Path, format: str | None = None, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Sentence]:
    """Stream the sentences of a graph file (`-`: standard input); memory does not grow with the file.

    With `words_only` the graphs are not read and come without arcs. With `on_error` a damaged
    sentence is reported and passed on as it stands.
    """
    source, name = _look(path, format)
    chosen = get_format(name)
    return chosen.sentences(chosen.chunks(source, on_error is not None), words_only, on_error)


def read_blocks(
    path: str | Path, format: str | None = None, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Block]:
    """The same, some thousand sentences at a time, as arrays: see `Block`."""
    source, name = _look(path, format)
    chosen = get_block_format(name)
    return chosen.blocks(chosen.chunks(source), words_only, on_error)


def read_whole(path: str | Path, format: str | None = None) -> Iterator[Any]:
    """The sentences of a graph file for `write`: in blocks, if its format has them."""
    source, name = _look(path, format)
    chosen = get_format(name)
    chunks = chosen.chunks(source)
    return chosen.blocks(chunks) if isinstance(chosen, BlockFormat) else chosen.sentences(chunks)


def _look(path: str | Path, format: str | None) -> tuple[Input, str]:
    """What to read from, and its format: as named, or by its name, or by how it begins."""
    if name := format or format_of_name(path):
        return (path if is_regular(path) else Opened(path, prompt=True)), name
    source, start = look(path)
    return source, format_of_beginning(start) or CONLLU.name
