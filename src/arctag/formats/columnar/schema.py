"""The schema of tables of sentences: one row a sentence, words and arcs as lists. docs/arrow.md describes each column.

The metadata hold what the columns do not show: the format of the sentences and the header of CoNLL-U Plus.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from arctag.columns import Header
from arctag.errors import FormatError, InputError
from arctag.formats.columnar.layout import Layout

VERSION = 1
"""Of the schema: higher where an older Arctag could not read a table."""
_KEY = b"arctag"


def _list_of(kind: pa.DataType) -> pa.DataType:
    return pa.list_(pa.field("element", kind))  # the name that Parquet prescribes


STRINGS, NUMBERS, FLAGS = _list_of(pa.string()), _list_of(pa.int32()), _list_of(pa.bool_())
GRAPH = pa.struct(
    [("head", NUMBERS), ("dependent", NUMBERS), ("relation", STRINGS), ("probability", _list_of(pa.float32()))]
)
RANGES = pa.struct([("start", NUMBERS), ("end", NUMBERS), ("form", STRINGS), ("misc", STRINGS)])
WORDS = {
    "id": STRINGS, "form": STRINGS, "lemma": STRINGS, "upos": STRINGS, "xpos": STRINGS, "feats": STRINGS,
    "head": NUMBERS, "deprel": STRINGS, "misc": STRINGS,
}  # fmt: skip
"""The columns of words, in the order of CoNLL-U; DEPS is the graph."""
SDP = {"pred": FLAGS, "frame": STRINGS}
"""What SDP has beside them."""
_SENTENCES = {
    "ranges": RANGES, "comments": STRINGS, "blanks": pa.int32(), "score": pa.float32(), "error": pa.string(),
    "lines": pa.string(),
}  # fmt: skip
COLUMNS = ("doc_id", "sent_id", "text", *WORDS, "graph", *SDP, "layers", *_SENTENCES)
"""The names of all columns that a table may have; others are not looked at."""


def is_list(kind: pa.DataType) -> bool:
    """Whether a type is one of lists, of whatever kind."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def type_name(kind: pa.DataType) -> str:
    """A type without the names that lists give to their values."""
    return str(kind).replace("element: ", "").replace("item: ", "")


def schema_of(layout: Layout) -> pa.Schema:
    """The schema of tables with this layout."""
    columns = {"doc_id": pa.string(), "sent_id": pa.string(), "text": pa.string(), **WORDS, "graph": GRAPH}
    if layout.format == "sdp":
        columns |= SDP
    layers = dict.fromkeys(layout.graphs, GRAPH) | dict.fromkeys((*layout.tags, *layout.further), STRINGS)
    if layers:
        columns["layers"] = pa.struct(list(layers.items()))
    columns |= _SENTENCES
    return pa.schema(list(columns.items()), {_KEY: json.dumps(_described(layout))})


def _described(layout: Layout) -> dict[str, Any]:
    header = {} if layout.header is None else {"header": layout.header.text}
    return {"schema": VERSION, "format": layout.format, **header}


def layout_of(schema: pa.Schema, source: str) -> Layout:
    """The layout of a table that was read; one of a newer version, or of something else, is refused."""
    if "form" not in schema.names:
        there = ", ".join(schema.names) or "none"
        raise FormatError(source, None, f"no column form (there are {there})", "a table of sentences")
    if not is_list(kind := schema.field("form").type):
        raise FormatError(source, None, f"the type {type_name(kind)} in column form", type_name(STRINGS))
    about = _metadata(schema, source)
    if (version := about.get("schema", VERSION)) != VERSION:
        raise InputError(
            f"{source}: written with version {version!r:.20} of the schema; this Arctag reads {VERSION}: update it"
        )
    format = about.get("format", "sdp" if "pred" in schema.names else "conllu")
    if format not in ("conllu", "conllup", "sdp"):
        raise FormatError(source, None, f"sentences of the format {format!r:.20}", "conllu, conllup or sdp")
    header = Header.read(about["header"], source) if format == "conllup" else None
    layers = schema.field("layers").type if "layers" in schema.names else pa.struct([])
    graphs = tuple(field.name for field in layers if pa.types.is_struct(field.type))
    own = () if header is None else header.further
    return Layout(format, header, graphs, tuple(field.name for field in layers if field.name not in (*graphs, *own)))


def _metadata(schema: pa.Schema, source: str) -> dict[str, Any]:
    """What Arctag has written there; nothing in tables that came through other hands."""
    text = (schema.metadata or {}).get(_KEY, b"{}")
    try:
        about = json.loads(text)
        if isinstance(about, dict) and (about.get("format") != "conllup" or isinstance(about.get("header"), str)):
            return about
    except (ValueError, RecursionError):
        pass
    raise FormatError(source, None, f"metadata {text!r:.50}", "those that Arctag writes")
