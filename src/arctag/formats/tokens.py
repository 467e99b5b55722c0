"""Tokenised text: a sentence on each line, spaces between its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from arctag.formats.base import InputFormat
from arctag.formats.lines import Line, read_lines
from arctag.formats.streams import Input, OnError, document_name
from arctag.sentence import Sentence


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
        for line in chunks:
            sentence = Sentence.from_words(line.text.split(), sent_id=f"{document_name(line.source)}-{line.number}")
            if line.fault is not None:
                if on_error is None:
                    raise line.fault
                on_error(line.fault)
                sentence = replace(sentence, error=str(line.fault))
            yield sentence


TOKENS = Tokens()
