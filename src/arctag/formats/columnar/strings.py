"""Strings of Arrow as spans of bytes, and back: columns of cells without an object for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from arctag.cells import Bytes, Longs, Positions, Spans
from arctag.kernel import kernel

_UNDERSCORE = 95
BLANK = np.frombuffer(b"_", dtype=np.uint8)


def strings_of(spans: Spans, blanks: bool = True) -> pa.Array:
    """Spans as strings; if `blanks`, those that are '_' are null."""
    if not len(spans):
        return pa.array([], pa.string())
    values, offsets, valid, nulls = _packed(spans.data, spans.starts, spans.ends, blanks)
    bits = pa.py_buffer(np.packbits(valid, bitorder="little")) if nulls else None
    return pa.Array.from_buffers(pa.string(), len(spans), [bits, pa.py_buffer(offsets), pa.py_buffer(values)], nulls)


def spans_of(strings: pa.Array) -> Spans:
    """Strings as spans; null is '_'."""
    _, offsets, values = strings.buffers()
    count, first = len(strings), strings.offset
    ends = np.frombuffer(offsets, np.int32, count + 1, 4 * first) if count else np.zeros(1, np.int32)
    data = np.frombuffer(values, np.uint8)[ends[0] : ends[-1]] if values else np.zeros(0, np.uint8)
    starts, ends = ends[:-1].astype(np.int64) - ends[0], ends[1:].astype(np.int64) - ends[0]
    if not strings.null_count:
        return Spans(data, starts, ends)
    missing = np.asarray(strings.is_null())
    starts[missing], ends[missing] = len(data), len(data) + 1
    return Spans(np.concatenate([data, BLANK]), starts, ends)


def numbers_of(numbers: Any, missing: Any = None) -> pa.Array:
    """An array of 32-bit integers; null where they are missing."""
    return pa.array(numbers.astype(np.int32, copy=False), pa.int32(), mask=missing)


def listed(values: pa.Array, offsets: Longs, kind: pa.DataType) -> pa.Array:
    """Lists of consecutive values, one for each sentence."""
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), values, kind)


def lists(fields: Sequence[pa.Array], offsets: Longs, kind: pa.DataType) -> pa.Array:
    """Structures of lists that have the same lengths."""
    arrays = [listed(values, offsets, field.type) for values, field in zip(fields, kind, strict=True)]
    return pa.StructArray.from_arrays(arrays, fields=list(kind))


@kernel
def _packed(data: Bytes, starts: Positions, ends: Positions, blanks: bool) -> tuple[Bytes, Any, Any, int]:
    """The bytes of spans one after another, where each begins, which are not null, and how many are."""
    count = len(starts)
    offsets, valid = np.empty(count + 1, np.int32), np.ones(count, np.bool_)
    size, nulls = 0, 0
    for i in range(count):
        if blanks and ends[i] - starts[i] == 1 and data[starts[i]] == _UNDERSCORE:
            valid[i] = False
            nulls += 1
        else:
            size += ends[i] - starts[i]
    out = np.empty(size, np.uint8)
    at = 0
    for i in range(count):
        offsets[i] = at
        if valid[i]:
            for k in range(starts[i], ends[i]):
                out[at] = data[k]
                at += 1
    offsets[count] = at
    return out, offsets, valid, nulls
