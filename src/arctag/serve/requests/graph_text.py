"""Graph files that come as text in a request; errors name the field and the line, as those of a file do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from arctag.cells import Longs
from arctag.formats import format_of_beginning
from arctag.formats.block_format import Faults, Scanned
from arctag.formats.conllu import CONLLU
from arctag.formats.pieces import text_pieces
from arctag.formats.streams import OnError
from arctag.formats.table import get_block_format
from arctag.sentence import Sentence
from arctag.serve.limits import Limits

_BEGINNING = 10_000  # characters that are looked at


def format_of_text(text: str) -> str:
    """The format that the text begins like, else CoNLL-U."""
    return format_of_beginning(text[:_BEGINNING].encode("utf-8", "replace")) or CONLLU.name


def read_graphs(
    text: str,
    source: str,
    limits: Limits,
    format: str | None = None,
    words_only: bool = False,
    on_error: OnError | None = None,
) -> Iterator[Sentence]:
    """The sentences of a file's text; `source` is what messages call it."""
    chosen = get_block_format(format or format_of_text(text))
    for block in chosen.blocks(text_pieces(text, source), words_only, on_error, partial(_faults, limits)):
        for sentence in block:
            # answers are put together from several texts: each ends with an empty line, whatever was sent
            yield sentence if sentence.blanks == 1 else sentence.replace(blanks=1)


def _faults(limits: Limits, whole: Scanned) -> Faults:
    """The sentences that would take too long to read or to score."""
    rows, ends = whole.found.rows, whole.found.ends
    faults: Faults = {}
    for number in np.flatnonzero(ends - rows > limits.words).tolist():
        found = f"a sentence of {ends[number] - rows[number]} lines"
        faults[number] = whole.error(int(rows[number]), found, f"at most {limits.words} in this service")
    bars = _bars(whole)
    for line in reversed(np.flatnonzero(bars > limits.heads).tolist()):  # the first line of a sentence counts
        number = int(np.searchsorted(ends, line, side="right"))
        if number < len(rows) and rows[number] <= line:
            found = f"{bars[line]} times '|' in a line"
            faults[number] = whole.error(line, found, f"at most {limits.heads} in this service")
    return faults


def _bars(whole: Scanned) -> Longs:
    """How many '|' each line has."""
    line_ends = whole.table.cells[whole.table.lines[1:]]
    lines = np.searchsorted(line_ends, np.flatnonzero(whole.data == ord("|")))
    return np.bincount(lines, minlength=len(line_ends))
