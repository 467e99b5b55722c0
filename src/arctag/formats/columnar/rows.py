"""A record batch with sentences as flat arrays, whoever wrote it: columns are checked, and missing ones filled in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arctag.cells import Flags, Longs, Spans
from arctag.encodings.labels import offsets_of
from arctag.errors import FormatError
from arctag.formats.columnar.schema import FLAGS, NUMBERS, STRINGS, type_name
from arctag.formats.columnar.strings import spans_of

LINE_END: Mapping[int, str] = {10: "line break"}
"""What no line may hold."""
_FORBIDDEN: Mapping[int, str] = {9: "tab", **LINE_END}  # what no cell may hold


class Rows:
    """The sentences of a record batch; messages name a file and its rows, counted from 1."""

    def __init__(self, batch: pa.RecordBatch, source: str, first: int = 1) -> None:
        self.batch, self.source, self.first = batch, source, first
        _, self.nodes = self.lists(STRINGS, "form")
        self.sizes = np.diff(self.nodes)

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    def error(self, row: int, found: str, expected: str) -> FormatError:
        """An error in a row, counted from 0."""
        return FormatError(self.source, self.first + row, found, expected)

    def column(self, kind: pa.DataType, *path: str) -> pa.Array:
        """A column, or a field of a structure, as this type; all null if there is none."""
        array: Any = self.batch
        for name in path:
            if name not in _names(array):
                return pa.nulls(len(self), kind)
            array = array.column(name) if isinstance(array, pa.RecordBatch) else pc.struct_field(array, name)
        if array.type == kind:
            return array
        try:
            return array.cast(kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
            name, found = ".".join(path), type_name(array.type)
            raise FormatError(self.source, None, f"the type {found} in column {name}", type_name(kind)) from None

    def texts(self, name: str) -> list[str | None]:
        """A column of strings, one for each sentence."""
        texts: list[str | None] = self.column(pa.string(), name).to_pylist()
        return texts

    def words(self, *path: str) -> Spans:
        """A column of strings, one for each node; null is '_'. None may hold a tab or a line end."""
        return self.checked(spans_of(self.values(STRINGS, *path)), self.owners, *path)

    def numbers(self, name: str) -> tuple[Longs, Flags]:
        """A column of numbers, one for each node, and which of them are null."""
        values = self.values(NUMBERS, name)
        return np.asarray(values.fill_null(0)).astype(np.int64), np.asarray(values.is_null())

    def flags(self, name: str) -> Flags:
        """A column of flags, one for each node; null is false."""
        return np.asarray(self.values(FLAGS, name).fill_null(False))

    def lists(self, kind: pa.DataType, *path: str) -> tuple[pa.Array, Longs]:
        """The values of a column of lists of any length, and where those of each sentence begin."""
        lists = self.column(kind, *path)
        return lists.flatten(), offsets_of(np.asarray(pc.list_value_length(lists).fill_null(0)))

    @cached_property
    def owners(self) -> Longs:
        """The sentence of each node."""
        return np.repeat(np.arange(len(self)), self.sizes)

    def checked(self, spans: Spans, owners: Longs, *path: str, forbidden: Mapping[int, str] = _FORBIDDEN) -> Spans:
        """Spans that fit into cells; an error names the first row with one that does not."""
        for byte, what in forbidden.items():
            at = np.flatnonzero(spans.data == byte)
            inside = np.searchsorted(at, spans.starts) < np.searchsorted(at, spans.ends) if len(at) else at
            if inside.any():
                row = int(owners[int(np.argmax(inside))])
                raise self.error(row, f"a {what} in column {'.'.join(path)}", "none")
        return spans

    def values(self, kind: pa.DataType, *path: str) -> pa.Array:
        """The values of a column of lists that have a value for each node; a null list has none for any."""
        lists = self.column(kind, *path)
        lengths = np.asarray(pc.list_value_length(lists).fill_null(-1))
        wrong = np.flatnonzero((lengths != self.sizes) & (lengths >= 0))
        if len(wrong):
            row, name = int(wrong[0]), ".".join(path)
            raise self.error(row, f"{lengths[row]} values in column {name}", f"{self.sizes[row]}, one for each form")
        values = lists.flatten()
        if len(values) == self.nodes[-1]:
            return values
        present = np.repeat(lengths >= 0, self.sizes)
        return values.take(pa.array(np.cumsum(present) - 1, mask=~present))


def _names(array: Any) -> list[str]:
    if isinstance(array, pa.RecordBatch):
        names: list[str] = array.schema.names
        return names
    return [field.name for field in array.type] if pa.types.is_struct(array.type) else []
