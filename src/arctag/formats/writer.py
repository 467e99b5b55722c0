"""Writing sentences, in whatever format: headers, damaged sentences, and what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from arctag.blocks.block import Block
from arctag.blocks.runs import Run, runs
from arctag.formats.base import OutputFormat
from arctag.formats.columnar.formats import need_pyarrow
from arctag.formats.files import open_bytes
from arctag.formats.recognition import kind_of_name
from arctag.formats.streams import Input
from arctag.formats.table import COLUMNAR, FORMATS, get_output_format, output_suffixes
from arctag.sentence import Sentence

_ROWS_AND_COMMENTS = frozenset({"rows", "comments", "blanks", "format", "error", "header"})
"""What a run is written from."""


class Writer:
    """Turns sentences into the text of a file, which begins with `header`."""

    def __init__(self, format: str, layers: Sequence[str] = ()) -> None:
        """`layers` are the further layers, and columns of CoNLL-U, for which a file of CoNLL-U Plus has room.

        Without them it has room for all that its first sentence has. Other formats do not ask.
        """
        self._format = get_output_format(format)
        self._layers = layers
        self._begun = False
        self.lost: Counter[str] = Counter()
        """What the format had no room for, by kind."""

    @property
    def header(self) -> str:
        """What the file begins with; it may depend on its first sentence, see `begin`."""
        return self._format.header

    def begin(self, first: Sentence) -> None:
        """Decide on the columns of the file, if its format leaves them open, by its first sentence."""
        if not self._begun:
            self._begun, self._format = True, self._format.begun(first, self._layers)

    def data(self, sentences: Iterable[Sentence]) -> Iterator[bytes]:
        """The text of sentences in UTF-8, as many at a time as can be; what is lost is counted."""
        for some in runs(sentences, _ROWS_AND_COMMENTS):
            yield from [self._encoded(some)] if isinstance(some, Sentence) else self._run(some)

    def blocks(self, blocks: Iterable[Block]) -> Iterator[bytes]:
        """The same for all sentences of blocks, as they were read."""
        for block in blocks:
            yield from self._run(Run(block, 0, len(block), []))

    def _run(self, run: Run) -> Iterator[bytes]:
        self.begin(run.sentences[0] if run.sentences else Sentence.of_block(run.block, run.start))
        if (data := self._format.run(run)) is not None:
            yield data
        else:
            yield from map(self._encoded, run.sentences or run.block)

    def _encoded(self, sentence: Sentence) -> bytes:
        return self.text(sentence).encode("utf-8", "surrogateescape")

    def text(self, sentence: Sentence) -> str:
        """The text of a sentence; what is lost is counted."""
        self.begin(sentence)
        format = self._format_for(sentence)
        if losses := format.losses(sentence):
            self.lost.update({kind: count for kind, count in losses.items() if count})
        return format.text(sentence)

    def _format_for(self, sentence: Sentence) -> OutputFormat:
        """What could not be read cannot be converted: it is written as it was read, unless the format has a way."""
        if sentence.error and self._format.name in FORMATS:
            return FORMATS[sentence.format]
        return self._format


def write(
    sentences: Iterable[Sentence | Block],
    path: str | Path,
    format: str | None = None,
    losses: Counter[str] | None = None,
    layers: Sequence[str] = (),
) -> int:
    """Write sentences, or blocks of them, to a file (`-`: standard output) and return their number.

    The format is the one named, else the one the file's name announces, else the first sentence's.
    What the format has no room for is counted into `losses`. The file appears only when complete.
    A file of CoNLL-U Plus, or a table, has columns for these further layers, or for those of the first sentence.
    """
    named = format or kind_of_name(path, output_suffixes())
    if named in COLUMNAR:
        need_pyarrow()
        from arctag.formats.columnar.saving import save

        return save(sentences, path, COLUMNAR[named], losses, layers)
    writer = Writer(named, layers) if named else None
    count = 0
    with open_bytes(path) as file:
        stream: Iterator[Any] = iter(sentences)
        if (first := next(stream, None)) is not None:
            writer = writer or Writer(first.format, layers)  # one file, one format
            writer.begin(next(iter(first)) if isinstance(first, Block) else first)
            file.write(writer.header.encode())

            def counted() -> Iterator[Any]:
                nonlocal count
                for some in chain([first], stream):
                    count += len(some) if isinstance(some, Block) else 1
                    yield some

            for are_blocks, some in groupby(counted(), lambda one: isinstance(one, Block)):
                for data in (writer.blocks if are_blocks else writer.data)(some):
                    file.write(data)
    if writer is not None and losses is not None:
        losses.update(writer.lost)
    return count


def copy_table(source: Input, path: str | Path, format: str) -> int:
    """Write the rows of a table to another one as they are, with all their columns; their number."""
    need_pyarrow()
    from arctag.formats.columnar.saving import copy

    return copy(source, path, COLUMNAR[format])
