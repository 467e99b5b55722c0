"""CoNLL-U Plus: the columns of CoNLL-U and any others, in any order, as the first line of the file says.

A further graph is written as in DEPS. What Arctag adds is in columns like `ARCTAG:DM`, for the layer `dm`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from arctag.blocks.block import Block
from arctag.blocks.flat import gathered_graphs, graphs_of
from arctag.blocks.runs import Run
from arctag.cells import Spans
from arctag.columns import DEPS, STANDARD, UNIVERSAL, Header, find_name
from arctag.errors import InputError
from arctag.formats.block_format import Check, Faults, Scanned, text_of
from arctag.formats.conllu import Conllu, deps_column, lost_of_sdp, universal_comments, universal_rows
from arctag.formats.files import bad_utf8
from arctag.formats.pieces import Piece, count_lines, pieces
from arctag.formats.rendering import deps_cells, rendered, replaced_columns
from arctag.formats.streams import Input, OnError
from arctag.sentence import Row, Sentence

_NAMESPACE = "ARCTAG"
_FIRST_LINE = re.compile(rb"[^\n]*\n*")
_HEADER = re.compile(rb"^# ?global\.columns *=", re.MULTILINE)


class ConlluPlus(Conllu):
    """Columns as the header of a file names them; further layers are columns, too."""

    name = "conllup"
    title = "CoNLL-U Plus"
    suffixes = (".conllup", ".cupt")
    beginning = _HEADER

    def __init__(self, written: Header | None = None) -> None:
        """`written` is the header of the file that is written; without one each sentence has columns of its own."""
        self.written = written
        self.header = "" if written is None else written.text

    def begun(self, first: Sentence, layers: Sequence[str]) -> ConlluPlus:
        """The same for a file that begins with this sentence."""
        return ConlluPlus(header_for(first, layers))

    def chunks(self, source: Input, tolerant: bool = False) -> Iterator[Piece]:  # noqa: ARG002
        """The pieces of a file, each with the header."""
        return _with_header(pieces(source))

    def blocks(
        self,
        chunks: Iterable[Piece],
        words_only: bool = False,
        on_error: OnError | None = None,
        check: Check | None = None,
    ) -> Iterator[Block]:
        """A block for each piece."""
        return super().blocks(_with_header(chunks), words_only, on_error, check)

    def faults(self, whole: Scanned) -> Faults:
        """What is wrong with lines and comments; a header is the first line of a file."""
        faults = super().faults(whole)
        for match in _HEADER.finditer(whole.piece.data):
            line = count_lines(whole.piece.data[: match.start()])
            number = min(int(np.searchsorted(whole.found.ends, line, side="right")), len(whole.found.ends) - 1)
            expected = "one on the first line of the file alone"
            faults.setdefault(number, whole.error(line, "a second '# global.columns'", expected))
        return faults

    def text(self, sentence: Sentence) -> str:
        """The sentence with the columns of the file that is written, the blank line after it included."""
        blanks = sentence.blanks if sentence.universal else 1
        if sentence.error:
            return text_of(sentence.comments, sentence.rows, blanks)
        return text_of(universal_comments(sentence), _rows(sentence, self._header_for(sentence)), blanks)

    def run(self, run: Run) -> bytes | None:
        """The text of a run of sentences that were read with the same columns, or with the first of them."""
        block, written = run.block, self.written or self._header_for(next(iter(run.sentences or run.block)))
        own = STANDARD if block.header is None else block.header.names
        if block.format not in UNIVERSAL or written.names[: len(own)] != own:
            return None
        parts = [_rendered(part, written, len(own)) for part in run.split(_layers)]
        return None if None in parts else b"".join(filter(None, parts))

    def losses(self, sentence: Sentence) -> dict[str, int]:
        """What the columns of the file that is written have no room for."""
        if sentence.error:
            return {}
        written = self._header_for(sentence).names
        lost = {
            f"further layers that are not in the header ({name})": int(find_name(name, written) is None)
            for name in (*sentence.further_graphs, *sentence.further)
        }
        if not sentence.universal:
            return lost | lost_of_sdp(sentence)
        names = (*STANDARD, *(sentence.header.further if sentence.header is not None else ()))
        missing = {number: name for number, name in enumerate(names) if name not in written}
        rows = universal_rows(sentence) if missing else []
        return lost | {f"cells of {name}": sum(row[n] != "_" for row in rows) for n, name in missing.items()}

    def _header_for(self, sentence: Sentence) -> Header:
        return self.written or header_for(sentence, ())


CONLLUP = ConlluPlus()


def header_for(first: Sentence, layers: Sequence[str]) -> Header:
    """The header of a file that begins with this sentence and has these further layers, or columns of CoNLL-U.

    The columns of its own file come first. If none are named, all that the sentence has beside them follow.
    """
    own = first.header
    names = list(STANDARD if own is None else own.names)
    for layer in layers or (*_filled(first), *first.further_graphs, *first.further):
        if find_name(layer, names) is None:
            names.append(_column_of(layer))
    return own if own is not None and own.names == tuple(names) else Header.of(names)


def _filled(sentence: Sentence) -> list[str]:
    """The columns of CoNLL-U that a sentence has, and its file has not."""
    if sentence.header is None or sentence.error:
        return []
    missing = [column for column in range(len(STANDARD)) if sentence.header.places[column] < 0]
    return [
        STANDARD[column]
        for column in missing
        if (column == DEPS and sentence.edited) or any(cell != "_" for cell in sentence.column(column))
    ]


def _column_of(layer: str) -> str:
    """The name of the column of a layer."""
    name = layer if ":" in layer or layer in STANDARD else f"{_NAMESPACE}:{layer.upper()}"
    if not layer or name.split() != [name]:
        raise InputError(f"layer {layer!r} cannot be a column of CoNLL-U Plus: its name is empty or has a space in it")
    return name


def _with_header(chunks: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces of a file, in which the header is no comment, but part of each."""
    header: Header | None = None
    for piece in chunks:
        if piece.header is not None:
            header = piece.header
        elif header is None:
            header, piece = _begun(piece)
        yield piece if piece.header is header else replace(piece, header=header)


