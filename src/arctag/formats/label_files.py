"""Labels as text: one word a line (form, label, relations), a blank line after each sentence.

Any sequence-labelling program can read the first two columns. For encodings that need tags a fourth column has the
UPOS tag. For encodings with null arcs one more column lists the planes that hold one. What is in a cell is in
`label_cells`.

Thousands of sentences are encoded, or decoded, in one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.flat import Flat
from arctag.blocks.suited import suited
from arctag.cells import Spans
from arctag.encodings import Encoding, Labels, encoding
from arctag.encodings.labels import LabelRow, OffsetArray, offsets_of
from arctag.encodings.upos import UPOS
from arctag.errors import ArctagError, InputError
from arctag.formats.label_blocks import Decoded, Labelled, words_of
from arctag.formats.label_cells import escaped, format_planes, format_relations
from arctag.formats.label_sheets import Sheet
from arctag.formats.pieces import pieces
from arctag.formats.streams import Opened, is_regular
from arctag.graph import BoolArray, IntArray
from arctag.sentence import Sentence

__all__ = ["Decoded", "EncodedBatch", "Labelled", "decoded", "encoded", "header", "read"]

_TOGETHER = 4_096  # sentences that are encoded in one call
_ENCODING = "# encoding = "
_SENT_ID = "# sent_id = "


# Writing


def header(chosen: Encoding) -> str:
    """What a label file begins with."""
    return f"{_ENCODING}{chosen.name}\n"


@dataclass(frozen=True)
class EncodedBatch:
    """Sentences that were encoded in one call."""

    sentences: Sequence[Sentence]
    encoding: Encoding
    words: str
    """All words, with line ends between them."""
    graphs: BlockArcs
    labels: Labels
    covered: BoolArray
    """Which of the arcs are in the labels."""

    @classmethod
    def of(cls, sentences: Sequence[Sentence], chosen: Encoding) -> EncodedBatch:
        """Encode sentences; `InputError` where the encoding needs tags, or trees, and there are none."""
        flat = Flat(sentences)
        arcs = suited(flat.graphs.arcs, sentences, chosen)
        return cls(sentences, chosen, flat.words, flat.graphs, chosen.encode_all(arcs), chosen.covers_all(arcs))

    @property
    def left_out(self) -> int:
        """How many arcs are not in the labels."""
        return len(self.covered) - int(self.covered.sum())

    def rows(self) -> Iterator[list[LabelRow]]:
        """The labels of each sentence."""
        rows = iter(self.labels)
        for size in self.labels.sizes.tolist():
            yield list(islice(rows, size))

    @property
    def tags(self) -> list[str] | None:
        """The tags of all words; None where the encoding needs none."""
        return None if self.labels.tags is None else [UPOS[number] for number in self.labels.tags.tolist()]

    def texts(self) -> Iterator[str]:
        """The text of each sentence in a label file."""
        words = escaped(self.words).split("\n")
        columns = [_cells(self.labels.values, self.labels.offsets, self.encoding.format), self._relation_cells()]
        if (tags := self.tags) is not None:
            columns.append(iter(tags))
        if self.labels.artificial is not None:
            columns.append(self._null_cells(self.labels.artificial))
        lines = map("\t".join, zip(words, *columns, strict=True))
        for sentence, size in zip(self.sentences, self.labels.sizes.tolist(), strict=True):
            yield "\n".join([_SENT_ID + sentence.id, *islice(lines, size)]) + "\n\n"

    def _relation_cells(self) -> Iterator[str]:
        """For each word, the relations of the arcs in its label; in a tree another head has the same relation."""
        kept = self.covered | self.encoding.trees_only
        names, numbers = self.graphs.names, self.graphs.numbers[kept]
        counts = np.bincount(words_of(self.graphs.arcs)[kept], minlength=len(self.labels))
        return _cells(numbers, offsets_of(counts), lambda row: format_relations([names[number] for number in row]))

    def _null_cells(self, marks: BoolArray) -> Iterator[str]:
        """For each word, the planes that hold a null arc."""
        places = np.flatnonzero(marks)
        words = np.searchsorted(self.labels.offsets, places, side="right") - 1
        planes = (places - self.labels.offsets[words] + 1).astype(np.int32)
        return _cells(planes, offsets_of(np.bincount(words, minlength=len(self.labels))), format_planes)


def encoded(sentences: Iterable[Sentence], chosen: Encoding) -> Iterator[EncodedBatch]:
    """Encode sentences, thousands in one call."""
    stream = iter(sentences)
    while batch := list(islice(stream, _TOGETHER)):
        yield EncodedBatch.of(batch, chosen)


def _cells(values: IntArray, offsets: OffsetArray, format: Callable[[LabelRow], str]) -> Iterator[str]:
    """The cell of each row of numbers; each distinct row is formatted once."""
    ends = offsets * values.itemsize
    numbers, firsts = Spans(values.view(np.uint8), ends[:-1], ends[1:]).distinct()
    texts = [format(tuple(values[offsets[i] : offsets[i + 1]].tolist())) for i in firsts.tolist()]
    return map(texts.__getitem__, numbers.tolist())


# Reading


def read(path: str | Path, name: str | None = None) -> Iterator[Labelled]:
    """The sentences of a label file; the encoding is the one named, else the one that the file names."""
    chosen = encoding(name) if name else None
    for piece in pieces(path if is_regular(path) else Opened(path, prompt=True)):
        sheet = Sheet(piece)
        faults: dict[int, ArctagError] = {**sheet.faults()}
        named = {} if name else _named(sheet, chosen, faults)
        encodings = _encodings(named, chosen, min(faults, default=len(sheet)))
        start = 0
        for chosen, group in groupby(encodings):
            stop = start + len(list(group))
            for block in sheet.blocks(start, stop, chosen):
                yield from block
            start = stop
        if faults:
            raise faults[min(faults)]


def decoded(labelled: Iterable[Labelled]) -> Iterator[Decoded]:
    """The sentences with their graphs."""
    return (one.decoded() for one in labelled)


def _named(sheet: Sheet, chosen: Encoding | None, faults: dict[int, ArctagError]) -> dict[int, Encoding]:
    """The sentences above which an encoding is named; one that is not known, or none for the first, is a fault."""
    named: dict[int, Encoding] = {}
    numbers, names = sheet.comments(_ENCODING.encode())
    for number, name in zip(numbers.tolist(), names.texts(), strict=True):
        try:
            named[number] = encoding(name)
        except InputError as error:
            faults.setdefault(number, InputError(f"{sheet.piece.source}: {error}"))
            break
    if chosen is None and 0 not in named:
        expected = "one at the top of the file, or --encoding"
        faults.setdefault(0, sheet.whole.error(int(sheet.found.rows[0]), "no line '# encoding = NAME'", expected))
    return named


def _encodings(named: dict[int, Encoding], chosen: Encoding | None, count: int) -> Iterator[Encoding]:
    """The encoding of each of the first sentences."""
    for number in range(count):
        chosen = named.get(number, chosen)
        assert chosen is not None
        yield chosen
