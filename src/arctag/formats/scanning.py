"""Where the cells, lines and sentences of a table are: one pass over its bytes, free of the GIL.

Every tab and every line end is the end of a cell, so one array of positions holds all of them: cell c is
`data[cells[c] + 1 : cells[c + 1]]`, and line l has the cells from `lines[l]` to `lines[l + 1] - 1`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.cells import Bytes, Longs, Positions
from arctag.kernel import kernel

_LARGEST = 2**31 - 2  # bytes that 32 bits can number
_BEYOND_ASCII = np.uint64(0x8080808080808080)  # the bits that no byte of ASCII has
_TAB, _LINE_END, _HASH, _SPACE = 9, 10, 35, 32


class Table(NamedTuple):
    """Where the cells and lines of a table are."""

    cells: Positions
    lines: Positions


class Paragraphs(NamedTuple):
    """The sentences of a table, as numbers of lines."""

    first: Longs
    """The first comment, or the first row where there is none."""
    rows: Longs
    """The first row."""
    ends: Longs
    """The line after the last row."""
    nexts: Longs
    """The line after the empty lines that follow."""
    misplaced: Longs
    """A comment between the rows, or -1."""


def scan(data: Bytes) -> Table:
    """Find the cells and lines of a table that ends with a line end."""
    size = len(data) + 1
    room: Positions = np.empty(size, np.int32) if len(data) < _LARGEST else np.empty(size, np.int64)
    cells = room[: _separators(data, room)]
    return Table(cells, _lines(data, cells))


def find_sentences(data: Bytes, table: Table) -> Paragraphs:
    """Find the sentences: comments, then rows, then empty lines."""
    return Paragraphs(*_sentences(data, table.cells, table.lines))


@kernel
def _separators(data: Bytes, cells: Positions) -> int:
    """Fill in the positions of tabs and line ends, -1 before them; give their number.

    There is no branch: each position is written, and overwritten unless it counts.
    """
    cells[0] = -1
    count = 1
    for i in range(len(data)):
        cells[count] = i
        count += (data[i] == _TAB) | (data[i] == _LINE_END)
    return count


@kernel
def _lines(data: Bytes, cells: Positions) -> Positions:
    lines = np.empty(len(cells), dtype=cells.dtype)
    lines[0] = 0
    count = 1
    for c in range(1, len(cells)):
        lines[count] = c
        count += data[cells[c]] == _LINE_END
    return lines[:count].copy()


@kernel
def _is_comment(data: Bytes, start: int) -> bool:
    """A line that starts with '#', unless that is a word: then a tab comes before any space."""
    if data[start] != _HASH:
        return False
    while data[start] != _SPACE and data[start] != _LINE_END:
        if data[start] == _TAB:
            return False
        start += 1
    return True


@kernel
def _sentences(data: Bytes, cells: Positions, lines: Positions) -> tuple[Longs, Longs, Longs, Longs, Longs]:
    total = len(lines) - 1
    # a sentence takes a line at least
    first, rows, ends = np.empty(total, np.int64), np.empty(total, np.int64), np.empty(total, np.int64)
    nexts, misplaced = np.empty(total, np.int64), np.empty(total, np.int64)
    count, line, begun = 0, 0, -1
    while line < total:
        start = cells[lines[line]] + 1
        if data[start] == _LINE_END:
            line += 1
            continue
        if begun < 0:
            begun = line
        if _is_comment(data, start):
            line += 1
            continue
        first[count], rows[count], misplaced[count] = begun, line, -1
        while line < total and data[start] != _LINE_END:
            if data[start] == _HASH and misplaced[count] < 0 and _is_comment(data, start):
                misplaced[count] = line
            line += 1
            if line < total:
                start = cells[lines[line]] + 1
        ends[count] = line
        while line < total and data[cells[lines[line]] + 1] == _LINE_END:
            line += 1
        nexts[count] = line
        begun = -1
        count += 1
    return (
        first[:count].copy(),
        rows[:count].copy(),
        ends[:count].copy(),
        nexts[:count].copy(),
        misplaced[:count].copy(),
    )


def first_bad_byte(data: Bytes, start: int = 0) -> int:
    """Where the first byte is that is not UTF-8, from a start on; -1 if all is well."""
    return int(_first_bad_byte(data, data[: len(data) // 8 * 8].view(np.uint64), start))


@kernel
def _first_bad_byte(data: Bytes, eights: npt.NDArray[np.uint64], start: int) -> int:
    """The same; `eights` are the bytes eight at a time, to get over ASCII quickly."""
    i, end = start, len(data)
    while i < end:
        if not i & 7:
            k = i >> 3
            while k < len(eights) and not eights[k] & _BEYOND_ASCII:
                k += 1
            i = k << 3
            if i == end:
                break
        byte = data[i]
        if byte < 0x80:
            i += 1
            continue
        low, high = 0x80, 0xBF  # what the second byte may be
        if 0xC2 <= byte <= 0xDF:
            more = 1
        elif 0xE0 <= byte <= 0xEF:
            more = 2
            if byte == 0xE0:
                low = 0xA0
            elif byte == 0xED:  # halves of surrogate pairs
                high = 0x9F
        elif 0xF0 <= byte <= 0xF4:
            more = 3
            if byte == 0xF0:
                low = 0x90
            elif byte == 0xF4:
                high = 0x8F
        else:
            return i
        if i + more >= end or data[i + 1] < low or data[i + 1] > high:
            return i
        for k in range(2, more + 1):
            if data[i + k] < 0x80 or data[i + k] > 0xBF:
                return i
        i += more + 1
    return -1
