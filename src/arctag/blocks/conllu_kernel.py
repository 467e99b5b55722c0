"""The loops that read CoNLL-U: columns and ids are checked, DEPS become arcs, a fault is a code and a place."""

from __future__ import annotations

import numpy as np

from arctag.cells import Bytes, Flags, Longs, Numbers, Positions
from arctag.kernel import kernel

# what may be wrong with a row, in the order in which it is looked for
(
    SOUND, WRONG_COLUMNS, RANGE_START, RANGE_END, RANGE_INSIDE, WRONG_ID, NO_WORDS, RANGE_BEYOND,
    NO_HEAD, WRONG_HEAD, HEAD_BEYOND, DEPS_ON_RANGE, WRONG_DEP,
) = range(13)  # fmt: skip
_TAB, _DASH, _DOT, _ZERO, _NINE, _COLON, _UNDERSCORE, _BAR = 9, 45, 46, 48, 57, 58, 95, 124
_MOST_DIGITS = 9  # of a number that is worth reading: no sentence has more words
_SHORTEST_ARC = 4  # bytes: `0:x|`
_NONE = -1
_ID, _HEAD, _DEPREL, _DEPS = 0, 6, 7, 8  # their places in a row are given


@kernel
def _cell(cells: Positions, cell: int, place: int, blank: int) -> tuple[int, int]:
    """Where the cell of a column begins and ends; a column that the file does not have is a '_' somewhere else."""
    if place < 0:
        return blank, blank + 1
    return cells[cell + place] + 1, cells[cell + place + 1]


@kernel
def _number(data: Bytes, start: int, end: int) -> int:
    """The number that is written there as numbers are, without zeros before it; -1 if there is none."""
    if end <= start or end - start > _MOST_DIGITS or (data[start] == _ZERO and end - start > 1):
        return _NONE
    value = 0
    for i in range(start, end):
        digit = data[i]
        if digit < _ZERO or digit > _NINE:
            return _NONE
        value = 10 * value + (digit - _ZERO)
    return value


@kernel
def _find(data: Bytes, start: int, end: int, byte: int) -> int:
    """The first place of a byte, or the end."""
    while start < end and data[start] != byte:
        start += 1
    return start


@kernel
def _is_blank(data: Bytes, start: int, end: int) -> bool:
    return end - start == 1 and data[start] == _UNDERSCORE


@kernel
def _number_with_zeros(data: Bytes, start: int, end: int) -> int:
    """The number that is written there, zeros before it or not; -1 if there is none."""
    while start < end - 1 and data[start] == _ZERO:
        start += 1
    return _number(data, start, end)


@kernel
def _head_fault(data: Bytes, cells: Positions, cell: int, words: int, places: Longs, blank: int) -> int:
    """What is wrong with HEAD, which is not simply the number of a word: zeros may come before it."""
    start, end = _cell(cells, cell, places[_HEAD], blank)
    if _is_blank(data, start, end):
        start, end = _cell(cells, cell, places[_DEPREL], blank)
        if _is_blank(data, start, end):
            return SOUND
        start, end = _cell(cells, cell, places[_ID], blank)
        is_empty_node = _find(data, start, end, _DOT) < end
        return SOUND if is_empty_node else NO_HEAD
    for i in range(start, end):
        if data[i] < _ZERO or data[i] > _NINE:
            return WRONG_HEAD
    if start == end:
        return WRONG_HEAD
    head = _number_with_zeros(data, start, end)
    return HEAD_BEYOND if head < 0 or head > words else SOUND


@kernel
def _node(data: Bytes, start: int, end: int, node_of: Numbers, words: int, nodes: int) -> int:
    """The node with an id (`7`, `8.1`); -1 if the sentence has none."""
    dot = _find(data, start, end, _DOT)
    word = _number(data, start, dot)
    if word < 0 or word > words:
        return _NONE
    node: int = node_of[word]
    if dot == end:
        return node
    rank = _number(data, dot + 1, end)
    following = node_of[word + 1] if word < words else nodes + 1
    return node + rank if 0 < rank < following - node else _NONE


