"""The loops that write the text of a file: rows of cells, DEPS from arcs, the arguments of SDP."""

from __future__ import annotations

import numpy as np

from arctag.cells import Bytes, Flags, Longs, Positions
from arctag.kernel import kernel

_TAB, _LINE_END, _COLON, _BAR, _UNDERSCORE, _ZERO = 9, 10, 58, 124, 95, 48


@kernel
def _copy(source: Bytes, start: int, end: int, out: Bytes, at: int) -> int:
    """Copy some bytes; give the place behind them."""
    for i in range(start, end):
        out[at] = source[i]
        at += 1
    return at


@kernel
def table(
    pool: Bytes, starts: Longs, ends: Longs, nodes: Longs, line_starts: Longs, line_ends: Longs, lines: Longs,
    range_starts: Longs, range_ends: Longs, range_nodes: Longs, blanks: Longs, room: int,
) -> tuple[Bytes, Longs]:  # fmt: skip
    """The text of sentences: lines above, a row of cells for each node, ranges above some nodes, empty lines below.

    The second value is where the text of each sentence begins.

    Cell k of node i is in the pool from `starts[i, k]` to `ends[i, k]`. The lines of sentence s are those from
    `lines[s]` on; the row of a range stands above the node `range_nodes` has for it.
    """
    out, begins = np.empty(room, np.uint8), np.zeros(len(nodes), np.int64)
    at, next_range, width = 0, 0, starts.shape[1]
    for s in range(len(nodes) - 1):
        for line in range(lines[s], lines[s + 1]):
            at = _copy(pool, line_starts[line], line_ends[line], out, at)
            out[at] = _LINE_END
            at += 1
        for i in range(nodes[s], nodes[s + 1]):
            while next_range < len(range_nodes) and range_nodes[next_range] == i:
                at = _copy(pool, range_starts[next_range], range_ends[next_range], out, at)
                out[at] = _LINE_END
                at += 1
                next_range += 1
            for k in range(width):
                at = _copy(pool, starts[i, k], ends[i, k], out, at)
                out[at] = _TAB
                at += 1
            out[at - 1] = _LINE_END
        for _ in range(blanks[s]):
            out[at] = _LINE_END
            at += 1
        begins[s + 1] = at
    return out[:at], begins


@kernel
def deps(
    nodes: Longs, words: Longs, heads: Longs, ids: Bytes, id_starts: Positions, id_ends: Positions,
    names: Bytes, name_starts: Positions, name_ends: Positions, room: int,
) -> tuple[Bytes, Longs, Longs]:  # fmt: skip
    """`head:relation|head:relation` for each node, and where each begins and ends; a '_' stands at the beginning.

    Arc a is from the node `heads[a]` of all, or from the root if that is -1, to the node `words[a]`.
    """
    out = np.empty(room, np.uint8)
    out[0] = _UNDERSCORE
    starts, ends = np.zeros(nodes[-1], np.int64), np.ones(nodes[-1], np.int64)
    at, before = 1, -1
    for arc in range(len(heads)):
        word, head = words[arc], heads[arc]
        if word == before:
            out[at] = _BAR
            at += 1
        else:
            starts[word], before = at, word
        if head < 0:
            out[at] = _ZERO
            at += 1
        else:
            at = _copy(ids, id_starts[head], id_ends[head], out, at)
        out[at] = _COLON
        at = _copy(names, name_starts[arc], name_ends[arc], out, at + 1)
        ends[word] = at
    return out[:at], starts, ends


@kernel
def arguments(
    nodes: Longs, words: Longs, heads: Longs, predicates: Flags, frames: Bytes, frame_starts: Positions,
    frame_ends: Positions, names: Bytes, name_starts: Positions, name_ends: Positions, room: int,
) -> tuple[Bytes, Longs, Longs, int]:  # fmt: skip
    """The frame of each node and, behind it, a cell for each predicate of its sentence; where each begins and ends.

    The last value is the first arc whose head is no predicate, or that comes twice, or -1. Arcs are as for `deps`, but
    those of a node are sorted by their heads.
    """
    out = np.empty(room, np.uint8)
    starts, ends = np.empty(nodes[-1], np.int64), np.empty(nodes[-1], np.int64)
    at, arc = 0, 0
    for s in range(len(nodes) - 1):
        for word in range(nodes[s], nodes[s + 1]):
            starts[word] = at
            at = _copy(frames, frame_starts[word], frame_ends[word], out, at)
            if arc < len(words) and words[arc] == word and heads[arc] < 0:
                arc += 1  # the top has a column of its own
            for head in range(nodes[s], nodes[s + 1]):
                if not predicates[head]:
                    continue
                out[at] = _TAB
                at += 1
                if arc < len(words) and words[arc] == word and heads[arc] == head:
                    at = _copy(names, name_starts[arc], name_ends[arc], out, at)
                    arc += 1
                else:
                    out[at] = _UNDERSCORE
                    at += 1
            ends[word] = at
            if arc < len(words) and words[arc] == word:
                return out[:0], starts, ends, arc
    return out[:at], starts, ends, -1