def _begun(piece: Piece) -> tuple[Header, Piece]:
    """The header that a file begins with, and the rest of its first piece."""
    first = _FIRST_LINE.match(piece.data)
    assert first is not None
    try:
        header = Header.read(first[0].decode(), piece.source)
    except UnicodeDecodeError:
        raise bad_utf8(piece.source, piece.line, first[0].rstrip(b"\n")) from None
    rest = piece.data[first.end() :]
    if not rest and piece.damage is not None:
        raise piece.damage
    return header, replace(piece, line=piece.line + count_lines(first[0]), data=rest)


def _rows(sentence: Sentence, written: Header) -> list[Row]:
    """The rows in the columns of a header."""
    names = (*STANDARD, *(sentence.header.further if sentence.header is not None else ()))
    places = [names.index(name) if name in names else -1 for name in written.names]
    rows = [[row[place] if place >= 0 else "_" for place in places] for row in universal_rows(sentence)]
    nodes = [row for row, old in zip(rows, sentence.rows, strict=True) if "-" not in old[0]]
    for name, cells in _layer_cells(sentence):
        if (column := find_name(name, written.names)) is not None:
            for row, cell in zip(nodes, cells, strict=True):
                row[column] = cell
    return rows


def _layer_cells(sentence: Sentence) -> Iterator[tuple[str, Sequence[str]]]:
    for name, graph in sentence.graphs.items():
        yield name, deps_column(graph, sentence.ids)
    yield from sentence.further.items()


def _layers(sentence: Sentence) -> tuple[bool, tuple[str, ...], tuple[str, ...]]:
    """What sentences that are written together have in common."""
    return sentence.edited, tuple(sentence.further_graphs), tuple(sentence.further)


def _rendered(run: Run, written: Header, width: int) -> bytes | None:
    """The text of sentences that have the same further layers; None if the header has no room for one."""
    some = run.sentences
    columns = {written.places[column]: cells for column, cells in replaced_columns(run).items()}
    if some and some[0].edited:
        columns[written.places[DEPS]] = deps_cells(run, graphs_of(some))
    for name in some[0].further_graphs if some else ():
        graphs = gathered_graphs([sentence.further_graphs[name] for sentence in some])
        columns[_place(name, written)] = deps_cells(run, graphs)
    for name in some[0].further if some else ():
        columns[_place(name, written)] = Spans.of([cell for sentence in some for cell in sentence.further[name]])
    if -1 in columns:
        return None
    nodes = int(run.block.nodes[run.stop] - run.block.nodes[run.start])
    blank = Spans(np.frombuffer(b"_", np.uint8), np.zeros(nodes, np.int64), np.ones(nodes, np.int64))
    return rendered(run, dict.fromkeys(range(width, len(written.names)), blank) | columns)


def _place(layer: str, written: Header) -> int:
    place = find_name(layer, written.names)
    return -1 if place is None else place