@kernel
def _check_ids(
    data: Bytes, cells: Positions, lines: Positions, line: int, end_line: int, width: int, place: int,
    node_lines: Longs, node_of: Numbers,
) -> tuple[int, int, int, int, int]:  # fmt: skip
    """Check columns and ids; fill in the line of each node, and the node of each word.

    Gives the fault and its line, and the numbers of words, nodes and empty nodes.
    """
    first = line
    word, nodes, empty, covered, empties = 0, 0, 0, 0, 0
    while line < end_line:
        cell = lines[line]
        if lines[line + 1] - cell != width:
            return WRONG_COLUMNS, line, 0, 0, 0
        start, end = cells[cell + place] + 1, cells[cell + place + 1]
        if _number(data, start, end) == word + 1:
            word, empty = word + 1, 0
            node_of[word] = nodes + 1
        else:
            dash = _find(data, start, end, _DASH)
            low = _number(data, start, dash)
            high = _number(data, dash + 1, end)
            if dash < end and low > 0 and high > 0:
                if low != word + 1:
                    return RANGE_START, line, 0, 0, 0
                if high <= low:
                    return RANGE_END, line, 0, 0, 0
                if low <= covered:
                    return RANGE_INSIDE, line, 0, 0, 0
                covered = high
                line += 1
                continue
            dot = _find(data, start, end, _DOT)
            if dot == end or _number(data, start, dot) != word or _number(data, dot + 1, end) != empty + 1:
                return WRONG_ID, line, 0, 0, 0
            empty += 1
            empties += 1
        node_lines[nodes] = line
        nodes += 1
        line += 1
    if word == 0 and covered == 0:
        return NO_WORDS, first, 0, 0, 0
    if covered > word:
        return RANGE_BEYOND, end_line - 1, 0, 0, 0
    return SOUND, line, word, nodes, empties


@kernel
def _read_deps(
    data: Bytes, start: int, end: int, node_of: Numbers, words: int, nodes: int, arc: int,
    heads: Numbers, relation_starts: Positions, relation_ends: Positions,
) -> tuple[int, bool, int, int]:  # fmt: skip
    """Fill in the arcs of a word from its DEPS, the first of them as number `arc`.

    Gives the number of the next arc, whether their heads are sorted and unique, and which part is at fault, if one is.
    """
    in_order, before = True, -1
    while True:
        word, colon = 0, start
        while colon < end and colon - start < _MOST_DIGITS and _ZERO <= data[colon] <= _NINE:
            word = 10 * word + (data[colon] - _ZERO)
            colon += 1
        zeros = data[start] == _ZERO and colon > start + 1
        if start < colon < end and data[colon] == _COLON and word <= words and not zeros:  # as nearly always
            head = node_of[word]
        else:
            while colon < end and data[colon] != _COLON and data[colon] != _BAR:
                colon += 1
            head = _node(data, start, colon, node_of, words, nodes)
        stop = _find(data, colon, end, _BAR)
        if head < 0 or colon + 1 >= stop:
            return arc, in_order, start, stop
        in_order &= head > before
        before = head
        heads[arc], relation_starts[arc], relation_ends[arc] = head, colon + 1, stop
        arc += 1
        if stop == end:
            return arc, in_order, _NONE, _NONE
        start = stop + 1


