"""Documents: many texts in one source, a text or its words in each object of JSON lines, or in each row of a table."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from arctag.errors import FormatError, InputError
from arctag.formats.columnar.formats import need_pyarrow
from arctag.formats.lines import Line, read_lines
from arctag.formats.streams import Input, document_name, name_of
from arctag.graph import Graph
from arctag.sentence import Sentence
from arctag.text.tokenizer import TextTokenizer, id_safe

TEXT_FIELD = "text"
"""Where the text stands, if nothing else is said."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_TRIED = 1_000  # objects that may lack a field before it counts as absent
_LETTERS_PER_WORD = 5


@dataclass(frozen=True)
class Fields:
    """Where documents stand in an object or a row."""

    text: str | None = None
    """The field with the running text."""
    words: str | None = None
    """The field with the words of a sentence, or of several, in place of a text."""
    id: str | None = None
    """The field with the id of the document."""

    def __post_init__(self) -> None:
        if self.text is not None and self.words is not None:
            raise InputError(f"documents are given as text ({self.text}) and as words ({self.words}); name one of them")

    @property
    def content(self) -> str:
        """The field with what is parsed."""
        return self.words or self.text or TEXT_FIELD

    @property
    def given(self) -> bool:
        """Whether it was said where documents are."""
        return bool(self.text or self.words)


@dataclass(frozen=True)
class Document:
    """One text, or the words of its sentences; what cannot be used has a fault."""

    id: str | None
    """Its id, as it was given."""
    name: str
    """What the ids of its sentences begin with."""
    source: str
    """The file and the line or row, for messages."""
    content: str | Sequence[Sequence[str]] = ""
    """The text, or the words of each sentence."""
    layout: str = "paragraphs"
    """What lines mean in running text."""
    fault: str = ""
    """Why it cannot be parsed."""

    @property
    def data(self) -> bytes:
        """The text in UTF-8."""
        text = self.content if isinstance(self.content, str) else " ".join(map(" ".join, self.content))
        return f"{text} ".encode(errors="surrogateescape")

    @property
    def words(self) -> int:
        """About how many words it has."""
        if isinstance(self.content, str):
            return len(self.content) // _LETTERS_PER_WORD + 1
        return sum(map(len, self.content))

    def sentences(self, tokenizer: TextTokenizer | None) -> list[Sentence]:
        """Its sentences: one at least. If it cannot be parsed, that is one without words that has `error` set."""
        try:
            if self.fault:
                raise InputError(self.fault)
            if isinstance(self.content, str):
                assert tokenizer is not None, "running text needs a tokenizer"
                sentences = list(tokenizer.sentences(self.content, self.name, self.layout))
            else:
                sentences = list(self._of_words(self.content))
            if not sentences:
                raise InputError("no words")
        except InputError as error:
            return [Sentence([], Graph(0), error=str(error), **self._fields)]
        return [sentence.replace(**self._fields) for sentence in sentences]

    @property
    def _fields(self) -> dict[str, Any]:
        return {"source": self.source, "document": self.id, "fresh": True}

    def _of_words(self, content: Sequence[Sequence[str]]) -> Iterator[Sentence]:
        name = id_safe(self.name)
        for number, words in enumerate(content, 1):
            place = f"{name}-s{number}" if len(content) > 1 and name else name or f"s{number}"
            yield Sentence.from_words(words, sent_id=place)


def document(value: object, identifier: str | None, name: str, source: str, fields: Fields, layout: str) -> Document:
    """A document of what stands in its fields; `name` stands in for an id that is missing."""
    known = None if identifier is None else _fit(identifier)
    made = Document(known, name if known is None else known, source, layout=layout)
    if value is None:
        return replace(made, fault=f"nothing in {fields.content}")
    if fields.words is None:
        if isinstance(value, str):
            return replace(made, content=value)
        return replace(made, fault=f"found {value!r:.50} in {fields.content}; expected a text")
    sentences: list[Any] = [value]
    if isinstance(value, list) and any(isinstance(some, list) for some in value):
        sentences = value
    if not all(isinstance(words, list) and all(isinstance(word, str) for word in words) for words in sentences):
        return replace(made, fault=f"found {value!r:.50} in {fields.content}; expected a list of words")
    return replace(made, content=[list(map(_fit, words)) for words in sentences if words])


def _fit(text: str) -> str:
    """A text without halves of surrogate pairs, which UTF-8 cannot hold."""
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def json_documents(source: Input, fields: Fields, layout: str) -> Iterator[Document]:
    """The documents of a file of JSON lines; a line that is none has a fault.

    A file in which the first thousand lines lack the field with the text is an error.
    """
    name = document_name(name_of(source))
    documents = (_of_line(line, fields, name, layout) for line in read_lines(source, tolerant=True))
    tried: list[tuple[Document, Mapping[str, object]]] = []
    for one in documents:
        tried.append(one)
        if fields.content in one[1] or len(tried) == _TRIED:
            break
    there = dict.fromkeys(name for _, known in tried for name in known)
    if there and fields.content not in there:
        found = f"no field {fields.content} (there are {', '.join(there)})"
        raise FormatError(name_of(source), None, found, "a text in each line")
    for made, _ in chain(tried, documents):
        yield made


def _of_line(line: Line, fields: Fields, name: str, layout: str) -> tuple[Document, Mapping[str, object]]:
    """The document of a line, and the fields that there are."""
    source, name = f"{line.source}:{line.number}", f"{name}-{line.number}"
    broken = Document(name, name, source)
    if line.fault is not None:
        return replace(broken, fault=f"found {line.fault.found}; expected {line.fault.expected}"), {}
    try:
        value = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        return replace(broken, fault=f"found a line that is no JSON ({error}); expected an object"), {}
    if not isinstance(value, dict):
        return replace(broken, fault=f"found {line.text!r:.50}; expected an object with a text"), {}
    identifier = value.get(fields.id) if fields.id is not None else None
    known = name if identifier is None else str(identifier)
    return document(value.get(fields.content), known, name, source, fields, layout), value


def table_documents(source: Input, fields: Fields, layout: str) -> Iterator[Document]:
    """The documents of a table, Parquet or Arrow: one in each row."""
    need_pyarrow()
    from arctag.formats.columnar.values import values_in

    name, file = document_name(name_of(source)), name_of(source)
    for values in values_in(source, fields.content, fields.id):
        rows = zip(values.contents, values.ids, strict=True)
        for row, (content, identifier) in enumerate(rows, values.first):
            known = f"{name}-{row}" if identifier is None else identifier
            yield document(content, known, name, f"{file}:{row}", fields, layout)
