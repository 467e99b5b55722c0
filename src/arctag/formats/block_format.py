"""What CoNLL-U and SDP share: a sentence is some rows, comments above, an empty line below; sentences are in blocks."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from arctag.blocks.arcs import BlockArcs, sorted_arcs
from arctag.blocks.block import Block
from arctag.cells import Bytes, Flags, Longs, Numbers, Spans
from arctag.columns import Header
from arctag.encodings.labels import Arcs
from arctag.errors import FormatError, InputError
from arctag.formats.base import Format
from arctag.formats.files import bad_utf8
from arctag.formats.pieces import Piece, pieces
from arctag.formats.scanning import Paragraphs, Table, find_sentences, first_bad_byte, scan
from arctag.formats.streams import Input, OnError
from arctag.graph import Relations
from arctag.sentence import Row, Sentence

Faults = dict[int, FormatError]
"""The sentences that could not be read, and why."""


class Scanned(NamedTuple):
    """A piece whose columns are not looked at yet."""

    piece: Piece
    data: Bytes
    table: Table
    found: Paragraphs

    def error(self, line: int, found: str, expected: str) -> FormatError:
        """An error that names a line, counted from 0."""
        return FormatError(self.piece.source, self.piece.line + line, found, expected)


Check = Callable[[Scanned], Faults]
"""What finds faults in sentences before their columns are read."""


class Read(NamedTuple):
    """What a kernel makes of the rows of a block. A sentence with a fault has no nodes."""

    nodes: Longs
    """Where the nodes of each sentence begin."""
    node_lines: Longs
    empty_nodes: Numbers
    arcs: Longs
    """Where the arcs of each sentence begin; they are sorted by dependent."""
    heads: Numbers
    dependents: Numbers
    relations: Spans
    """The relation of each arc."""
    tree_heads: Numbers
    """HEAD of each node, or -1."""
    faults: Longs
    """Of each sentence: a code, 0 if it is sound; the line; the part of it that is at fault."""
    in_order: bool
    """Whether the arcs of each dependent are sorted by head, and unique."""

    def graphs(self) -> BlockArcs:
        """The graphs of all sentences."""
        arcs = Arcs(np.diff(self.nodes).astype(np.int32), self.arcs, self.heads, self.dependents)
        return sorted_arcs(arcs, self.relations, self.in_order)


class Fault(NamedTuple):
    """What is wrong with a row of a sentence."""

    code: int
    row: int
    part: str


class BlockFormat(Format[Piece]):
    """A format whose sentences are in blocks; what is left to each is its columns."""

    beginning: re.Pattern[bytes]
    """How files begin."""

    def recognises(self, start: bytes) -> bool:
        """Whether a file begins so."""
        return self.beginning.match(start) is not None

    def chunks(self, source: Input, tolerant: bool = False) -> Iterator[Piece]:  # noqa: ARG002
        """The pieces of a file; damage is always found in them when they are read."""
        return pieces(source)

    def sentences(
        self, chunks: Iterable[Piece], words_only: bool = False, on_error: OnError | None = None
    ) -> Iterator[Sentence]:
        """The sentences of pieces."""
        for block in self.blocks(chunks, words_only, on_error):
            yield from block

    def blocks(
        self,
        chunks: Iterable[Piece],
        words_only: bool = False,
        on_error: OnError | None = None,
        check: Check | None = None,
    ) -> Iterator[Block]:
        """A block for each piece.

        A damaged sentence is a `FormatError` after a block with those before it, or is reported to `on_error`.
        Those that `check` finds at fault are not read.
        """
        return reported((self.block(piece, words_only, check) for piece in chunks), on_error)

    def block(self, piece: Piece, words_only: bool = False, check: Check | None = None) -> Block:
        """The sentences of a piece, and what is wrong with them."""
        whole = scanned(piece)
        _, data, table, found = whole
        faults = self.faults(whole) | (check(whole) if check else {})
        skipped = np.zeros(len(found.rows), dtype=np.bool_)
        skipped[list(faults)] = True
        read = self.read(whole, skipped, words_only)
        for array in (read.nodes, read.node_lines, read.heads, read.dependents, read.tree_heads):
            array.flags.writeable = False  # views of them go out
        block = Block(
            self.name, piece.source, piece.line, data, table.cells, table.lines,
            found.first, found.rows, found.ends, found.nexts,
            read.nodes, read.node_lines, read.empty_nodes, read.graphs(), read.tree_heads, faults, piece.header,
            words_only=words_only,
        )  # fmt: skip
        for number in np.flatnonzero(read.faults[:, 0]).tolist():
            faults[number] = self._fault(block, number, *read.faults[number].tolist())
        return block

    def _fault(self, block: Block, number: int, code: int, line: int, start: int, end: int) -> FormatError:
        part = block.data[start:end].tobytes().decode("utf-8", "surrogateescape") if start >= 0 else ""
        first = int(block.rows[number])
        found, expected = self.explain(block.lines_of(number), Fault(code, line - first, part), block.header)
        return FormatError(block.source, block.line_number(line), found, expected)

    def faults(self, whole: Scanned) -> Faults:
        """What is wrong with lines and comments: such sentences are not read."""
        return _misplaced(whole) | faults_of_lines(whole)

    @abstractmethod
    def read(self, whole: Scanned, skipped: Flags, words_only: bool) -> Read:
        """Check the columns of sentences and read their graphs, or with `words_only` none of their arcs."""

    @abstractmethod
    def explain(self, rows: list[Row], fault: Fault, header: Header | None) -> tuple[str, str]:
        """What was found in a row at fault, of rows as they stand in the file, and what was expected."""


def reported(blocks: Iterable[Block], on_error: OnError | None) -> Iterator[Block]:
    """Blocks whose faults are reported, or raised after a block with the sentences before the first of them."""
    for block in blocks:
        for number, fault in sorted(block.faults.items()):
            if on_error is None:
                if number:
                    yield block.part(0, number)
                raise fault
            on_error(fault)
        yield block


def scanned(piece: Piece) -> Scanned:
    """Find the sentences of a piece; comments alone are one without rows."""
    data = np.frombuffer(piece.data, dtype=np.uint8)
    table = scan(data)
    found = find_sentences(data, table)
    if not len(found.rows):
        end = np.array([len(table.lines) - 1], dtype=np.int64)
        found = Paragraphs(np.zeros(1, np.int64), end, end, end, np.full(1, -1, np.int64))
    return Scanned(piece, data, table, found)


def faults_of_lines(whole: Scanned) -> Faults:
    """What is wrong with lines, whatever is in them: bytes that are not UTF-8, or an end that is missing."""
    piece, ends = whole.piece, whole.found.ends
    faults: Faults = {}
    last = len(ends) - 1
    if piece.damage is not None and piece.damage.line is None:  # it breaks off: what else is wrong may come of that
        faults[last] = piece.damage
    for line, error in _not_utf8(piece, whole.data, whole.table):
        number = int(np.searchsorted(ends, line, side="right"))  # the one that it is in, or above
        faults.setdefault(min(number, last), error)
    if piece.damage is not None:
        faults.setdefault(last, piece.damage)
    return faults


def _misplaced(whole: Scanned) -> Faults:
    """Comments between the rows of a sentence."""
    lines = whole.found.misplaced
    what, expected = "a comment between the words of a sentence", "comments above the words"
    return {number: whole.error(int(lines[number]), what, expected) for number in np.flatnonzero(lines >= 0).tolist()}


def _not_utf8(piece: Piece, data: Bytes, table: Table) -> Iterator[tuple[int, FormatError]]:
    """The lines that are not UTF-8."""
    if piece.data.isascii():
        return
    at = first_bad_byte(data)
    while at >= 0:
        line = int(np.searchsorted(table.cells[table.lines[1:]], at))
        start, end = int(table.cells[table.lines[line]]) + 1, int(table.cells[table.lines[line + 1]])
        yield line, bad_utf8(piece.source, piece.line + line, piece.data[start:end])
        at = first_bad_byte(data, end)


def check_relations(names: Iterable[Relations], format: str, forbidden: str = "") -> None:
    """Refuse relations that could not be read back."""
    for relations in names:
        for relation in relations:
            _check_relation(relation, format, forbidden)


@lru_cache(maxsize=10_000)
def _check_relation(relation: str, format: str, forbidden: str) -> None:
    if not relation or any(character in relation for character in "\t\n\r" + forbidden):
        raise InputError(
            f"relation {relation!r} cannot be written as {format}: found an empty one, or a tab, line break"
            f"{' or ' if forbidden else ''}{forbidden} in it; rename it first"
        )


def text_of(comments: tuple[str, ...], rows: list[list[str]], blanks: int) -> str:
    """The lines of a sentence, as a file holds them."""
    out = list(comments)
    out.extend(map("\t".join, rows))
    return "\n".join(out) + "\n" * (blanks + 1) if out else ""
