"""`parse_batch`: a record batch of documents in, a record batch of sentences out; `ArrowParser` keeps what it needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from arctag.columns import STANDARD
from arctag.formats.columnar.batches import Batches
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.schema import schema_of
from arctag.formats.columnar.values import values_of
from arctag.modelfile.config import ModelConfig
from arctag.parsing.asked import columns, graph_names
from arctag.parsing.loading import load, load_config
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.text.documents import Document, Fields, document

T = TypeVar("T", pa.RecordBatch, pa.Table)


def parse_batch(
    batch: pa.RecordBatch,
    parser: Parser,
    fields: Fields | None = None,
    options: ParseOptions | None = None,
    layout: str = "paragraphs",
) -> pa.RecordBatch:
    """Parse the documents of a record batch: a row for each sentence of each document, in order.

    `fields` names the columns with texts, or with words, and with ids. A document that cannot be parsed, or has no
    words, is a row with its error: every document is there. `layout` says what lines mean in running text.
    """
    fields, options = fields or Fields(), options or ParseOptions()
    sentences = _sentences(_documents(batch, fields, layout), parser, fields)
    errors: dict[int, str] = {}
    parsed = list(parser.parse_sentences(sentences, options, lambda sentence, why: errors.update({id(sentence): why})))
    made = Batches(layout=_layout(parser.config, options))
    return _joined(list(made.of(parsed, errors)), made.schema)


def _joined(batches: list[pa.RecordBatch], schema: pa.Schema) -> pa.RecordBatch:
    if not batches:
        return pa.RecordBatch.from_pylist([], schema)
    return batches[0] if len(batches) == 1 else pa.Table.from_batches(batches).combine_chunks().to_batches()[0]


def _layout(config: ModelConfig, options: ParseOptions) -> Layout:
    """What parsed documents have beside the columns of CoNLL-U: the further layers that are predicted."""
    further = [name for name in columns(config, True, options) if name not in STANDARD]
    graphs = graph_names(config)
    return Layout(
        graphs=tuple(name for name in further if name in graphs),
        tags=tuple(name for name in further if name not in graphs),
    )


def _documents(batch: pa.RecordBatch, fields: Fields, layout: str) -> Iterator[Document]:
    _, contents, ids = values_of(batch, fields.content, fields.id, "the batch")
    for content, identifier in zip(contents, ids, strict=True):
        yield document(content, identifier, "", "", fields, layout)


def _sentences(documents: Iterable[Document], parser: Parser, fields: Fields) -> Iterator[Sentence]:
    tokenizer = parser.needed_tokenizer() if fields.words is None else None
    for one in documents:
        yield from one.sentences(tokenizer)


@dataclass(frozen=True)
class ArrowParser:
    """A parser of record batches and tables, for engines that call one: `ArrowParser("en", text="body")(batch)`.

    It can be sent to other processes; the model is loaded there, when the first batch comes.
    """

    model: str | Path = "en"
    """A model folder, or the name of a model that comes with Arctag."""
    text: str | None = None
    """The column with running text; `text`, if neither this nor `words` is given."""
    words: str | None = None
    """The column with the words of a sentence, or of several, in place of a text."""
    id: str | None = None
    """The column with the ids of documents: those of their sentences begin with them."""
    options: ParseOptions = field(default_factory=ParseOptions)
    """How to parse, and which layers."""
    layout: str = "paragraphs"
    """What lines mean in running text."""
    device: str | None = None
    """`cpu`, `cuda`, …; by default the GPU, if there is one and the model can use it."""

    @cached_property
    def fields(self) -> Fields:
        """The columns that are read."""
        return Fields(self.text, self.words, self.id)

    @cached_property
    def schema(self) -> pa.Schema:
        """The schema of what it returns; nothing is parsed for it, and the network is not loaded."""
        return schema_of(_layout(load_config(self.model), self.options))

    @cached_property
    def parser(self) -> Parser:
        """The model, loaded when it is first needed."""
        return load(self.model, self.device)

    def __call__(self, batch: T) -> T:
        """Parse the documents of a record batch, or of a table: see `parse_batch`."""
        if isinstance(batch, pa.RecordBatch):
            return self._parsed(batch)
        return pa.Table.from_batches([self._parsed(one) for one in batch.to_batches() if len(one)], self.schema)

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The same for one record batch after another, as Spark's `mapInArrow` gives them."""
        return map(self, batches)

    def _parsed(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return parse_batch(batch, self.parser, self.fields, self.options, self.layout)

    def __getstate__(self) -> dict[str, Any]:
        """Without the loaded model."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
