"""Whole treebanks as tables in memory: a row for each sentence, for each word, or for each arc."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from arctag.cells import Longs
from arctag.formats.columnar.batches import Batches
from arctag.formats.columnar.reading import open_batches
from arctag.formats.columnar.rows import Rows
from arctag.formats.columnar.schema import GRAPH, NUMBERS, SDP, STRINGS, WORDS, layout_of
from arctag.sentence import Sentence

Source = str | Path | Iterable[Sentence]
"""A graph file of any format, or sentences."""
_MAIN = "graph"


def sentence_table(source: Source) -> pa.Table:
    """A row for each sentence."""
    schema, batches = _batches(source)
    return pa.Table.from_batches(batches, schema)


def word_table(source: Source) -> pa.Table:
    """A row for each word, empty nodes included."""
    return pa.concat_tables(map(_words, _rows(source)))


def arc_table(source: Source) -> pa.Table:
    """A row for each relation of each arc, of all graphs."""
    return pa.concat_tables(map(_arcs, _rows(source)))


def _batches(source: Source) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """The schema of sentences, and their batches."""
    from arctag.formats import COLUMNAR, look_at, read_whole_input

    batches = Batches()
    if isinstance(source, (str, Path)):
        opened, format = look_at(source)
        if format in COLUMNAR:
            return open_batches(opened, layout_of)
        made = batches.of_blocks(read_whole_input(opened, format))
    else:
        made = batches.of(source)
    some = list(made)
    return batches.schema, iter(some)


def _rows(source: Source) -> Iterator[Rows]:
    """The sentences of batches, numbered through; of one without sentences at least."""
    schema, batches = _batches(source)
    name = str(source) if isinstance(source, (str, Path)) else "the sentences"
    yield Rows(pa.RecordBatch.from_pylist([], schema), name)
    first = 1
    for batch in batches:
        yield Rows(batch, name, first)
        first += len(batch)


def _words(rows: Rows) -> pa.Table:
    columns = _sentence_columns(rows, rows.sizes)
    columns["word"] = pa.array(np.arange(rows.nodes[-1]) - rows.nodes[rows.owners] + 1, pa.int32())
    kinds = WORDS | (SDP if "pred" in rows.batch.schema.names else {})
    columns |= {name: rows.values(kind, name) for name, kind in kinds.items()}
    columns |= {name: rows.values(STRINGS, "layers", name) for name in _layers(rows, graphs=False)}
    return pa.table(columns)


def _arcs(rows: Rows) -> pa.Table:
    graphs = {_MAIN: (_MAIN,), **{name: ("layers", name) for name in _layers(rows, graphs=True)}}
    return pa.concat_tables([_arcs_of(rows, name, path) for name, path in graphs.items()])


def _arcs_of(rows: Rows, name: str, path: tuple[str, ...]) -> pa.Table:
    _, starts = rows.lists(NUMBERS, *path, "head")
    columns = _sentence_columns(rows, np.diff(starts))
    columns["layer"] = pa.array([name]).take(pa.array(np.zeros(starts[-1], np.int32)))
    return pa.table(columns | {field.name: rows.lists(field.type, *path, field.name)[0] for field in GRAPH})


def _layers(rows: Rows, graphs: bool) -> list[str]:
    """The names of further layers: of those that are graphs, or of the others."""
    layers = rows.batch.schema.field("layers").type if "layers" in rows.batch.schema.names else []
    return [field.name for field in layers if pa.types.is_struct(field.type) is graphs]


def _sentence_columns(rows: Rows, lengths: Longs) -> dict[str, pa.Array]:
    """The columns that say which sentence a row belongs to, of which each sentence has so many."""
    owners = np.repeat(np.arange(len(rows)), lengths)
    ids = {name: rows.column(pa.string(), name).take(pa.array(owners)) for name in ("doc_id", "sent_id")}
    return {**ids, "sentence": pa.array(owners + rows.first, pa.int32())}
