"""Tokenised text: a sentence on each line, spaces between its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

import numpy as np

from arctag.cells import Spans
from arctag.formats.base import InputFormat
from arctag.formats.lines import Line, read_lines
from arctag.formats.streams import Input, OnError, document_name
from arctag.formats.word_blocks import block_of_words
from arctag.sentence import Sentence, check_id

_TOGETHER = 1_024  # lines that become one block
_document_name = lru_cache(maxsize=16)(document_name)


class Tokens(InputFormat[Line]):
    """Sentences without graphs; ids are made from the file's name and the number of the line."""

    name = "tokens"
    suffixes = (".tok", ".tokens")

    def chunks(self, source: Input, tolerant: bool = False) -> Iterator[Line]:
        """The lines of a file."""
        return read_lines(source, tolerant)

    def sentences(
        self,
        chunks: Iterable[Line],
        words_only: bool = False,  # noqa: ARG002  # there is nothing else
        on_error: OnError | None = None,
    ) -> Iterator[Sentence]:
        """A sentence for each line."""
        stream = iter(chunks)
        while some := list(islice(stream, _TOGETHER)):
            sound = iter(_sentences([line for line in some if line.fault is None]))
            for line in some:
                if line.fault is None:
                    yield next(sound)
                elif on_error is None:
                    raise line.fault
                else:
                    on_error(line.fault)
                    yield Sentence.from_words(line.text.split(), sent_id=_id(line)).replace(error=str(line.fault))


TOKENS = Tokens()


def _sentences(lines: Sequence[Line]) -> Iterator[Sentence]:
    """The sentences of lines, as views of one block."""
    if not lines:
        return
    words, ids = [line.text.split() for line in lines], [_id(line) for line in lines]
    for name in ids:
        check_id(name)
    block = block_of_words(
        lines[0].source,
        Spans.of_lines("\n".join(chain.from_iterable(words))),
        np.array([len(some) for some in words]),
        Spans.of_lines("\n".join(ids)),
    )
    for sentence in block:
        yield sentence.replace(source="", document=_document_name(lines[0].source))


def _id(line: Line) -> str:
    return f"{_document_name(line.source)}-{line.number}"
