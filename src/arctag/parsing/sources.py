"""A source of sentences: a file, a stream or a text. It is cut into chunks; chunks become sentences in any process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from arctag.errors import ArctagError, InputError
from arctag.formats import COLUMNAR, FORMATS, Chunk, format_of_beginning, get_input_format, input_formats
from arctag.formats.columnar.formats import PARQUET_FORMAT
from arctag.formats.conllu import CONLLU
from arctag.formats.json_lines import JSON
from arctag.formats.not_text import check_text
from arctag.formats.recognition import kind_of_name
from arctag.formats.streams import Opened, describe, document_name
from arctag.sentence import Sentence
from arctag.text.chunks import AUTO
from arctag.text.chunks import chunks as text_chunks
from arctag.text.documents import Fields, json_documents, table_documents
from arctag.text.files import SUFFIXES, read_chunks
from arctag.text.tokenizer import TextTokenizer

TEXT = "text"
"""The format of running text."""
DOCUMENTS = "documents"
"""What holds many texts: JSON lines, or a table with a text in each row."""
_JSON_LINES = (".jsonl", ".ndjson")
_JSON = (*_JSON_LINES, ".json")
Report = Callable[[str], None]


def suffixes() -> dict[str, tuple[str, ...]]:
    """How names of files end that can be parsed, by format."""
    formats = {name: format.suffixes for name, format in input_formats().items()}
    return {TEXT: SUFFIXES, **formats, JSON.name: _JSON_LINES}


@dataclass(frozen=True)
class Origin:
    """Where chunks come from: what it takes to turn them into sentences. Can be sent to another process."""

    format: str
    name: str
    """How the source is named in messages."""
    document: str
    """What the ids of its sentences begin with, where they have none of their own."""
    is_text: bool = False
    """Whether it is running text, in one document or in many."""

    def sentences(self, chunks: Iterable[Any], tokenizer: TextTokenizer | None, report: Report) -> Iterator[Sentence]:
        """The sentences of chunks; damaged ones are reported, and have `error` set."""
        if self.format == DOCUMENTS:
            for document in chunks:
                sentences = document.sentences(tokenizer)
                for sentence in sentences:
                    if sentence.error:
                        report(f"{document.source}: {sentence.error}")
                yield from sentences
            return
        if self.format != TEXT:
            yield from get_input_format(self.format).sentences(chunks, True, lambda error: report(str(error)))
            return
        assert tokenizer is not None, "running text needs a tokenizer"
        for chunk in chunks:
            yield from tokenizer.chunk_sentences(chunk, self.document, self.name)


class Source:
    """A file, standard input (`-`), or a text.

    A file is opened once: when it is read, or when its format is asked for and the name does not tell it.
    """

    def __init__(
        self,
        path: str,
        format: str | None = None,
        layout: str = AUTO,
        *,
        text: str | None = None,
        below: Path | None = None,
        fields: Fields | None = None,
    ) -> None:
        self.path = path
        self.named_format = self._format = format or kind_of_name(path, suffixes() | {JSON.name: _JSON})
        """The format that was named, or that the name announces."""
        self.layout = layout
        """What lines mean in running text."""
        self.text = text
        """The text, if it is not in a file."""
        self.below = below
        """Its path inside the folder that was named, if one was."""
        self.fields = fields or Fields()
        """Where documents stand in its objects or rows."""
        self._opened: Opened | None = None

    @property
    def format(self) -> str:
        """Its format: as named, or by how it begins."""
        if self._format is None:
            self._format = format_of_beginning(self._open().beginning()) or TEXT
        if self._format == JSON.name or (self._format in COLUMNAR and self._has_texts):
            return DOCUMENTS
        return self._format

    @property
    def has_fields(self) -> bool:
        """Whether it is made of objects or rows, one of whose fields may be a text."""
        return self.text is None and (self.format == DOCUMENTS or self._format in COLUMNAR)

    @cached_property
    def _has_texts(self) -> bool:
        """Whether the rows of a table are texts, not sentences: it is said so, or they have no words."""
        try:
            return self.fields.given or "form" not in PARQUET_FORMAT.columns(self._open())
        except ArctagError:
            self.close()
            raise

    @property
    def output_format(self) -> str:
        """What its parses are written in by default: its own format, or CoNLL-U where that cannot hold graphs."""
        return self.format if self.format in FORMATS else CONLLU.name

    @property
    def is_stream(self) -> bool:
        """Whether it can be read only once, and has neither size nor date."""
        return self.text is None and not Path(self.path).is_file()

    @property
    def origin(self) -> Origin:
        """Where its chunks come from."""
        format = self.format
        is_text = format == TEXT or (format == DOCUMENTS and self.fields.words is None)
        return Origin(format, describe(self.path), "" if self.text is not None else document_name(self.path), is_text)

    def chunks(self, warn: Report) -> Iterator[Chunk]:
        """Its chunks, in order; a source that is not text is refused."""
        if self.text is not None:
            return text_chunks([self.text], self.layout)
        opened, format = self._open(), self.format
        try:
            if self._format not in COLUMNAR:
                check_text(opened.name, opened.beginning())
        except InputError:
            self.close()
            raise
        self._opened = None  # it is closed when it has been read
        if format == TEXT:
            return read_chunks(opened, self.layout, lambda error: warn(str(error)))
        if format == DOCUMENTS:
            make = table_documents if self._format in COLUMNAR else json_documents
            return make(opened, self.fields, self.layout)
        return get_input_format(format).chunks(opened, tolerant=True)

    def close(self) -> None:
        """Close the file, if it was opened and not read."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _open(self) -> Opened:
        self._opened = self._opened or Opened(self.path)
        return self._opened
