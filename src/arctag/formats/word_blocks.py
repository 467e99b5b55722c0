"""Words without graphs as a block: they are put into the columns of CoNLL-U, and read from there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arctag.blocks.block import Block
from arctag.cells import Bytes, Longs, Positions, Spans
from arctag.formats.conllu import CONLLU
from arctag.formats.pieces import Piece
from arctag.kernel import kernel

_ID = np.frombuffer(b"# sent_id = ", dtype=np.uint8)
_REST = np.frombuffer(b"\t_" * 8 + b"\n", dtype=np.uint8)  # the columns after the form
_TAB, _LINE_END, _ZERO = 9, 10, 48


def block_of_words(source: str, words: Spans, sizes: Longs, ids: Spans) -> Block:
    """Sentences of so many of the words each, with these ids; an empty one is none."""
    digits = len(str(int(sizes.max())))
    room = int((words.ends - words.starts).sum()) + len(words) * (digits + 1 + len(_REST))
    room += int((ids.ends - ids.starts).sum()) + len(ids) * (len(_ID) + 2)
    table = _table(*words, sizes, *ids, _ID, _REST, room)
    return replace(CONLLU.block(Piece(source, 1, table.tobytes()), words_only=True), fresh=True)


@kernel
def _copy(source: Bytes, start: int, end: int, out: Bytes, at: int) -> int:
    """Copy some bytes; give the place behind them."""
    for i in range(start, end):
        out[at] = source[i]
        at += 1
    return at


@kernel
def _write_number(number: int, out: Bytes, at: int) -> int:
    end, rest = at, number
    while rest:
        rest //= 10
        end += 1
    for place in range(end - 1, at - 1, -1):
        out[place] = _ZERO + number % 10
        number //= 10
    return end


@kernel
def _table(
    data: Bytes, starts: Positions, ends: Positions, sizes: Longs, id_data: Bytes, id_starts: Positions,
    id_ends: Positions, before_id: Bytes, rest: Bytes, room: int,
) -> Bytes:  # fmt: skip
    out = np.empty(room, np.uint8)
    at, word = 0, 0
    for s in range(len(sizes)):
        if id_starts[s] < id_ends[s]:
            at = _copy(before_id, 0, len(before_id), out, at)
            at = _copy(id_data, id_starts[s], id_ends[s], out, at)
            out[at] = _LINE_END
            at += 1
        for number in range(1, sizes[s] + 1):
            at = _write_number(number, out, at)
            out[at] = _TAB
            at = _copy(data, starts[word], ends[word], out, at + 1)
            at = _copy(rest, 0, len(rest), out, at)
            word += 1
        out[at] = _LINE_END
        at += 1
    return out[:at]
