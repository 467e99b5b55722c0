"""The tables of formats: one file and one line each. Everything that lists formats is derived from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from arctag.errors import InputError, UnknownName
from arctag.formats.base import Format, InputFormat, OutputFormat
from arctag.formats.block_format import BlockFormat
from arctag.formats.columnar.formats import ARROW_FORMAT, PARQUET_FORMAT, ColumnFormat
from arctag.formats.conllu import CONLLU
from arctag.formats.conllu_plus import CONLLUP
from arctag.formats.json_lines import JSON
from arctag.formats.sdp import SDP
from arctag.formats.tokens import TOKENS

T = TypeVar("T")

FORMATS: dict[str, Format[Any]] = {format.name: format for format in (CONLLU, SDP, CONLLUP)}
"""Graph files of text, which are both read and written."""
COLUMNAR: dict[str, ColumnFormat] = {format.name: format for format in (PARQUET_FORMAT, ARROW_FORMAT)}
"""Graph files that are tables, which are both read and written."""
READ_ONLY: dict[str, InputFormat[Any]] = {TOKENS.name: TOKENS}
"""What can be parsed, too."""
WRITE_ONLY: dict[str, OutputFormat] = {JSON.name: JSON}
"""What can be written, too."""


def input_formats() -> dict[str, InputFormat[Any]]:
    """Every format that can be read."""
    return {**graph_formats(), **READ_ONLY}


def output_formats() -> dict[str, OutputFormat]:
    """Every format of text that can be written."""
    return {**FORMATS, **WRITE_ONLY}


def graph_formats() -> dict[str, InputFormat[Any]]:
    """Every format of graph files, which are both read and written."""
    return {**FORMATS, **COLUMNAR}


def get_graph_format(name: str) -> InputFormat[Any]:
    """A format of graph files, by name."""
    return _get(name, graph_formats())


def get_format(name: str) -> Format[Any]:
    """A format of graph files of text, by name."""
    return _get(name, FORMATS)


def get_block_format(name: str) -> BlockFormat:
    """A format of graph files that are read as blocks, by name."""
    format = get_format(name)
    if not isinstance(format, BlockFormat):
        raise InputError(f"format {name!r} is not read as blocks")
    return format


def output_suffixes() -> dict[str, tuple[str, ...]]:
    """How names of files end that can be written, by format."""
    texts = {name: format.suffixes for name, format in output_formats().items()}
    return texts | {name: format.suffixes for name, format in COLUMNAR.items()}


def get_input_format(name: str) -> InputFormat[Any]:
    """A format that can be read, by name."""
    return _get(name, input_formats())


def get_output_format(name: str) -> OutputFormat:
    """A format of text that can be written, by name."""
    return _get(name, output_formats())


def _get(name: str, formats: Mapping[str, T]) -> T:
    if name not in formats:
        raise UnknownName("format", name, formats)
    return formats[name]
