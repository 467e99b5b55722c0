"""Reading the columns of a label file: each distinct cell is read once, and the first row at fault is named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from arctag.cells import Flags, Longs, Spans
from arctag.encodings import Encoding
from arctag.encodings.labels import offsets_of
from arctag.errors import FormatError
from arctag.formats.block_format import Faults, faults_of_lines, scanned
from arctag.formats.label_blocks import Column, LabelBlock
from arctag.formats.label_cells import BadCell, is_escaped, parse_label, parse_planes, parse_relations, parse_tag
from arctag.formats.pieces import Piece
from arctag.formats.word_blocks import block_of_words

_SENT_ID = b"# sent_id = "
_RETURN, _BACKSLASH = 13, 92
T = TypeVar("T")


class Sheet:
    """A piece of a label file."""

    def __init__(self, piece: Piece) -> None:
        """Find its sentences; columns are not looked at yet."""
        self.whole = scanned(piece)
        _, self.data, self.table, self.found = self.whole
        self.piece = piece

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.found.rows)

    def faults(self) -> Faults:
        """What is wrong with lines, whatever their columns."""
        return faults_of_lines(self.whole)

    def comments(self, beginning: bytes) -> tuple[Longs, Spans]:
        """The sentences that have comments with this beginning, and how those go on."""
        counts = self.found.rows - self.found.first
        lines = _ranges(self.found.first, counts)
        starts, ends = self.table.cells[self.table.lines[lines]] + 1, self.table.cells[self.table.lines[lines + 1]]
        inside = starts + len(beginning)
        begin_so = Spans(self.data, starts, np.minimum(inside, ends)).equal(beginning)
        numbers = np.repeat(np.arange(len(self)), counts)
        return numbers[begin_so], Spans(self.data, inside[begin_so], ends[begin_so])

    @cached_property
    def ids(self) -> Spans:
        """The id of each sentence; empty where there is none."""
        numbers, ids = self.comments(_SENT_ID)
        sentences, first = np.unique(numbers, return_index=True)
        starts, ends = np.zeros((2, len(self)), dtype=np.int64)
        starts[sentences], ends[sentences] = ids.starts[first], ids.ends[first]
        return Spans(self.data, starts, ends)

    @cached_property
    def _returns(self) -> Longs:
        return np.flatnonzero(self.data == _RETURN)

    def holds_return(self, spans: Spans) -> Flags:
        """Which spans hold a carriage return."""
        before, after = (np.searchsorted(self._returns, places) for places in (spans.starts, spans.ends))
        flags: Flags = before < after
        return flags

    def blocks(self, start: int, stop: int, chosen: Encoding) -> Iterator[LabelBlock]:
        """Some of the sentences; a row at fault is an error after a block of the sentences before it."""
        try:
            block = self._block(start, stop, chosen)
        except FormatError as error:
            line = (error.line or 0) - self.piece.line
            bad = int(np.searchsorted(self.found.ends, line, side="right"))
            if start < bad:
                yield self._block(start, bad, chosen)
            raise
        yield block

    def _block(self, start: int, stop: int, chosen: Encoding) -> LabelBlock:
        rows = _Rows(self, start, stop, chosen)
        words = rows.words()
        labels = rows.column(1, lambda cell: parse_label(cell, chosen))
        relations = rows.column(2, parse_relations)
        tags = rows.column(3, parse_tag) if chosen.needs_tags else None
        nulls = rows.column(4 if chosen.needs_tags else 3, parse_planes)
        ids = rows.ids()
        if rows.fault is not None:
            raise rows.fault
        block = block_of_words(self.piece.source, words, rows.sizes, ids)
        return LabelBlock(chosen, block, labels, relations, nulls, tags)


class _Rows:
    """The rows of some sentences, down to the first fault: what is read next is only what is above it."""

    def __init__(self, sheet: Sheet, start: int, stop: int, chosen: Encoding) -> None:
        self.sheet, self.start, self.stop = sheet, start, stop
        first, ends = sheet.found.rows[start:stop], sheet.found.ends[start:stop]
        self.sizes = ends - first
        self.lines = _ranges(first, self.sizes)
        self.fault: FormatError | None = None
        widths = self._widths()
        least, most, expected = 2, 4, "form, label, and perhaps relations and null planes"
        if chosen.needs_tags:
            least, most, expected = 4, 5, f"form, label, relations and UPOS tag, which {chosen.name} needs"
        self._refuse((widths < least) | (widths > most), lambda row: (f"{widths[row]} columns", expected))

    def _widths(self) -> Longs:
        lines = self.sheet.table.lines
        widths: Longs = lines[self.lines + 1] - lines[self.lines]
        return widths

    def _refuse(self, bad: Flags, explain: Callable[[int], tuple[str, str]]) -> None:
        if bad.any():
            row = int(bad.argmax())
            self.fault = self.sheet.whole.error(int(self.lines[row]), *explain(row))
            self.lines = self.lines[:row]

    def _cells(self, number: int, lines: Longs) -> Spans:
        cells, first = self.sheet.table.cells, self.sheet.table.lines[lines] + number
        return Spans(self.sheet.data, cells[first] + 1, cells[first + 1])

    def words(self) -> Spans:
        """The forms, without the backslashes in front of those that look like comments."""
        forms = self._cells(0, self.lines)
        bad = (forms.starts == forms.ends) | self.sheet.holds_return(forms)
        self._refuse(bad, lambda row: (f"form {forms.text(row)!r}", "a word"))
        starts = forms.starts.copy()
        for row in np.flatnonzero(self.sheet.data[starts] == _BACKSLASH).tolist():
            starts[row] += is_escaped(forms.text(row))
        return Spans(forms.data, starts, forms.ends)

    def column(self, number: int, parse: Callable[[str], Sequence[T]]) -> Column[T]:
        """A column that may be missing."""
        present = self._widths() > number
        numbers = np.zeros(len(self.lines), dtype=np.int32)
        some, texts = self._cells(number, self.lines[present]).numbered()
        numbers[present] = some + 1
        values: list[Sequence[T]] = [()]
        bad: dict[int, BadCell] = {}
        for text in texts:
            try:
                values.append(parse(text))
            except BadCell as error:
                bad[len(values)] = error
                values.append(())
        if bad:
            self._refuse(np.isin(numbers, list(bad)), lambda row: bad[int(numbers[row])].message)
        return Column(numbers, ["", *texts], values)

    def ids(self) -> Spans:
        """The ids of the sentences."""
        ids = self.sheet.ids
        ids = Spans(ids.data, ids.starts[self.start : self.stop], ids.ends[self.start : self.stop])
        for number in np.flatnonzero(self.sheet.holds_return(ids)).tolist()[:1]:
            if self.fault is None or len(self.lines) >= self.sizes[: number + 1].sum():  # the fault is further down
                line = int(self.sheet.found.rows[self.start + number])
                self.fault = self.sheet.whole.error(
                    line, f"id {ids.text(number)!r:.50} above it", "one without line breaks"
                )
        return ids


def _ranges(starts: Longs, sizes: Longs) -> Longs:
    """The numbers from each start on, so many of each."""
    offsets = offsets_of(sizes)
    numbers: Longs = np.repeat(starts - offsets[:-1], sizes) + np.arange(offsets[-1])
    return numbers
