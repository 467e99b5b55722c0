r"""Labels as text: one word a line (form, label, relations), a blank line after each sentence.

Any sequence-labelling program can read the first two columns. The relations of a word's arcs
stand in the order of their heads, `|` between arcs, `&` between relations of one arc, both
escaped with a backslash inside a name. For encodings with null arcs a fourth column lists the
planes that hold one. A word that would look like a comment (`# 1`) gets a backslash in front.

Thousands of sentences are encoded, or decoded, in one call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, compress, groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from arctag.encodings import Arcs, Encoding, Labels, encoding
from arctag.encodings.labels import LabelRow, OffsetArray, offsets_of
from arctag.errors import InputError
from arctag.formats.blocks import Block, blocks
from arctag.graph import BoolArray, Graph, Relations
from arctag.sentence import Sentence

_TOGETHER = 4_096  # sentences that are encoded, or decoded, in one call
_ENCODING = "# encoding = "
_SENT_ID = "# sent_id = "
_LIKE_A_COMMENT = re.compile(r"#[^ ]* |\\+#")  # or like one that was escaped
_RELATIONS = re.compile(r"(?:\\.|[^\\|&])+(?:[|&](?:\\.|[^\\|&])+)*")
_PLANES = re.compile(r"_|\d{1,3}(,\d{1,3})*")
_UNLABELLED: Relations = ("_",)


# Writing


def header(chosen: Encoding) -> str:
    """What a label file begins with."""
    return f"{_ENCODING}{chosen.name}\n"


@dataclass(frozen=True)
class EncodedBatch:
    """Sentences that were encoded in one call."""

    sentences: Sequence[Sentence]
    encoding: Encoding
    arcs: Arcs
    labels: Labels
    covered: BoolArray
    """Which of the arcs are in the labels."""

    @classmethod
    def of(cls, sentences: Sequence[Sentence], chosen: Encoding) -> EncodedBatch:
        """Encode sentences."""
        arcs = Arcs.of(sentence.graph for sentence in sentences)
        return cls(sentences, chosen, arcs, chosen.encode_all(arcs), chosen.covers_all(arcs))

    @property
    def left_out(self) -> int:
        """How many arcs are not in the labels."""
        return len(self.covered) - int(self.covered.sum())

    def rows(self) -> Iterator[list[LabelRow]]:
        """The labels of each sentence."""
        rows = iter(self.labels)
        for size in self.labels.sizes.tolist():
            yield list(islice(rows, size))

    def texts(self) -> Iterator[str]:
        """The text of each sentence in a label file."""
        format_row = cache(self.encoding.format)
        columns = [map(format_row, self.labels), iter(self._relation_cells())]
        if self.labels.artificial is not None:
            columns.append(iter(self._null_cells(self.labels.artificial)))
        words = chain.from_iterable(sentence.words for sentence in self.sentences)
        lines = map("\t".join, zip(map(_escaped, words), *columns, strict=True))
        for sentence, size in zip(self.sentences, self.labels.sizes.tolist(), strict=True):
            yield "\n".join([_SENT_ID + sentence.id, *islice(lines, size)]) + "\n\n"

    def _relation_cells(self) -> list[str]:
        """For each word, the relations of the arcs in its label."""
        words = _words_of(self.arcs)[self.covered].tolist()
        relations = chain.from_iterable(sentence.graph.relations for sentence in self.sentences)
        names = map(_join, compress(relations, self.covered.tolist()))
        return _joined(zip(words, names, strict=True), "|", len(self.labels))

    def _null_cells(self, marks: BoolArray) -> list[str]:
        """For each word, the planes that hold a null arc."""
        places = np.flatnonzero(marks)
        words = np.searchsorted(self.labels.offsets, places, side="right") - 1
        planes = places - self.labels.offsets[words] + 1
        return _joined(zip(words.tolist(), map(str, planes.tolist()), strict=True), ",", len(self.labels))


def encoded(sentences: Iterable[Sentence], chosen: Encoding) -> Iterator[EncodedBatch]:
    """Encode sentences, thousands in one call."""
    stream = iter(sentences)
    while batch := list(islice(stream, _TOGETHER)):
        yield EncodedBatch.of(batch, chosen)


def _words_of(arcs: Arcs) -> OffsetArray:
    """The dependent of each arc, counted from 0 over all sentences."""
    words: OffsetArray = np.repeat(offsets_of(arcs.sizes)[:-1] - 1, np.diff(arcs.starts)) + arcs.dependents
    return words


def _joined(parts: Iterable[tuple[int, str]], separator: str, count: int) -> list[str]:
    """The texts of each word, joined; the words come in order."""
    cells = ["_"] * count
    for word, group in groupby(parts, key=itemgetter(0)):
        cells[word] = separator.join([text for _, text in group])
    return cells


def _escaped(word: str) -> str:
    return "\\" + word if word[0] in "#\\" and _LIKE_A_COMMENT.match(word) else word


@lru_cache(maxsize=10_000)
def _join(names: Relations) -> str:
    return "&".join(re.sub(r"([\\|&])", r"\\\1", name) for name in names)


# Reading


class Labelled(NamedTuple):
    """A sentence of a label file, not yet decoded."""

    sentence: Sentence
    encoding: Encoding
    texts: list[str]
    """The labels of its words, as they stand in the file."""
    rows: list[LabelRow]
    relations: list[list[Relations]]
    """Of each word, the relations of its arcs."""
    nulls: list[set[int]]
    """Of each word, the planes that hold a null arc."""


class Decoded(NamedTuple):
    """A sentence with the graph that its labels stand for."""

    sentence: Sentence
    repairs: int
    """That its labels needed."""


def read(path: str | Path, name: str | None = None) -> Iterator[Labelled]:
    """The sentences of a label file; the encoding is the one named, else the one that the file names."""
    chosen = encoding(name) if name else None
    for block in blocks(path):
        for comment in block.comments:
            if comment.startswith(_ENCODING) and name is None:
                chosen = _named(comment[len(_ENCODING) :], block)
        if chosen is None:
            raise block.error(0, "no line '# encoding = NAME'", "one at the top of the file, or --encoding")
        yield _labelled(block, chosen)


def decoded(labelled: Iterable[Labelled]) -> Iterator[Decoded]:
    """The sentences with their graphs, thousands decoded in one call."""
    for chosen, group in groupby(labelled, key=lambda one: one.encoding):
        while batch := list(islice(group, _TOGETHER)):
            yield from _decoded(batch, chosen)


def _named(name: str, block: Block) -> Encoding:
    try:
        return encoding(name)
    except InputError as error:
        raise InputError(f"{block.source}: {error}") from error


def _labelled(block: Block, chosen: Encoding) -> Labelled:
    words, rows, nulls, relations = [], [], [], []
    for i, cells in enumerate(block.rows):
        if not 2 <= len(cells) <= 4:
            raise block.error(i, f"{len(cells)} columns", "form, label, and perhaps relations and null planes")
        words.append(_word(block, i, cells[0]))
        rows.append(_row(block, i, cells[1], chosen))
        relations.append(_split(block, i, cells[2]) if len(cells) > 2 else [])
        nulls.append(_planes(block, i, cells[3]) if len(cells) > 3 else set())
    sent_id = next((c[len(_SENT_ID) :] for c in block.comments if c.startswith(_SENT_ID)), None)
    if sent_id and "\r" in sent_id:
        raise block.error(0, f"id {sent_id!r:.50} above it", "one without line breaks")
    sentence = Sentence.from_words(words, sent_id=sent_id)
    return Labelled(sentence, chosen, [cells[1] for cells in block.rows], rows, relations, nulls)


def _word(block: Block, i: int, cell: str) -> str:
    if not cell or "\r" in cell:
        raise block.error(i, f"form {cell!r}", "a word")
    return cell[1:] if cell[0] == "\\" and _LIKE_A_COMMENT.match(cell) else cell


def _row(block: Block, i: int, cell: str, chosen: Encoding) -> LabelRow:
    try:
        return _parsed(chosen, cell)
    except InputError as error:
        expected = f"a label of {chosen.name}: {str(error).split('; ')[-1]}"
        raise block.error(i, f"label {cell!r}", expected) from error


@lru_cache(maxsize=10_000)
def _parsed(chosen: Encoding, text: str) -> LabelRow:
    return chosen.parse(text)


def _split(block: Block, i: int, cell: str) -> list[Relations]:
    relations = _relations(cell)
    if relations is None:
        raise block.error(i, f"relations {cell!r}", r"names, '|' between arcs, '&' in one arc, '\|' inside a name")
    return relations


@lru_cache(maxsize=10_000)
def _relations(cell: str) -> list[Relations] | None:
    """The relations of each arc; None if the cell is not well-formed."""
    if cell == "_":
        return []
    if not _RELATIONS.fullmatch(cell):
        return None
    arcs: list[list[str]] = [[]]
    for name, separator in re.findall(r"((?:\\.|[^\\|&])+)([|&]?)", cell):
        arcs[-1].append(re.sub(r"\\(.)", r"\1", name))
        if separator == "|":
            arcs.append([])
    return [tuple(names) for names in arcs]


def _planes(block: Block, i: int, cell: str) -> set[int]:
    if not _PLANES.fullmatch(cell):
        raise block.error(i, f"null planes {cell!r}", "numbers with commas, or '_'")
    return {int(number) for number in cell.split(",")} if cell != "_" else set()


def _decoded(batch: Sequence[Labelled], chosen: Encoding) -> Iterator[Decoded]:
    labels = _labels(batch)
    decoded = chosen.decode_all(labels)
    arcs, names = decoded.arcs, _names(decoded.arcs, [word for one in batch for word in one.relations])
    starts = arcs.starts.tolist()
    for i, (one, repairs) in enumerate(zip(batch, decoded.repairs.tolist(), strict=True)):
        part = slice(starts[i], starts[i + 1])
        graph = Graph.trusted(len(one.rows), arcs.heads[part], arcs.dependents[part], tuple(names[part]))
        yield Decoded(one.sentence.with_graph(graph), repairs)


def _labels(batch: Sequence[Labelled]) -> Labels:
    rows = [row for one in batch for row in one.rows]
    labels = Labels.from_rows(rows, [len(one.rows) for one in batch])
    nulls = [planes for one in batch for planes in one.nulls]
    if not any(nulls):
        return labels
    marks = [plane + 1 in planes for row, planes in zip(rows, nulls, strict=True) for plane in range(len(row))]
    return Labels(labels.values, labels.offsets, labels.sizes, np.array(marks, dtype=np.bool_))


def _names(arcs: Arcs, relations: Sequence[Sequence[Relations]]) -> list[Relations]:
    """The relations of each arc: those of its word, in order; an arc without one is labelled '_'."""
    words = _words_of(arcs)
    ranks = np.arange(len(words)) - np.searchsorted(words, words)  # of an arc among those of its word
    pairs = zip(words.tolist(), ranks.tolist(), strict=True)
    return [relations[word][rank] if rank < len(relations[word]) else _UNLABELLED for word, rank in pairs]
