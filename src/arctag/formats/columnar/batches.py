"""`Batches`: sentences and blocks on their way into record batches, all with one schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from arctag.blocks.block import Block
from arctag.blocks.flat import gathered_graphs, graphs_of
from arctag.cells import Spans
from arctag.columns import STANDARD, Header
from arctag.errors import InputError
from arctag.formats.columnar.blocks import format_of
from arctag.formats.columnar.columns import Extras, batch_of
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.reading import ROWS
from arctag.formats.columnar.schema import schema_of
from arctag.formats.conllu_plus import CONLLUP
from arctag.formats.pieces import Piece
from arctag.formats.table import FORMATS
from arctag.formats.writer import Writer
from arctag.graph import Graph
from arctag.sentence import Sentence

_NO_ERRORS: Mapping[int, str] = MappingProxyType({})


class Batches:
    """Turns sentences into record batches. The first of them decides on the schema, unless a layout is given."""

    def __init__(
        self,
        layers: Sequence[str] = (),
        graphs: Collection[str] = (),
        layout: Layout | None = None,
        document: str | None = None,
    ) -> None:
        """`layers` are the further layers that the table has room for, or columns of CoNLL-U, as for a `Writer`; those
        in `graphs` are graphs, others are tags. The first sentences continue the `document`."""
        self._layers, self._graphs, self._layout, self._document = layers, graphs, layout, document
        self._text: Writer | None = None
        self._lost: Counter[str] = Counter()
        self.faults: list[str] = []
        """The sentences that became rows with an error, though they had none, and why."""

    @property
    def lost(self) -> Counter[str]:
        """What the table had no room for, by kind."""
        return self._lost + (self._text.lost if self._text is not None else Counter())

    @property
    def layout(self) -> Layout:
        """The layout of the table: that of CoNLL-U before the first sentence."""
        return self._layout or Layout()

    @property
    def schema(self) -> pa.Schema:
        """The schema of all batches."""
        return schema_of(self.layout)

    def begin(self, first: Sentence) -> None:
        """Decide on the schema by the first sentence, unless that is done."""
        if self._text is not None:
            return
        format = self.layout.format if self._layout else first.format
        self._text = Writer(format, [name for name in self._layers if name in STANDARD])
        self._text.begin(_plain(first))
        if self._layout is None:
            header = Header.read(self._text.header, "") if format == CONLLUP.name else None
            named = {name for name in self._layers if name not in STANDARD}
            graphs, tags = named.intersection(self._graphs), named.difference(self._graphs)
            # a table of sentences keeps those that it had
            layers = {*graphs, *first.further_graphs}, {*tags, *first.further}
            self._layout = Layout(format, header, *(tuple(sorted(some)) for some in layers))

    def of_blocks(self, blocks: Iterable[Block]) -> Iterator[pa.RecordBatch]:
        """The sentences of blocks, as they were read."""
        for block in blocks:
            self.begin(Sentence.of_block(block, 0))
            if self._fits(block):
                yield self._kept(batch_of(block, self.layout, self._document))
            else:
                yield from self.of(block)

    def of(self, sentences: Iterable[Sentence], errors: Mapping[int, str] = _NO_ERRORS) -> Iterator[pa.RecordBatch]:
        """Sentences in batches; `errors` has, by the identity of a sentence, why it could not be parsed."""
        stream = iter(sentences)
        while some := list(islice(stream, ROWS)):
            self.begin(some[0])
            for failed, group in groupby(some, lambda sentence: bool(sentence.error)):
                if failed:
                    yield from map(self._failed, group)
                else:
                    yield self._batch(list(group), errors)

    def _fits(self, block: Block) -> bool:
        """Whether the text of a block says all, in the columns of the table."""
        names, own = self.layout.names, STANDARD if block.header is None else block.header.names
        same = block.format == self.layout.format and (not self.layout.universal or names == own)
        return same and not block.words_only and block.table is None

    def _kept(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """A batch; the next one continues its last document."""
        self._document = batch.column("doc_id")[-1].as_py()
        return batch

    def _batch(self, sentences: Sequence[Sentence], errors: Mapping[int, str]) -> pa.RecordBatch:
        """Sentences that were read, whatever became of them."""
        block = self._read(sentences)
        for number, fault in block.faults.items():
            self.faults.append(f"{sentences[number].id}: found {fault.found}; expected {fault.expected}")
        extras = Extras(
            [sentence.document for sentence in sentences],
            [sentence.score for sentence in sentences],
            {number: errors[id(one)] for number, one in enumerate(sentences) if id(one) in errors},
            graphs_of(sentences) if any(map(_has_probabilities, sentences)) else None,
            {name: gathered_graphs([_layer(s, name) for s in sentences]) for name in self.layout.graphs},
            {name: Spans.of([cell for s in sentences for cell in _tags(s, name)]) for name in self.layout.tags},
        )
        for sentence in sentences:
            for name in {*sentence.further_graphs, *sentence.further}.difference(self.layout.graphs, self.layout.tags):
                self._lost[f"further layers that are not in the table ({name})"] += 1
        return self._kept(batch_of(block, self.layout, self._document, extras))

    def _read(self, sentences: Sequence[Sentence]) -> Block:
        """Sentences as a block: their text, read again."""
        assert self._text is not None
        text = b"".join(self._text.data(map(_plain, sentences)))
        block = format_of(self.layout).block(Piece("", 1, text, header=self.layout.header))
        if len(block) == len(sentences):
            block.nexts[-1] = block.ends[-1] + sentences[-1].blanks
            return block
        if len(sentences) == 1:
            raise InputError(f"{sentences[0].id}: a sentence that could not be read back cannot be written")
        half = len(sentences) // 2
        for some in (sentences[:half], sentences[half:]):
            self._read(some)  # the one at fault is in one of them
        raise InputError(f"{sentences[0].id}: this sentence and those after it could not be read back")

    def _failed(self, sentence: Sentence) -> pa.RecordBatch:
        """A sentence that could not be read: its lines and its error; the words, too, if there are any."""
        if sentence.rows and sentence.format == self.layout.format:
            text = FORMATS[sentence.format].text(sentence).encode("utf-8", "surrogateescape")
            block = format_of(self.layout).block(Piece("", 1, text, header=self.layout.header))
            if len(block) == 1 and not block.faults:
                extras = Extras([sentence.document], [None], {0: sentence.error})
                return self._kept(batch_of(block, self.layout, self._document, extras))
        lines = "\n".join([*sentence.comments, *map("\t".join, sentence.rows)])
        row = {
            **{field.name: _nothing(field.type) for field in self.schema},
            "doc_id": self._document if sentence.document is None else sentence.document,
            "sent_id": None if sentence.id in (sentence.source, "?") else sentence.id,
            "error": sentence.error,
            "lines": lines.encode("utf-8", "surrogateescape").decode("utf-8", "replace") or None,
        }
        return self._kept(pa.RecordBatch.from_pylist([row], self.schema))


def _plain(sentence: Sentence) -> Sentence:
    """Without what has columns of its own, and with an empty line below."""
    fields: dict[str, Any] = {"blanks": 1} if sentence.blanks < 1 else {}
    if sentence.further_graphs or sentence.further:
        fields |= {"further_graphs": {}, "further": {}}
    return sentence.replace(**fields) if fields else sentence


def _has_probabilities(sentence: Sentence) -> bool:
    """Whether the arcs of a sentence have probabilities; its graph need not be made for that."""
    if sentence.arcs is not None:
        return sentence.arcs[0].probabilities is not None
    if sentence.block is not None and "graph" not in sentence.replaced:
        return sentence.block.graphs.probabilities is not None
    return sentence.graph.probabilities is not None


def _layer(sentence: Sentence, name: str) -> Any:
    return sentence.further_graphs[name] if name in sentence.further_graphs else Graph.without_arcs(sentence.size)


def _tags(sentence: Sentence, name: str) -> Sequence[str]:
    return sentence.further[name] if name in sentence.further else ["_"] * sentence.size


def _nothing(kind: pa.DataType) -> Any:
    """The value of a column for a sentence without words."""
    if pa.types.is_struct(kind):
        return {field.name: _nothing(field.type) for field in kind}
    return [] if pa.types.is_list(kind) else None