@kernel
def read_sentences(
    data: Bytes, cells: Positions, lines: Positions, rows: Longs, ends: Longs, skipped: Flags, words_only: bool,
    width: int, places: Longs,
) -> tuple[Longs, Longs, Numbers, Longs, Numbers, Numbers, Positions, Positions, Numbers, Longs, bool]:  # fmt: skip
    """The nodes and arcs of all sentences; those that are skipped have none.

    Rows have so many columns; `places` are those of CoNLL-U. Where one is -1, the data end with a '_' in its place.

    Gives: where the nodes of each sentence begin, the line of each node, the empty nodes of each sentence; where the
    arcs of each sentence begin, their heads and dependents, where their relations begin and end; HEAD of each node;
    of each sentence its fault, the line, and the part of it that is at fault; whether all arcs are sorted and unique.
    """
    total, longest = 0, 0
    for s in range(len(rows)):
        total += ends[s] - rows[s]
        longest = max(longest, ends[s] - rows[s])
    nodes, arcs = np.zeros(len(rows) + 1, np.int64), np.zeros(len(rows) + 1, np.int64)
    empties, faults = np.zeros(len(rows), np.int32), np.zeros((len(rows), 4), np.int64)
    node_lines, tree = np.empty(total, np.int64), np.full(total, _NONE, np.int32)
    room = 0 if words_only else len(data) // _SHORTEST_ARC
    heads, dependents = np.empty(room, np.int32), np.empty(room, np.int32)
    relation_starts, relation_ends = np.empty(room, cells.dtype), np.empty(room, cells.dtype)
    node_of = np.zeros(longest + 2, np.int32)
    all_in_order, blank = True, len(data) - 1
    at, arc = 0, 0  # of the next node, and the next arc
    for s in range(len(rows)):
        nodes[s], arcs[s] = at, arc
        if skipped[s]:
            continue
        fault, line, words, count, empties[s] = _check_ids(
            data, cells, lines, rows[s], ends[s], width, places[_ID], node_lines[at:], node_of
        )
        part, part_end = _NONE, _NONE
        if fault == SOUND and not words_only:
            node, line = 0, rows[s]
            while line < ends[s]:
                cell = lines[line]
                start, end = _cell(cells, cell, places[_HEAD], blank)
                head = _number(data, start, end)
                if head < 0 or head > words:
                    fault = _head_fault(data, cells, cell, words, places, blank)
                    if fault != SOUND:
                        break
                    head = _number_with_zeros(data, start, end)
                start, end = _cell(cells, cell, places[_DEPS], blank)
                if node == count or node_lines[at + node] != line:  # a range
                    if not _is_blank(data, start, end):
                        fault = DEPS_ON_RANGE
                        break
                    line += 1
                    continue
                tree[at + node] = head
                node += 1
                if not _is_blank(data, start, end):
                    before = arc
                    arc, in_order, part, part_end = _read_deps(
                        data, start, end, node_of, words, count, arc, heads, relation_starts, relation_ends
                    )
                    if part >= 0:
                        fault = WRONG_DEP
                        break
                    all_in_order &= in_order
                    for k in range(before, arc):
                        dependents[k] = node
                line += 1
        if fault != SOUND:
            faults[s, 0], faults[s, 1], faults[s, 2], faults[s, 3] = fault, line, part, part_end
            arc, count, empties[s] = arcs[s], 0, 0
        at += count
    nodes[-1], arcs[-1] = at, arc
    return (
        nodes, node_lines[:at].copy(), empties, arcs, heads[:arc].copy(), dependents[:arc].copy(),
        relation_starts[:arc].copy(), relation_ends[:arc].copy(), tree[:at].copy(), faults, all_in_order,
    )  # fmt: skip


@kernel
def read_column(
    nodes: Longs, id_data: Bytes, id_starts: Positions, id_ends: Positions, data: Bytes, starts: Positions,
    ends: Positions,
) -> tuple[Longs, Numbers, Numbers, Positions, Positions, bool, int, int, int]:  # fmt: skip
    """The arcs in a column that is written as DEPS are, from the ids and the cells of all nodes.

    Gives: where the arcs of each sentence begin, their heads and dependents, where their relations begin and end,
    whether all arcs are sorted and unique; the first node at fault, or -1, and the part of its cell.
    """
    room, longest = 0, 0
    for i in range(len(starts)):
        room += (ends[i] - starts[i] + 1) // _SHORTEST_ARC
    for s in range(len(nodes) - 1):
        longest = max(longest, nodes[s + 1] - nodes[s])
    arcs = np.zeros(len(nodes), np.int64)
    heads, dependents = np.empty(room, np.int32), np.empty(room, np.int32)
    first, last = np.empty(room, starts.dtype), np.empty(room, starts.dtype)
    node_of = np.zeros(longest + 2, np.int32)
    all_in_order, arc = True, 0
    for s in range(len(nodes) - 1):
        words, count = 0, nodes[s + 1] - nodes[s]
        for i in range(nodes[s], nodes[s + 1]):
            if _find(id_data, id_starts[i], id_ends[i], _DOT) == id_ends[i]:
                words += 1
                node_of[words] = i - nodes[s] + 1
        for i in range(nodes[s], nodes[s + 1]):
            if _is_blank(data, starts[i], ends[i]):
                continue
            before, part, part_end, in_order = arc, starts[i], ends[i], True
            if starts[i] < ends[i]:
                arc, in_order, part, part_end = _read_deps(
                    data, starts[i], ends[i], node_of, words, count, arc, heads, first, last
                )
            if part >= 0:
                return arcs, heads[:0], dependents[:0], first[:0], last[:0], True, i, part, part_end
            all_in_order &= in_order
            for k in range(before, arc):
                dependents[k] = i - nodes[s] + 1
        arcs[s + 1] = arc
    return (
        arcs, heads[:arc].copy(), dependents[:arc].copy(), first[:arc].copy(), last[:arc].copy(), all_in_order,
        _NONE, _NONE, _NONE,
    )  # fmt: skip
