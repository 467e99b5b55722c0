"""Sentences of a block as the bytes of a file: what is unchanged is copied, cells that are not are put in place."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.runs import Run
from arctag.cells import Bytes, Longs, Numbers, Positions, Spans
from arctag.columns import STANDARD
from arctag.encodings.labels import offsets_of
from arctag.formats.block_format import check_relations
from arctag.kernel import kernel

_TAB, _LINE_END, _SPACE, _COLON, _BAR, _UNDERSCORE, _ZERO = 9, 10, 32, 58, 124, 95, 48
_AS_READ: Mapping[int, Spans] = MappingProxyType({})


def rendered(run: Run, columns: Mapping[int, Spans] = _AS_READ, header: str = "") -> bytes:
    """The text of a run of sentences, with other cells in some columns of their nodes, as the file counts them.

    Columns that the file does not have are added at the end of each row, with '_' where it is no node.
    A comment that is the header is left out: a file has one, whatever is written to it.
    """
    block, start, stop, _ = run
    chosen = sorted(columns)
    pool = [columns[c].data for c in chosen]
    shifts = np.concatenate([[0], np.cumsum([len(data) for data in pool])]).astype(np.int64)
    starts = np.array([columns[c].starts + shifts[i] for i, c in enumerate(chosen)], np.int64)
    ends = np.array([columns[c].ends + shifts[i] for i, c in enumerate(chosen)], np.int64)
    nodes = block.nodes[start : stop + 1]
    shape = len(chosen), int(nodes[-1] - nodes[0])
    size = block.start_of(int(block.nexts[stop - 1])) - block.start_of(int(block.first[start]))
    width = len(STANDARD if block.header is None else block.header.names)
    lines = int((block.ends[start:stop] - block.rows[start:stop]).sum())
    more = 2 * lines * sum(column >= width for column in chosen)
    out = _rendered(
        block.data, block.cells, block.lines, block.first[start:stop], block.rows[start:stop], block.ends[start:stop],
        block.nexts[start:stop], nodes - nodes[0], block.node_lines[nodes[0] : nodes[-1]], np.array(chosen, np.int64),
        width, np.concatenate(pool) if pool else np.empty(0, np.uint8),
        starts.reshape(shape), ends.reshape(shape), size + int((ends - starts).sum()) + more,
        np.frombuffer(header.encode(), np.uint8),
    )  # fmt: skip
    return out.tobytes()


@kernel
def _copy(source: Bytes, start: int, end: int, out: Bytes, at: int) -> int:
    """Copy some bytes; give the place behind them."""
    for i in range(start, end):
        out[at] = source[i]
        at += 1
    return at


@kernel
def _is_text(data: Bytes, start: int, end: int, text: Bytes) -> bool:
    """Whether this text stands there, spaces after it aside."""
    if end - start < len(text):
        return False
    for i in range(start, end):
        if (data[i] > _SPACE) if i - start >= len(text) else (data[i] != text[i - start]):
            return False
    return True


@kernel
def _rendered(
    data: Bytes, cells: Positions, lines: Positions, first: Longs, rows: Longs, ends: Longs, nexts: Longs,
    nodes: Longs, node_lines: Longs, columns: Longs, width: int, pool: Bytes, starts: Longs, stops: Longs, room: int,
    header: Bytes,
) -> Bytes:  # fmt: skip
    out = np.empty(room, np.uint8)
    at, node = 0, 0
    for s in range(len(rows)):
        for line in range(first[s], rows[s]):
            start, end = cells[lines[line]] + 1, cells[lines[line + 1]] + 1
            # empty lines between comments are not kept
            if end - start > 1 and not (len(header) and _is_text(data, start, end, header)):
                at = _copy(data, start, end, out, at)
        for line in range(rows[s], ends[s]):
            begin, end = cells[lines[line]] + 1, cells[lines[line + 1]] + 1
            is_node = node < nodes[s + 1] and node_lines[node] == line
            for k in range(len(columns) if nodes[s] < nodes[s + 1] else 0):  # a damaged sentence stays as it is
                if columns[k] >= width:
                    at = _copy(data, begin, end - 1, out, at)
                    out[at], begin = _TAB, end - 1
                    at += 1
                elif is_node:
                    cell = lines[line] + columns[k]
                    at = _copy(data, begin, cells[cell] + 1, out, at)
                    begin = cells[cell + 1]
                if is_node:
                    at = _copy(pool, starts[k, node], stops[k, node], out, at)
                elif columns[k] >= width:
                    out[at] = _UNDERSCORE
                    at += 1
            node += is_node
            at = _copy(data, begin, end, out, at)
        for _ in range(nexts[s] - ends[s]):
            out[at] = _LINE_END
            at += 1
    return out[:at]


def replaced_columns(run: Run) -> dict[int, Spans]:
    """The columns that sentences of a run have in place of those of their block."""
    replaced = sorted({column for sentence in run.sentences for column in sentence.columns})
    return {
        column: Spans.of([cell for sentence in run.sentences if not sentence.error for cell in sentence.column(column)])
        for column in replaced
    }


def deps_cells(run: Run, graphs: BlockArcs) -> Spans:
    """The DEPS cells of the nodes of a run."""
    check_relations(graphs.names, run.block.format, forbidden="|")
    block, names, arcs = run.block, graphs.names, graphs.arcs
    nodes = block.nodes[run.start : run.stop + 1]
    spans = Spans.of([name for relations in names for name in relations])
    return Spans(*_deps_cells(
        block.data, block.cells, block.lines, nodes - nodes[0], block.node_lines[nodes[0] : nodes[-1]],
        arcs.starts, arcs.heads, arcs.dependents, graphs.numbers, offsets_of([len(relations) for relations in names]),
        spans.data, spans.starts, spans.ends, 0 if block.header is None else block.header.places[0],
    ))  # fmt: skip


@kernel
def _deps_cells(
    data: Bytes, cells: Positions, lines: Positions, nodes: Longs, node_lines: Longs, arc_starts: Longs,
    heads: Numbers, dependents: Numbers, numbers: Numbers, first_name: Longs, names: Bytes, name_starts: Positions,
    name_ends: Positions, id_place: int,
) -> tuple[Bytes, Longs, Longs]:  # fmt: skip
    """`head:relation|head:relation` for each node, and where each begins and ends; a '_' stands at the beginning."""
    size = 1
    for s in range(len(nodes) - 1):
        for arc in range(arc_starts[s], arc_starts[s + 1]):
            cell = lines[node_lines[nodes[s] + heads[arc] - 1]] + id_place if heads[arc] else 0
            identifier = cells[cell + 1] - cells[cell] - 1 if heads[arc] else 1
            for name in range(first_name[numbers[arc]], first_name[numbers[arc] + 1]):
                size += identifier + 2 + name_ends[name] - name_starts[name]
    out = np.empty(size, np.uint8)
    out[0] = _UNDERSCORE
    starts, ends = np.zeros(len(node_lines), np.int64), np.ones(len(node_lines), np.int64)
    at = 1
    for s in range(len(nodes) - 1):
        before = 0
        for arc in range(arc_starts[s], arc_starts[s + 1]):
            node = nodes[s] + dependents[arc] - 1
            if dependents[arc] != before:
                starts[node] = at
                before = dependents[arc]
            for name in range(first_name[numbers[arc]], first_name[numbers[arc] + 1]):
                if at > starts[node]:
                    out[at] = _BAR
                    at += 1
                if heads[arc]:
                    cell = lines[node_lines[nodes[s] + heads[arc] - 1]] + id_place
                    at = _copy(data, cells[cell] + 1, cells[cell + 1], out, at)
                else:
                    out[at] = _ZERO
                    at += 1
                out[at] = _COLON
                at = _copy(names, name_starts[name], name_ends[name], out, at + 1)
            ends[node] = at
    return out[:at], starts, ends
