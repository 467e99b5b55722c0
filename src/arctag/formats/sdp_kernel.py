"""The loop that reads SDP: ids, flags and columns are checked, arguments become arcs."""

from __future__ import annotations

import numpy as np

from arctag.cells import Bytes, Flags, Longs, Numbers, Positions
from arctag.kernel import kernel

TOP, PREDICATE, FIXED = 4, 5, 7
"""The columns of flags, and how many there are before the arguments."""
# what may be wrong with a row
SOUND, WRONG_ID, FEW_COLUMNS, WRONG_TOP, WRONG_PREDICATE, WRONG_COLUMNS, NO_LABEL = range(7)
_PLUS, _MINUS, _ZERO, _NINE, _UNDERSCORE = 43, 45, 48, 57, 95


@kernel
def _is_number(data: Bytes, start: int, end: int, number: int) -> bool:
    """Whether a number is written there, without zeros before it."""
    at = end - 1
    while number > 0 and at >= start:
        if data[at] != _ZERO + number % 10:
            return False
        number //= 10
        at -= 1
    return number == 0 and at == start - 1


@kernel
def _flag(data: Bytes, cells: Positions, cell: int) -> int:
    """1 for '+', 0 for '-', -1 for anything else."""
    start, end = cells[cell] + 1, cells[cell + 1]
    if end - start != 1:
        return -1
    return 1 if data[start] == _PLUS else 0 if data[start] == _MINUS else -1


@kernel
def _check_rows(
    data: Bytes, cells: Positions, lines: Positions, first: int, end: int, predicates: Numbers
) -> tuple[int, int, int]:
    """Check ids, flags and columns, and fill in the words that are predicates; give the fault, its line, their count.

    Widths come after every flag: a damaged one changes the width of all rows.
    """
    count = 0
    for line in range(first, end):
        cell = lines[line]
        if not _is_number(data, cells[cell] + 1, cells[cell + 1], line - first + 1):
            return WRONG_ID, line, 0
        if lines[line + 1] - cell < FIXED:
            return FEW_COLUMNS, line, 0
        if _flag(data, cells, cell + TOP) < 0:
            return WRONG_TOP, line, 0
        predicate = _flag(data, cells, cell + PREDICATE)
        if predicate < 0:
            return WRONG_PREDICATE, line, 0
        if predicate:
            predicates[count] = line - first + 1
            count += 1
    for line in range(first, end):
        if lines[line + 1] - lines[line] != FIXED + count:
            return WRONG_COLUMNS, line, 0
    return SOUND, first, count


@kernel
def read_sentences(
    data: Bytes, cells: Positions, lines: Positions, rows: Longs, ends: Longs, skipped: Flags, top_name: int,
    words_only: bool,
) -> tuple[Longs, Longs, Numbers, Longs, Numbers, Numbers, Positions, Positions, Numbers, Longs, bool]:  # fmt: skip
    """The nodes and arcs of all sentences, as the kernel of CoNLL-U gives them; those that are skipped have none.

    The relation of a top stands from `top_name` to the end of the data.
    """
    total, longest = 0, 0
    for s in range(len(rows)):
        total += ends[s] - rows[s]
        longest = max(longest, ends[s] - rows[s])
    nodes, arcs = np.zeros(len(rows) + 1, np.int64), np.zeros(len(rows) + 1, np.int64)
    faults, node_lines = np.zeros((len(rows), 4), np.int64), np.empty(total, np.int64)
    room = 0 if words_only else len(cells)  # an arc is a cell; a top has one, too
    heads, dependents = np.empty(room, np.int32), np.empty(room, np.int32)
    relation_starts, relation_ends = np.empty(room, cells.dtype), np.empty(room, cells.dtype)
    predicates = np.empty(longest, np.int32)
    at, arc = 0, 0
    for s in range(len(rows)):
        nodes[s], arcs[s] = at, arc
        if skipped[s]:
            continue
        fault, line, count = _check_rows(data, cells, lines, rows[s], ends[s], predicates)
        if fault == SOUND and not words_only:
            for line in range(rows[s], ends[s]):
                cell, dependent = lines[line], line - rows[s] + 1
                if data[cells[cell + TOP] + 1] == _PLUS:
                    heads[arc], dependents[arc] = 0, dependent
                    relation_starts[arc], relation_ends[arc] = top_name, len(data)
                    arc += 1
                for k in range(count):
                    start, end = cells[cell + FIXED + k] + 1, cells[cell + FIXED + k + 1]
                    if end - start == 1 and data[start] == _UNDERSCORE:
                        continue
                    if start == end:
                        fault = NO_LABEL
                        break
                    heads[arc], dependents[arc] = predicates[k], dependent
                    relation_starts[arc], relation_ends[arc] = start, end
                    arc += 1
                if fault != SOUND:
                    break
        if fault != SOUND:
            faults[s, 0], faults[s, 1], faults[s, 2], faults[s, 3] = fault, line, -1, -1
            arc = arcs[s]
            continue
        for line in range(rows[s], ends[s]):
            node_lines[at] = line
            at += 1
    nodes[-1], arcs[-1] = at, arc
    return (
        nodes, node_lines[:at].copy(), np.zeros(len(rows), np.int32), arcs, heads[:arc].copy(),
        dependents[:arc].copy(), relation_starts[:arc].copy(), relation_ends[:arc].copy(),
        np.full(at, -1, np.int32), faults, True,
    )  # fmt: skip
