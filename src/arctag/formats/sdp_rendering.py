"""SDP sentences with other graphs: flags and arguments are written anew, what is left of them is copied."""

from __future__ import annotations

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.runs import Run
from arctag.cells import Bytes, Longs, Numbers, Positions, Spans
from arctag.formats.sdp_kernel import FIXED, TOP
from arctag.kernel import kernel

_LINE_END, _TAB, _SPACE, _PLUS, _MINUS, _UNDERSCORE = 10, 9, 32, 43, 45, 95


def with_arguments(run: Run, graphs: BlockArcs, header: str, most_cells: int) -> bytes | None:
    """The text of a run of sentences with other graphs; None if the arguments of one take too many cells.

    Every relation is a single name. A comment that is the header is left out.
    """
    block, start, stop, _ = run
    room = _size(
        block.cells, block.lines, block.first[start:stop], block.nexts[start:stop],
        graphs.arcs.sizes, graphs.arcs.starts, graphs.arcs.heads, most_cells,
    )  # fmt: skip
    if room < 0:
        return None
    names = Spans.of([name for (name,) in graphs.names])
    lengths = (names.ends - names.starts)[graphs.numbers]
    out = _with_arguments(
        block.data, block.cells, block.lines, block.first[start:stop], block.rows[start:stop], block.ends[start:stop],
        block.nexts[start:stop], graphs.arcs.sizes, graphs.arcs.starts, graphs.arcs.heads, graphs.arcs.dependents,
        graphs.numbers, names.data, names.starts, names.ends,
        np.frombuffer(header.encode(), np.uint8), room + int(lengths.sum()),
    )  # fmt: skip
    return out.tobytes()


@kernel
def _predicates(heads: Numbers, size: int, marks: Numbers, predicates: Numbers) -> int:
    """Find the words that are heads of arcs, in order; give their number."""
    marks[: size + 1] = 0
    for head in heads:
        marks[head] = 1
    count = 0
    for word in range(1, size + 1):
        if marks[word]:
            predicates[count] = word
            count += 1
    return count


@kernel
def _size(
    cells: Positions, lines: Positions, first: Longs, nexts: Longs, sizes: Numbers, arc_starts: Longs,
    heads: Numbers, most_cells: int,
) -> int:  # fmt: skip
    """A bound of the size of all sentences without their labels; -1 if one has too many cells."""
    longest = 0
    for size in sizes:
        longest = max(longest, size)
    marks, predicates = np.zeros(longest + 1, np.int32), np.empty(longest, np.int32)
    total = 0
    for s in range(len(sizes)):
        count = _predicates(heads[arc_starts[s] : arc_starts[s + 1]], sizes[s], marks, predicates)
        if count * sizes[s] > most_cells:
            return -1
        total += cells[lines[nexts[s]]] - cells[lines[first[s]]] + sizes[s] * (2 * count + 4)
    return total


@kernel
def _copy(source: Bytes, start: int, end: int, out: Bytes, at: int) -> int:
    for i in range(start, end):
        out[at] = source[i]
        at += 1
    return at


@kernel
def _is_header(data: Bytes, start: int, end: int, header: Bytes) -> bool:
    if end - start < len(header):
        return False
    for i in range(start, end):
        if (data[i] > _SPACE) if i - start >= len(header) else (data[i] != header[i - start]):
            return False
    return True


@kernel
def _with_arguments(
    data: Bytes, cells: Positions, lines: Positions, first: Longs, rows: Longs, ends: Longs, nexts: Longs,
    sizes: Numbers, arc_starts: Longs, heads: Numbers, dependents: Numbers, numbers: Numbers,
    names: Bytes, name_starts: Positions, name_ends: Positions, header: Bytes, room: int,
) -> Bytes:  # fmt: skip
    longest = 0
    for size in sizes:
        longest = max(longest, size)
    is_predicate, predicates = np.zeros(longest + 1, np.int32), np.empty(longest, np.int32)
    out = np.empty(room, np.uint8)
    at = 0
    for s in range(len(rows)):
        arc, end_arc, size = arc_starts[s], arc_starts[s + 1], sizes[s]
        count = _predicates(heads[arc:end_arc], size, is_predicate, predicates)
        for line in range(first[s], rows[s]):
            start, end = cells[lines[line]] + 1, cells[lines[line + 1]] + 1
            if end - start > 1 and not _is_header(data, start, end, header):
                at = _copy(data, start, end, out, at)
        for line in range(rows[s], ends[s]):
            if not size:  # a damaged sentence stays as it is
                at = _copy(data, cells[lines[line]] + 1, cells[lines[line + 1]] + 1, out, at)
                continue
            cell, dependent = lines[line], line - rows[s] + 1
            at = _copy(data, cells[cell] + 1, cells[cell + TOP] + 1, out, at)
            is_top = arc < end_arc and dependents[arc] == dependent and heads[arc] == 0
            out[at], out[at + 1] = _PLUS if is_top else _MINUS, _TAB
            out[at + 2], out[at + 3] = _PLUS if is_predicate[dependent] else _MINUS, _TAB
            at = _copy(data, cells[cell + FIXED - 1] + 1, cells[cell + FIXED], out, at + 4)
            arc += is_top
            for k in range(count):
                out[at] = _TAB
                at += 1
                if arc < end_arc and dependents[arc] == dependent and heads[arc] == predicates[k]:
                    at = _copy(names, name_starts[numbers[arc]], name_ends[numbers[arc]], out, at)
                    arc += 1
                else:
                    out[at] = _UNDERSCORE
                    at += 1
            out[at] = _LINE_END
            at += 1
        for _ in range(nexts[s] - ends[s]):
            out[at] = _LINE_END
            at += 1
    return out[:at]
