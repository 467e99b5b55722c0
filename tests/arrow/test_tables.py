"""Treebanks as tables in memory: words, sentences and arcs, of Arrow and of pandas."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import arctag
from arctag import read, tables, write
from arctag.columns import STANDARD
from arctag.errors import FormatError, MissingExtra
from tests.places import treebanks


@pytest.mark.parametrize("name", treebanks(".conllu", ".sdp", only=lambda name: "dev" in name))
def test_tables_have_what_the_sentences_have(shared: Path, name: str) -> None:
    path = shared / "data" / name
    sentences = list(read(path))
    words = tables.words(path).to_pydict()
    assert words["form"] == [word for sentence in sentences for word in sentence.words]
    assert words["sentence"] == [number for number, s in enumerate(sentences, 1) for _ in range(s.size)]
    assert words["word"] == [place for s in sentences for place in range(1, s.size + 1)]
    if sentences[0].universal:
        for number in (2, 3, 4, 5, 7, 9):
            cells = [cell for sentence in sentences for cell in sentence.column(number)]
            assert [cell or "_" for cell in words[STANDARD[number].lower()]] == cells
    arcs = tables.arcs(path).to_pydict()
    triples = [(i, *triple) for i, s in enumerate(sentences, 1) for triple in s.graph.triples()]
    found = zip(*(arcs[key] for key in ("sentence", "head", "dependent", "relation")), strict=True)
    assert sorted(found) == sorted(triples)
    assert set(arcs["layer"]) <= {"graph"}
    assert len(tables.sentences(path)) == len(sentences)


def test_tables_from_files_of_all_kinds_and_from_sentences_are_the_same(any_sample: Path, tmp_path: Path) -> None:
    for target in ("table.parquet", "table.arrow"):
        write(read(any_sample), tmp_path / target)
    for make in (tables.words, tables.sentences, tables.arcs):
        wanted = make(any_sample)
        for source in (str(any_sample), tmp_path / "table.parquet", tmp_path / "table.arrow", read(any_sample)):
            assert make(source).to_pydict() == wanted.to_pydict()


def test_tables_of_pandas(sample: Path) -> None:
    pytest.importorskip("pandas")
    words = tables.words(sample, pandas=True)
    assert len(words) == 260
    assert str(words["head"].dtype) == "Int32"
    assert words["head"].isna().sum() == 4  # of empty nodes
    assert list(tables.sentences(sample, pandas=True)["form"].iloc[0]) == ["The", "kettle", "sings", "."]
    assert tables.arcs(sample, pandas=True)["probability"].isna().all()


def test_tables_without_pandas_say_how_to_install_it(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"pip install 'arctag\[pandas\]'"):
        tables.words(sample, pandas=True)


def test_tables_of_parsed_sentences_and_layers(sample: Path) -> None:
    first, *others = read(sample)
    more = first.with_layers({"dm": first.graph}, {"Ner": ["B", *["_"] * (first.size - 1)]})
    words, arcs = tables.words([more, *others]), tables.arcs([more, *others])
    assert words.column("Ner").to_pylist()[:2] == ["B", None]
    assert arcs.column("layer").to_pylist().count("dm") == len(first.graph)
    parsed = tables.words(arctag.load("en").parse("She wants to leave."))
    assert parsed.column("deprel").to_pylist() == ["nsubj", "root", "mark", "xcomp", "punct"]


def test_tables_of_nothing_have_their_columns() -> None:
    assert tables.words([]).column_names[:5] == ["doc_id", "sent_id", "sentence", "word", "id"]
    assert (len(tables.words([])), len(tables.arcs([])), len(tables.sentences([]))) == (0, 0, 0)


def test_tables_errors_are_those_of_reading(tmp_path: Path) -> None:
    (tmp_path / "bad.conllu").write_text("1\ta\n\n")
    with pytest.raises(FormatError, match=r"bad\.conllu:1: found 2 columns"):
        tables.words(tmp_path / "bad.conllu")
    pq.write_table(pa.table({"form": [["a", "b"]], "upos": [["X"]]}), tmp_path / "bad.parquet")
    with pytest.raises(FormatError, match=r"bad\.parquet:1: found 1 values in column upos"):
        tables.words(tmp_path / "bad.parquet")


def test_tables_answer_a_question_with_arrow_alone(sample: Path, tmp_path: Path) -> None:
    """What the page asks DuckDB, asked of Arrow."""
    words, arcs = tables.words(sample), tables.arcs(sample)
    joined = arcs.filter(pc.equal(arcs["relation"], "nsubj:xsubj")).join(
        words, ["sentence", "head"], ["sentence", "word"], right_suffix="_word"
    )
    assert sorted(joined["lemma"].to_pylist()) == ["happy", "leave", "open", "read", "wait"]
