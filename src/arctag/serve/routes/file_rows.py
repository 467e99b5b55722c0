"""Parsed sentences as the rows of a file, which are sent one by one, and its header, which is sent once."""

from __future__ import annotations

from arctag.formats.conllu import CONLLU
from arctag.formats.conllu_plus import CONLLUP
from arctag.formats.writer import Writer
from arctag.parsing.parser import ParseOptions, Parser
from arctag.parsing.rendering import with_probabilities
from arctag.sentence import Sentence


class FileRows:
    """The sentences of one request: in the format of its file, with columns for all that is predicted."""

    def __init__(self, parser: Parser, options: ParseOptions) -> None:
        self._parser, self._options = parser, options
        self._writer: Writer | None = None  # depends on the first sentence
        self.format = CONLLU.name

    @property
    def header(self) -> str:
        """What the file begins with."""
        return "" if self._writer is None else self._writer.header

    def text(self, sentence: Sentence) -> str:
        """The rows and comments of a sentence."""
        if self._writer is None:
            self.format = _format_for(sentence)
            self._writer = Writer(self.format, self._parser.columns(sentence.fresh, self._options))
        return self._writer.text(with_probabilities(sentence))


def _format_for(sentence: Sentence) -> str:
    """Its own, or CoNLL-U Plus if there is something that CoNLL-U has no column for."""
    further = sentence.further_graphs or sentence.further
    return CONLLUP.name if further and sentence.format == CONLLU.name else sentence.format
