"""Files of sentences: recognised, read, written. A new format is one file like `sdp` and one line in `table`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from arctag.blocks.block import Block
from arctag.formats.base import Chunk, Format, InputFormat, OutputFormat
from arctag.formats.block_format import BlockFormat
from arctag.formats.columnar.formats import ColumnFormat
from arctag.formats.conllu import CONLLU
from arctag.formats.recognition import format_of_beginning, format_of_file, format_of_name
from arctag.formats.streams import Input, OnError, Opened, is_regular, look
from arctag.formats.table import (
    COLUMNAR,
    FORMATS,
    READ_ONLY,
    WRITE_ONLY,
    get_block_format,
    get_format,
    get_graph_format,
    get_input_format,
    get_output_format,
    graph_formats,
    input_formats,
    output_formats,
    output_suffixes,
)
from arctag.formats.writer import Writer, copy_table, write
from arctag.sentence import Sentence

__all__ = [
    "COLUMNAR", "FORMATS", "READ_ONLY", "WRITE_ONLY", "Chunk", "Format", "InputFormat", "OutputFormat", "Writer",
    "copy_table", "format_of_beginning", "format_of_file", "format_of_name", "get_format", "get_graph_format",
    "get_input_format", "get_output_format", "graph_formats", "input_formats", "look_at", "output_formats",
    "output_suffixes", "read", "read_blocks", "read_input", "read_whole",
    "read_whole_input", "write",
]  # fmt: skip


def read(
    path: str | Path, format: str | None = None, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Sentence]:
    """Stream the sentences of a graph file (`-`: standard input); memory does not grow with the file.

    With `words_only` the graphs are not read and come without arcs. With `on_error` a damaged
    sentence is reported and passed on as it stands.
    """
    return read_input(*look_at(path, format), words_only, on_error)


def read_input(
    source: Input, format: str, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Sentence]:
    """The same from what `look_at` gives."""
    chosen = get_graph_format(format)
    return chosen.sentences(chosen.chunks(source, on_error is not None), words_only, on_error)


def read_blocks(
    path: str | Path, format: str | None = None, words_only: bool = False, on_error: OnError | None = None
) -> Iterator[Block]:
    """The same, some thousand sentences at a time, as arrays: see `Block`."""
    source, name = look_at(path, format)
    chosen: BlockFormat | ColumnFormat = COLUMNAR[name] if name in COLUMNAR else get_block_format(name)
    chunks: Iterator[Any] = chosen.chunks(source)
    return chosen.blocks(chunks, words_only, on_error)


def read_whole(path: str | Path, format: str | None = None) -> Iterator[Any]:
    """The sentences of a graph file for `write`: in blocks, where their text says all."""
    return read_whole_input(*look_at(path, format))


def read_whole_input(source: Input, format: str, on_error: OnError | None = None) -> Iterator[Any]:
    """The same from what `look_at` gives."""
    chosen = get_graph_format(format)
    chunks = chosen.chunks(source, on_error is not None)
    if isinstance(chosen, BlockFormat):
        return chosen.blocks(chunks, on_error=on_error)
    if isinstance(chosen, ColumnFormat):
        return _told_by_text(chosen.blocks(chunks, on_error=on_error))
    return chosen.sentences(chunks, on_error=on_error)


def _told_by_text(blocks: Iterable[Block]) -> Iterator[Block | Sentence]:
    """Blocks whose text says all, and the sentences of others."""
    for block in blocks:
        if block.faults or block.graphs.probabilities is not None or (block.table is not None and block.table.more):
            yield from block
        else:
            yield block


def look_at(path: str | Path, format: str | None = None) -> tuple[Input, str]:
    """What to read from, and its format: as named, or by its name, or by how it begins."""
    if name := format or format_of_name(path):
        return (path if is_regular(path) else Opened(path, prompt=True)), name
    source, start = look(path)
    return source, format_of_beginning(start) or CONLLU.name
