"""The schema is the documented one, and tables that others made are read, or refused with what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arctag.errors import ArctagError, FormatError, InputError
from arctag.formats import read, write
from arctag.formats.columnar.layout import Layout
from arctag.formats.columnar.schema import COLUMNS, VERSION, schema_of
from arctag.graph import Graph
from tests.places import ROOT

PAGE = (ROOT / "docs" / "arrow.md").read_text(encoding="utf-8").split("\n## Columns")[1].split("\n## ")[0]


def _described(kind: pa.DataType) -> str:
    """A type as the page names it."""
    if pa.types.is_struct(kind):
        return f"struct of {', '.join(field.name for field in kind)}"
    return str(kind).replace("element: ", "").replace("float", "float32")


def test_schema_is_as_documented() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE)
    documented = {name: kind.replace("`", "").strip() for name, kind in rows}
    layouts = schema_of(Layout()), schema_of(Layout("sdp"))
    schema = {field.name: _described(field.type) for some in layouts for field in some}
    assert {name: documented[name] for name in schema} == schema
    assert set(documented) == {*schema, "layers", *(field.name for field in schema_of(Layout()).field("graph").type)}
    assert set(COLUMNS) == {*schema, "layers"}
    assert f"version {VERSION}" in PAGE


@pytest.fixture
def table(sample: Path, tmp_path: Path) -> pa.Table:
    write(read(sample), tmp_path / "sample.parquet")
    return pq.read_table(tmp_path / "sample.parquet")


@pytest.fixture
def written(tmp_path: Path) -> Callable[[pa.Table], Path]:
    def write_table(table: pa.Table) -> Path:
        pq.write_table(table, tmp_path / "in.parquet")
        return tmp_path / "in.parquet"

    return write_table


def test_schema_of_a_file_is_that_of_its_layout(table: pa.Table) -> None:
    assert table.schema.equals(schema_of(Layout()), check_metadata=False)
    assert json.loads(table.schema.metadata[b"arctag"]) == {"schema": VERSION, "format": "conllu"}


def test_schema_every_list_has_as_many_values_as_there_are_words(table: pa.Table) -> None:
    for row in table.to_pylist():
        assert {len(row[name]) for name in ("id", "form", "lemma", "upos", "head", "misc")} == {len(row["form"])}
        assert len({len(values) for values in row["graph"].values()}) == 1
        assert row["lines"] is row["error"] is None


def test_schema_heads_are_places_among_the_words(table: pa.Table) -> None:
    row = next(row for row in table.to_pylist() if row["sent_id"] == "sample-08")  # with an empty node 5.1
    assert row["id"][5] == "5.1"
    arcs = list(zip(row["graph"]["head"], row["graph"]["dependent"], row["graph"]["relation"], strict=True))
    named = [(row["form"][h - 1] if h else "", row["form"][d - 1], r) for h, d, r in arcs]
    assert named[3:7] == [("drank", "and", "cc"), ("drank", "he", "nsubj"), ("drank", "drank", "conj:and"),
                          ("drank", "coffee", "obj")]  # fmt: skip
    assert (row["head"][6], row["form"][row["head"][6] - 1]) == (5, "he")


def test_schema_newer_versions_are_refused(table: pa.Table, written: Callable[[pa.Table], Path]) -> None:
    newer = {"arctag": json.dumps({"schema": VERSION + 1, "format": "conllu"})}
    with pytest.raises(InputError, match=rf"version {VERSION + 1} of the schema; this Arctag reads {VERSION}: update"):
        list(read(written(table.replace_schema_metadata(newer))))


@pytest.mark.parametrize("metadata", ["{", "[]", '{"format": "tei"}', '{"format": "conllup"}', '{"schema": "x"}'])
def test_schema_odd_metadata_are_refused(table: pa.Table, written: Callable[[pa.Table], Path], metadata: str) -> None:
    with pytest.raises(ArctagError, match=r"in\.parquet: "):
        list(read(written(table.replace_schema_metadata({"arctag": metadata}))))


def _with(
    table: pa.Table, name: str, change: Callable[[list[Any]], object], kind: pa.DataType | None = None
) -> pa.Table:
    """The table with another column."""
    values = table.column(name).to_pylist()
    change(values)
    column = pa.array(values, kind or table.schema.field(name).type)
    return table.set_column(table.schema.get_field_index(name), name, column)


def _put(value: object, *path: Any) -> Callable[[list[Any]], None]:
    """A value somewhere in the second row, or in its place."""

    def change(values: list[Any]) -> None:
        target: Any = values
        for key in (1, *path)[:-1]:
            target = target[key]
        target[(1, *path)[-1]] = value

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("upos", lambda values: values[1].pop(), "4 values in column upos; expected 5, one for each form"),
        ("head", _put(6, 0), "6 in column head; expected a number from 0 to 5"),
        ("head", _put(-1, 0), "-1 in column head; expected a number from 0 to 5"),
        ("graph", _put([1], "head"), "6 values in column graph.dependent; expected 1, one for each head"),
        ("graph", _put(9, "head", 0), "9 in column graph.head; expected a number from 0 to 5"),
        ("graph", _put(None, "head", 0), "None in column graph.head; expected a number from 0 to 5"),
        ("graph", _put(0, "dependent", 0), "0 in column graph.dependent; expected a number from 1 to 5"),
        ("graph", _put("a\tb", "relation", 0), "a tab in column graph.relation; expected none"),
        ("graph", _put("", "relation", 0), "head '2:' with no label; expected head:label"),
        ("form", _put("a\nb", 0), "a line break in column form; expected none"),
        ("form", _put([]), "no words; expected a sentence"),
        ("comments", _put("# a\nb", 0), "a line break in column comments; expected none"),
        ("comments", _put("no comment", 0), "'no comment' in column comments; expected lines that begin with #"),
        ("blanks", _put(-1), "-1 in column blanks; expected from 0 to 1000000"),
        ("id", _put("7", 0), "id 7 (id 1 is missing); expected id 1"),
        (
            "ranges",
            _put({"start": [0], "end": [2], "form": ["x"], "misc": [None]}),
            "0 in column ranges; expected numb",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_schema_wrong_values_are_refused_with_their_row(
    table: pa.Table, written: Callable[[pa.Table], Path], name: str, change: Any, message: str
) -> None:
    path = written(_with(table, name, change))
    with pytest.raises(FormatError) as caught:
        list(read(path))
    assert str(caught.value).startswith(f"{path}:2: found {message}")
    # a parser reports it and goes on
    told: list[str] = []
    sentences = list(read(path, on_error=lambda error: told.append(str(error))))
    assert len(sentences) == len(table)
    assert len(told) == 1
    assert [bool(sentence.error) for sentence in sentences].count(True) == 1


@pytest.mark.parametrize(
    ("name", "column", "message"),
    [
        ("form", pa.array([1]), "found the type int64 in column form; expected list<string>"),
        ("head", pa.array([["x"]]), "found the type list<string> in column head; expected list<int32>"),
        ("graph", pa.array([{"head": [0], "dependent": ["x"], "relation": ["root"]}]), "in column graph.dependent"),
        ("comments", pa.array([[b"\xff"]]), "in column comments; expected list<string>"),
        ("blanks", pa.array([{"a": 1}]), "in column blanks; expected int32"),
    ],
)
def test_schema_wrong_types_are_refused(
    written: Callable[[pa.Table], Path], name: str, column: pa.Array, message: str
) -> None:
    columns = {"form": pa.array([["a"]])} | {name: column}
    with pytest.raises(FormatError) as caught:
        list(read(written(pa.table(columns))))
    assert message in str(caught.value)


def test_schema_missing_columns_are_named(written: Callable[[pa.Table], Path]) -> None:
    path = written(pa.table({"id": [1], "body": ["She sings."]}))
    with pytest.raises(
        FormatError, match=r"found no column form \(there are id, body\); expected a table of sentences"
    ):
        list(read(path))


def test_schema_empty_tables_are_refused(table: pa.Table, written: Callable[[pa.Table], Path]) -> None:
    with pytest.raises(FormatError, match="no sentence"):
        list(read(written(table.slice(0, 0))))


def test_schema_words_are_enough(written: Callable[[pa.Table], Path]) -> None:
    forms = pa.array([["She", "sings"], ["Yes"]], pa.large_list(pa.large_string()))
    tags = pa.array([["PRON", "VERB"], None], pa.list_(pa.dictionary(pa.int8(), pa.string())))
    text = pa.array(["She  sings\nnow", None])
    one, two = read(
        written(pa.table({"form": forms, "upos": tags, "sent_id": ["a", None], "text": text, "more": [1, 2]}))
    )
    assert (one.id, one.text, one.words, one.tags) == ("a", "She sings now", ["She", "sings"], ["PRON", "VERB"])
    assert (two.words, two.tags, two.comments, two.source) == (["Yes"], ["_"], (), str(two.source))
    assert two.source.endswith("in.parquet:2")
    assert (one.graph, two.graph) == (Graph(2), Graph(1))


def test_schema_arcs_may_come_in_any_order(written: Callable[[pa.Table], Path]) -> None:
    graph = {"head": [1, 0, 2, 1], "dependent": [2, 1, 1, 2], "relation": ["b", "root", None, "a"]}
    (sentence,) = read(written(pa.table({"form": [["x", "y"]], "graph": pa.array([graph])})))
    assert sentence.graph == Graph(2, [(0, 1, "root"), (2, 1, "_"), (1, 2, "b"), (1, 2, "a")])
    assert sentence.column(8) == ["0:root|2:_", "1:b|1:a"]


def test_schema_sdp_is_known_by_its_columns(
    sample_sdp: Path, tmp_path: Path, written: Callable[[pa.Table], Path]
) -> None:
    write(read(sample_sdp), tmp_path / "sdp.parquet")
    bare = written(pq.read_table(tmp_path / "sdp.parquet").replace_schema_metadata(None))
    write(read(bare), tmp_path / "back.sdp")
    assert (tmp_path / "back.sdp").read_bytes() == sample_sdp.read_bytes()


@pytest.mark.parametrize(
    "graph",
    [
        {"head": [0], "dependent": [1], "relation": ["top"]},
        {"head": [2], "dependent": [1], "relation": ["x"]},
        {"head": [1, 1], "dependent": [2, 2], "relation": ["x", "y"]},
        {"head": [1], "dependent": [2], "relation": ["_"]},
    ],
)
def test_schema_sdp_refuses_arcs_that_it_has_no_room_for(written: Callable[[pa.Table], Path], graph: Any) -> None:
    path = written(pa.table({"form": [["a", "b"]], "pred": [[True, False]], "graph": pa.array([graph])}))
    with pytest.raises(FormatError, match=r"in\.parquet:1: found the arc .*; expected one arc from a predicate"):
        list(read(path))


def test_schema_lines_count_only_while_they_say_what_the_columns_say(tmp_path: Path) -> None:
    source, table = tmp_path / "zeros.conllu", tmp_path / "zeros.parquet"
    rest = "_\t_\t_\t_"
    source.write_text(f"1\ta\t{rest}\t00\troot\t_\t_\n\n1\tb\t{rest}\t00\troot\t_\t_\n\n")
    write(read(source), table)
    rows = pq.read_table(table)
    assert rows.column("lines").null_count == 0
    changed = _with(rows, "upos", lambda values: values[1].__setitem__(0, "NOUN"))
    pq.write_table(changed, table)
    one, two = read(table)
    assert (one.column(6), one.tags) == (["00"], ["_"])
    assert (two.column(6), two.tags) == (["0"], ["NOUN"])


def test_schema_documents_are_those_of_comments(table: pa.Table, sample: Path) -> None:
    current, expected = None, []
    for sentence in read(sample):
        for comment in sentence.comments:
            if match := re.match("# newdoc id = (.*)", comment):
                current = match[1]
        expected.append(current)
    assert table.column("doc_id").to_pylist() == expected
    assert len(set(expected)) > 1
