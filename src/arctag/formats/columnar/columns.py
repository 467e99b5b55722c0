"""The sentences of a block as the columns of a table: bytes and offsets are copied, no object is made for a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arctag.blocks.arcs import BlockArcs
from arctag.blocks.block import Block
from arctag.blocks.conllu_kernel import read_column
from arctag.cells import Bytes, Flags, Longs, Numbers, Positions, Spans
from arctag.columns import DEPS, HEAD, MISC, STANDARD
from arctag.encodings.labels import offsets_of
from arctag.formats.columnar import comments as found
from arctag.formats.columnar.arcs import array_of_graphs, graph_array, probabilities_of
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.places import Places
from arctag.formats.columnar.schema import FLAGS, NUMBERS, RANGES, STRINGS, schema_of
from arctag.formats.columnar.strings import listed, lists, numbers_of, strings_of
from arctag.graph import FloatArray
from arctag.kernel import kernel

_FORM = 1
_SDP_COLUMNS = {"id": 0, "form": 1, "lemma": 2, "xpos": 3}
_SDP_PREDICATE, _SDP_FRAME = 5, 6
_POWERS = 10 ** np.arange(1, 10)
_DASH, _ZERO, _SPACE = 45, 48, 32
_SDP_HEADER = np.frombuffer(b"#SDP 2015", np.uint8)
Columns = dict[str, pa.Array]


class Extras(NamedTuple):
    """What sentences have beside their rows: of each sentence of a block, or of all arcs."""

    documents: Sequence[str | None] = ()
    """Those that are known otherwise than from comments."""
    scores: Sequence[float | None] = ()
    errors: Mapping[int, str] = {}
    """Why a sentence could not be parsed."""
    probable: BlockArcs | None = None
    """The arcs with their probabilities."""
    graphs: Mapping[str, BlockArcs] = {}
    """Further graphs of all sentences."""
    tags: Mapping[str, Spans] = {}
    """Further tags of all nodes."""


_NOTHING = Extras()


def batch_of(block: Block, layout: Layout, before: str | None = None, extras: Extras = _NOTHING) -> pa.RecordBatch:
    """The sentences of a block, which was read with its graphs; `before` is the document that they continue."""
    schema = schema_of(layout)
    columns = _BlockColumns(block, layout, before, extras).columns()
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


class _BlockColumns:
    def __init__(self, block: Block, layout: Layout, before: str | None, extras: Extras) -> None:
        self.block, self.layout, self.before, self.extras = block, layout, before, extras
        self.count, self.nodes = len(block), int(block.nodes[-1])
        self.odd: set[int] = set(block.faults)  # the sentences that the columns cannot give back

    def columns(self) -> Columns:
        """All columns, by name."""
        words = self._universal() if self.layout.universal else self._sdp()
        errors = {**{number: str(fault) for number, fault in self.block.faults.items()}, **self.extras.errors}
        block, comments = self.block, self.comments
        return {
            "doc_id": pa.array(self._documents(), pa.string()),
            "sent_id": self._some(comments.first(found.SENT_ID) if self.layout.universal else comments.last()),
            "text": self._texts(comments.first(found.TEXT)),
            **words,
            "layers": self._layers(),
            "ranges": self._ranges(),
            "comments": listed(strings_of(comments.lines, False), self._offsets(comments.owners), STRINGS),
            "blanks": numbers_of(block.nexts - block.ends),
            "score": pa.array(self.extras.scores or [None] * self.count, pa.float32()),
            "error": pa.array([errors.get(number) for number in range(self.count)], pa.string()),
            "lines": pa.array([self._lines(n) if n in self.odd else None for n in range(self.count)], pa.string()),
        }

    # Words

    def _universal(self) -> Columns:
        names = [name.lower() for name in STANDARD]
        strings = {name: number for number, name in enumerate(names) if number not in (HEAD, DEPS)}
        return {
            **{name: self._strings(number, name not in ("id", "form")) for name, number in strings.items()},
            "head": listed(self._heads(), self.block.nodes, NUMBERS),
            "graph": self._graph(),
        }

    def _sdp(self) -> Columns:
        empty = listed(pa.nulls(self.nodes, pa.string()), self.block.nodes, STRINGS)
        predicates = pa.array(self.block.spans(_SDP_PREDICATE).equal(b"+"))
        arcs = self.block.arcs
        known = self._probabilities(arcs.starts, arcs.heads, arcs.dependents)
        return {
            **dict.fromkeys(("upos", "feats", "deprel", "misc"), empty),
            **{name: self._strings(number, name not in ("id", "form")) for name, number in _SDP_COLUMNS.items()},
            "head": listed(pa.nulls(self.nodes, pa.int32()), self.block.nodes, NUMBERS),
            "graph": array_of_graphs(self.block.graphs, known),
            "pred": listed(predicates, self.block.nodes, FLAGS),
            "frame": self._strings(_SDP_FRAME, True),
        }

    def _strings(self, column: int, blanks: bool) -> pa.Array:
        return listed(strings_of(self.block.spans(column), blanks), self.block.nodes, STRINGS)

    def _heads(self) -> pa.Array:
        """HEAD as places among the nodes, which are not those among the words where there are empty nodes."""
        heads, cells = self.block.tree_heads, self.block.spans(HEAD)
        zeros = (heads >= 0) & (cells.ends - cells.starts != 1 + np.searchsorted(_POWERS, heads, side="right"))
        self._note(np.searchsorted(self.block.nodes, np.flatnonzero(zeros), side="right") - 1)
        return numbers_of(self.places.of_words(self.places.owners, heads.astype(np.int64)), heads < 0)

    @cached_property
    def places(self) -> Places:
        """Where words are among the nodes."""
        return Places.of(self.block.nodes, self.block.spans(0))

    def _graph(self) -> pa.Array:
        """The arcs in the order of the file, which need not be that of their heads."""
        arcs, spans = self.block.arcs, self.block.graphs.in_text
        starts, heads, dependents = arcs.starts, arcs.heads, arcs.dependents
        if spans is None:  # they were sorted
            cells = self.block.spans(DEPS)
            starts, heads, dependents, first, last, *_ = read_column(self.block.nodes, *self.block.spans(0), *cells)
            spans = Spans(cells.data, first, last)
        known = self._probabilities(starts, heads, dependents)
        return graph_array(starts, heads, dependents, strings_of(spans, False), known)

    def _probabilities(self, starts: Longs, heads: Numbers, dependents: Numbers) -> FloatArray | None:
        probable = self.extras.probable
        return None if probable is None else probabilities_of(probable, starts, heads, dependents)

    def _ranges(self) -> pa.Array:
        """The rows that are not nodes. What they have beside form and MISC is in the lines."""
        block, sound = self.block, self._sound
        counts = np.where(sound, block.ends - block.rows, 0)
        lines = np.repeat(block.rows - offsets_of(counts)[:-1], counts) + np.arange(counts.sum())
        is_node = np.zeros(len(block.lines), dtype=np.bool_)
        is_node[block.node_lines] = True
        owners = np.repeat(np.arange(self.count), counts)[~is_node[lines]]
        lines = lines[~is_node[lines]]
        if not self.layout.universal or not len(lines):
            lines, owners = lines[:0], owners[:0]
        for column in range(len(STANDARD) + len(self.layout.further)) if len(lines) else ():
            if column not in (0, _FORM, MISC):
                self._note(owners[~block.cells_of(lines, column).equal(b"_")])
        starts, ends = _range_bounds(*block.cells_of(lines, 0))
        bounds = [self.places.of_words(owners, words) for words in (starts, ends)]
        texts = [strings_of(block.cells_of(lines, column), column != _FORM) for column in (_FORM, MISC)]
        return lists([*map(numbers_of, bounds), *texts], self._offsets(owners), RANGES)

    def _layers(self) -> pa.Array | None:
        if not (names := (*self.layout.graphs, *self.layout.tags, *self.layout.further)):
            return None
        extras, layers = self.extras, []
        for name in names:
            if name in self.layout.graphs:
                layers.append(array_of_graphs(extras.graphs[name]) if name in extras.graphs else self._no_arcs)
            elif name in self.layout.tags:
                cells = strings_of(extras.tags[name]) if name in extras.tags else pa.nulls(self.nodes, pa.string())
                layers.append(listed(cells, self.block.nodes, STRINGS))
            else:
                layers.append(self._strings(len(STANDARD) + self.layout.further.index(name), True))
        return pa.StructArray.from_arrays(layers, names)

    @property
    def _no_arcs(self) -> pa.Array:
        nothing = np.zeros(0, np.int32)
        return graph_array(np.zeros(self.count + 1, np.int64), nothing, nothing, pa.array([], pa.string()))

    # Sentences

    @cached_property
    def _sound(self) -> Flags:
        sound = np.ones(self.count, dtype=np.bool_)
        sound[list(self.block.faults)] = False
        return sound

    @cached_property
    def comments(self) -> found.Comments:
        """The lines above the rows; the header of SDP is none."""
        block = self.block
        counts = block.rows - block.first
        lines = np.repeat(block.first - offsets_of(counts)[:-1], counts) + np.arange(counts.sum())
        owners = np.repeat(np.arange(self.count), counts)
        starts = block.cells[block.lines[lines]].astype(np.int64) + 1
        ends = block.cells[block.lines[lines + 1]].astype(np.int64)
        kept = starts < ends
        if self.layout.format == "sdp":
            kept &= ~_are_header(block.data, starts, ends, _SDP_HEADER)
        return found.Comments.of(Spans(block.data, starts[kept], ends[kept]), owners[kept])

    def _documents(self) -> list[str | None]:
        """The document of each sentence: what is known of it, else what comments say, of it or of one before."""
        kinds, owners = self.comments.kinds, self.comments.owners
        begun: dict[int, str | None] = dict.fromkeys(owners[kinds == found.NO_DOCUMENT].tolist())
        named = self.comments.first(found.DOCUMENT)
        begun |= zip(named.numbers.tolist(), named.spans.texts(), strict=True)
        known, current, documents = self.extras.documents or [None] * self.count, self.before, []
        for number, name in enumerate(known):
            current = name if name is not None else begun.get(number, current)
            documents.append(current)
        return documents

    def _some(self, values: found.Values) -> pa.Array:
        """The values of those sentences that have one."""
        places = np.full(self.count, -1)
        places[values.numbers] = np.arange(len(values.numbers))
        strings = strings_of(values.spans, False)
        return strings.take(pa.array(places, mask=places < 0))

    def _texts(self, values: found.Values) -> pa.Array:
        """The text of each sentence; where no comment has it, the words with spaces between them."""
        texts = self._some(values)
        if not texts.null_count:
            return texts
        data, ends = _spaced(*self.block.spans(_FORM), self.block.nodes, self.places.is_word)
        joined = strings_of(Spans(data, ends[:-1], ends[1:]), False)
        return pc.coalesce(texts, pc.if_else(pa.array(self._sound), joined, None))

    def _offsets(self, owners: Longs) -> Longs:
        return offsets_of(np.bincount(owners, minlength=self.count))

    def _note(self, numbers: Longs) -> None:
        """Sentences whose lines are kept beside the columns."""
        self.odd.update(np.unique(numbers).tolist())

    def _lines(self, number: int) -> str:
        block = self.block
        lines = [*block.comments_of(number), *map("\t".join, block.lines_of(number))]
        return "\n".join(lines).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@kernel
def _range_bounds(data: Bytes, starts: Positions, ends: Positions) -> tuple[Longs, Longs]:
    """The numbers of the first and the last word of ranges (`3-4`)."""
    bounds = np.zeros((2, len(starts)), np.int64)
    for i in range(len(starts)):
        side = 0
        for k in range(starts[i], ends[i]):
            if data[k] == _DASH:
                side = 1
            else:
                bounds[side, i] = 10 * bounds[side, i] + (data[k] - _ZERO)
    return bounds[0], bounds[1]


@kernel
def _spaced(data: Bytes, starts: Positions, ends: Positions, nodes: Longs, is_word: Flags) -> tuple[Bytes, Longs]:
    """The words of each sentence with spaces between them, and where each sentence begins."""
    out = np.empty((ends - starts).sum() + len(starts), np.uint8)
    offsets = np.zeros(len(nodes), np.int64)
    at = 0
    for s in range(len(nodes) - 1):
        for i in range(nodes[s], nodes[s + 1]):
            if not is_word[i]:
                continue
            if at > offsets[s]:
                out[at] = _SPACE
                at += 1
            for k in range(starts[i], ends[i]):
                out[at] = data[k]
                at += 1
        offsets[s + 1] = at
    return out[:at], offsets


@kernel
def _are_header(data: Bytes, starts: Longs, ends: Longs, header: Bytes) -> Flags:
    """Which lines are the header of a file, spaces behind it aside."""
    out = np.zeros(len(starts), np.bool_)
    for i in range(len(starts)):
        size = ends[i] - starts[i]
        out[i] = size >= len(header)
        for k in range(size if out[i] else 0):
            byte = data[starts[i] + k]
            if (byte > _SPACE) if k >= len(header) else (byte != header[k]):
                out[i] = False
                break
    return out
