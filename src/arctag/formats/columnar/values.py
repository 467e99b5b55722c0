"""Columns of texts, words and ids in tables of any kind, as Python has them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa

from arctag.errors import FormatError
from arctag.formats.columnar.reading import open_batches
from arctag.formats.columnar.schema import is_list
from arctag.formats.streams import Input, name_of


class Values(NamedTuple):
    """What stands in some rows."""

    first: int
    """The number of the first row."""
    contents: list[Any]
    """Texts, or lists of words, or lists of such lists; None where there is nothing."""
    ids: list[str | None]


def values_in(source: Input, content: str, identifier: str | None) -> Iterator[Values]:
    """The values of a column of a file, some rows at a time, and those of a column with ids."""
    named = [content] if identifier is None else [content, identifier]
    _, batches = open_batches(source, partial(check_columns, named), named)
    row = 1
    for batch in batches:
        yield values_of(batch, content, identifier, name_of(source), row)
        row += len(batch)


def values_of(batch: pa.RecordBatch, content: str, identifier: str | None, source: str, first: int = 1) -> Values:
    """The same from a batch."""
    check_columns([content] if identifier is None else [content, identifier], batch.schema, source)
    column = batch.column(content)
    if not _is_content(column.type):
        raise FormatError(source, None, f"the type {column.type} in column {content}", "texts, or lists of words")
    ids: list[str | None] = [None] * len(batch)
    if identifier is not None:
        ids = _texts(batch.column(identifier), identifier, source)
    return Values(first, column.to_pylist(), ids)


def check_columns(names: list[str], schema: pa.Schema, source: str) -> None:
    """Refuse a table that lacks a column."""
    for name in names:
        if schema.names.count(name) != 1:
            there = ", ".join(schema.names) or "none"
            raise FormatError(source, None, f"no column {name} (there are {there})", "a table with that column, once")


def _is_content(kind: pa.DataType) -> bool:
    if is_list(kind):
        kind = kind.value_type
        kind = kind.value_type if is_list(kind) else kind
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _texts(ids: pa.Array, name: str, source: str) -> list[str | None]:
    try:
        texts: list[str | None] = ids.cast(pa.string()).to_pylist()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise FormatError(source, None, f"the type {ids.type} in column {name}", "ids as texts or numbers") from None
    return texts
