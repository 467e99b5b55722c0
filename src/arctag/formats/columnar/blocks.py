"""Record batches as blocks: the text of the sentences is written and read, what it has no room for is put beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.block import Block, TableRows
from arctag.cells import Longs, Spans
from arctag.encodings.labels import Arcs, offsets_of
from arctag.errors import FormatError
from arctag.formats.block_format import BlockFormat
from arctag.formats.columnar.arc_lists import ArcLists
from arctag.formats.columnar.arcs import probabilities_of
from arctag.formats.columnar.columns import batch_of
from arctag.formats.columnar.formats import RecordedError
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.rows import LINE_END, Rows
from arctag.formats.columnar.schema import STRINGS
from arctag.formats.columnar.strings import spans_of
from arctag.formats.columnar.text import TextRows
from arctag.formats.conllu import CONLLU
from arctag.formats.conllu_plus import CONLLUP
from arctag.formats.pieces import Piece
from arctag.formats.sdp import SDP
from arctag.graph import Graph

_FORMATS: dict[str, BlockFormat] = {format.name: format for format in (CONLLU, CONLLUP, SDP)}
_MOST_BLANKS = 1_000_000
_HASH = 35
_NOT_IN_LINES = frozenset({"doc_id", "blanks", "score", "error", "lines"})


def format_of(layout: Layout) -> BlockFormat:
    """The format of the text of sentences."""
    return _FORMATS[layout.format]


class _Untold(Exception):
    """A text does not have as many sentences as it should; which one is at fault is not known."""


@dataclass(frozen=True)
class BatchReader:
    """Turns record batches of one file into blocks."""

    layout: Layout
    source: str
    words_only: bool = False

    def blocks(self, batch: pa.RecordBatch, first: int, last: bool = False) -> Iterator[Block]:
        """The sentences of a batch whose first row has this number in the file; `last` if no other batch follows.

        A row without words, or one that is wrong, is a block of its own, with its fault.
        """
        wordless = np.flatnonzero(Rows(batch, self.source, first).sizes == 0).tolist()
        start = 0
        for row in [*wordless, len(batch)]:
            if start < row:
                ends = last and row == len(batch)
                yield from self._sound(batch.slice(start, row - start), first + start, ends)
            if row < len(batch):
                yield self._damaged(batch.slice(row, 1), first + row)
            start = row + 1

    def _sound(self, batch: pa.RecordBatch, first: int, last: bool) -> Iterator[Block]:
        """Rows with words; those before and after one that is wrong have blocks of their own."""
        count = len(batch)
        try:
            yield self._block(batch, first, last)
            return
        except _Untold:
            start, stop = (0, 1) if count == 1 else (count // 2, count // 2)
            fault = FormatError(self.source, first, "a sentence that is no table", "comments that begin with #")
        except FormatError as error:
            if error.line is None:
                raise
            start, stop, fault = error.line - first, error.line - first + 1, error
        if start:
            yield from self._sound(batch.slice(0, start), first, False)
        if start < stop:
            yield self._damaged(batch.slice(start, 1), first + start, fault)
        if stop < count:
            yield from self._sound(batch.slice(stop), first + stop, last)

    def _block(self, batch: pa.RecordBatch, first: int, last: bool) -> Block:
        rows = Rows(batch, self.source, first)
        texts, blanks = TextRows(rows, self.layout), _blanks(rows)
        text, begins = texts.text(*_comments(rows, self.layout), np.maximum(blanks, 1))
        text = self._with_lines(rows, text, begins, blanks)
        block = self._read(text)
        if len(block) != len(rows):
            raise _Untold
        if last and blanks[-1] == 0:
            block.nexts[-1] = block.ends[-1]
        faults = {n: FormatError(self.source, first + n, f.found, f.expected) for n, f in block.faults.items()}
        return replace(block, faults=faults, graphs=_probable(block, texts.arcs), table=self._table(rows))

    def _read(self, text: bytes, damage: FormatError | None = None) -> Block:
        return format_of(self.layout).block(Piece(self.source, 1, text, damage, self.layout.header), self.words_only)

    def _damaged(self, batch: pa.RecordBatch, row: int, fault: FormatError | None = None) -> Block:
        """A row that is no sentence: its lines, if it has them, with what is wrong."""
        rows = Rows(batch, self.source, row)
        (error,), (lines,) = rows.texts("error"), rows.texts("lines")
        if fault is None and error:
            fault = RecordedError(self.source, row, f"an error in place of a sentence ({error})", "a sentence")
        elif fault is None:
            fault = FormatError(self.source, row, "no words", "a sentence")
        block = self._read(f"{lines}\n\n".encode() if lines else b"", fault)
        none = BlockArcs(Arcs.of([Graph.without_arcs(0)]), (np.zeros(0, np.int32), []))
        layers, tags = dict.fromkeys(self.layout.graphs, none), dict.fromkeys(self.layout.tags, ())
        table = TableRows(row, rows.texts("doc_id"), [None], layers, tags)
        return replace(block.part(0, 1), faults={0: fault}, table=table)

    def _table(self, rows: Rows) -> TableRows:
        scores = rows.column(pa.float32(), "score").to_pylist()
        graphs = {name: ArcLists(rows, "layers", name).graphs for name in self.layout.graphs}
        tags = {name: rows.words("layers", name).texts() for name in self.layout.tags}
        return TableRows(rows.first, rows.texts("doc_id"), scores, graphs, tags)

    # Lines that the columns cannot give back, as long as they say the same

    def _with_lines(self, rows: Rows, text: bytes, begins: Longs, blanks: Longs) -> bytes:
        """The text, with the lines of sentences that have them in place of what the columns give."""
        lines = rows.column(pa.string(), "lines")
        if lines.null_count == len(lines):
            return text
        parts, at = [], 0
        for row in self._told(rows.batch, np.flatnonzero(np.asarray(lines.is_valid()))):
            ending = "\n" * (1 + max(int(blanks[row]), 1))
            parts += [text[at : begins[row]], f"{lines[row].as_py()}{ending}".encode()]
            at = int(begins[row + 1])
        return b"".join([*parts, text[at:]])

    def _told(self, batch: pa.RecordBatch, numbers: Longs) -> list[int]:
        """Those of some rows whose lines say what their columns say: somebody may have changed these."""
        some = batch.take(pa.array(numbers))
        text = "".join(f"{lines}\n\n" for lines in some.column("lines").to_pylist()).encode()
        block = self._read(text)
        if len(block) != len(numbers) or block.faults:
            halves = np.array_split(numbers, 2) if len(numbers) > 1 else []
            return [row for half in halves for row in self._told(batch, half)]
        again = batch_of(block, self.layout)
        names = [name for name in again.schema.names if name not in _NOT_IN_LINES and name in some.schema.names]
        told = [_same(some.select(names), again.select(names), i) for i in range(len(numbers))]
        return [int(row) for row in numbers[told]]


def _same(one: pa.RecordBatch, other: pa.RecordBatch, row: int) -> bool:
    return bool(one.slice(row, 1).equals(other.slice(row, 1)))


def _blanks(rows: Rows) -> Longs:
    """The number of empty lines after each sentence."""
    blanks = np.asarray(rows.column(pa.int32(), "blanks").fill_null(1)).astype(np.int64)
    wrong = np.flatnonzero((blanks < 0) | (blanks > _MOST_BLANKS))
    if len(wrong):
        raise rows.error(int(wrong[0]), f"{blanks[wrong[0]]} in column blanks", f"from 0 to {_MOST_BLANKS}")
    return blanks


def _comments(rows: Rows, layout: Layout) -> tuple[Spans, Longs]:
    """The comments, and where those of each sentence begin; made of other columns where there are none."""
    column = rows.column(STRINGS, "comments")
    if column.null_count:
        ids, texts, given = rows.texts("sent_id"), rows.texts("text"), column.to_pylist()
        made = [
            some if some is not None else _made(layout.format, *pair)
            for some, *pair in zip(given, ids, texts, strict=True)
        ]
        column = pa.array(made, STRINGS)
    values, starts = column.flatten(), np.asarray(pc.list_value_length(column)).astype(np.int64)
    offsets = offsets_of(starts)
    owners = np.repeat(np.arange(len(rows)), starts)
    lines = rows.checked(spans_of(values.fill_null("#")), owners, "comments", forbidden=LINE_END)
    wrong = np.flatnonzero(np.append(lines.data, 0)[lines.starts] != _HASH)
    if len(wrong):
        found = f"{lines.text(int(wrong[0]))!r:.50} in column comments"
        raise rows.error(int(owners[wrong[0]]), found, "lines that begin with #")
    return lines, offsets


def _made(format: str, sent_id: str | None, text: str | None) -> list[str]:
    """The comments of a sentence of which these are known."""
    if format == "sdp":
        return [f"#{sent_id}"] if sent_id else []
    known = {"sent_id": sent_id, "text": text}
    return [f"# {key} = {' '.join(value.split())}" for key, value in known.items() if value]


def _probable(block: Block, arcs: ArcLists) -> BlockArcs:
    """The graphs with the probabilities of their arcs, if there are any."""
    graphs = block.graphs
    if arcs.probabilities is None:
        return graphs
    known = probabilities_of(arcs.graphs, graphs.arcs.starts, graphs.arcs.heads, graphs.arcs.dependents)
    return BlockArcs(graphs.arcs, (graphs.numbers, graphs.names), known)
