"""`arctag parse` with tables: texts and sentences in, tables out, the same sentences as in any other format."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'arctag[arrow]'")
pq = pytest.importorskip("pyarrow.parquet")

from arctag.formats import pieces, read, write  # noqa: E402
from arctag.formats.columnar import reading, writing  # noqa: E402
from arctag.parsing import jobs  # noqa: E402
from tests.conftest import Run  # noqa: E402
from tests.patience import HANGS  # noqa: E402

Model = tuple[str, ...]
TEXTS = [{"id": f"d{i}", "body": f"She sang song {i}. He left."} for i in range(12)]
FIELDS = ("--text-field", "body", "--id-field", "id")


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with texts in two files."""
    monkeypatch.chdir(tmp_path)
    Path("texts").mkdir()
    for number, some in enumerate((TEXTS[:7], TEXTS[7:])):
        lines = "".join(json.dumps(text) + "\n" for text in some)
        Path(f"texts/{number}.jsonl").write_text(lines)
    return tmp_path


def rows(path: str | Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return found


def test_parse_tables_of_many_files_in_one(run: Run) -> None:
    files = ("texts/0.jsonl", "texts/1.jsonl")
    assert run("parse", *files, *FIELDS, "-o", "out.parquet").code == 0
    assert [row["doc_id"] for row in rows("out.parquet")] == [text["id"] for text in TEXTS for _ in range(2)]
    assert run("parse", *files, *FIELDS, "-o", "out.conllu").code == 0
    assert run("convert", "out.parquet").out == Path("out.conllu").read_bytes()


@pytest.mark.parametrize("to", ["parquet", "arrow"])
def test_parse_tables_in_a_folder(run: Run, to: str) -> None:
    assert run("parse", "texts", "-o", "out", "--to", to, *FIELDS).code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == [f"0.{to}", f"1.{to}"]
    assert run("parse", "texts", "-o", "out", "--to", to, *FIELDS, "--resume").code == 0
    again = run("parse", "texts", "-o", "out", "--to", to, *FIELDS)
    assert (again.code, "exists already" in again.err) == (2, True)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_parse_tables_of_sentences_are_parsed_as_graph_files_are(
    run: Run, model: Model, sample: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setattr(reading, "ROWS", 5)
    monkeypatch.setattr(jobs, "WORDS", 40)
    assert run("convert", sample, "in.parquet").code == 0
    plain = run("parse", sample, *model, "-o", "plain.conllu")
    table = run("parse", "in.parquet", *model, "-o", "out.conllu", "--workers", workers)
    assert (table.code, table.err) == (plain.code, plain.err)
    assert Path("out.conllu").read_bytes() == Path("plain.conllu").read_bytes()
    assert run("parse", "in.parquet", *model, "-o", "out.parquet", "--workers", workers).code == 0
    assert run("convert", "out.parquet").out == Path("plain.conllu").read_bytes()
    assert [row["doc_id"] for row in rows("out.parquet")] == [row["doc_id"] for row in rows("in.parquet")]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_parse_tables_know_the_documents_of_graph_files(
    run: Run, model: Model, sample: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setattr(pieces, "SIZE", 300)  # a document is in many chunks, and in many jobs
    monkeypatch.setattr(jobs, "WORDS", 20)
    assert run("convert", sample, "in.parquet").code == 0
    assert run("parse", sample, *model, "-o", "out.parquet", "--workers", workers).code == 0
    expected = [row["doc_id"] for row in rows("in.parquet")]
    assert [row["doc_id"] for row in rows("out.parquet")] == expected
    assert run("parse", sample, "other.conllu", *model, "-o", "both.parquet").code == 2  # there is no such file
    bare = "".join(f"{i}\t{word}{chr(9)}" + "\t".join("_" * 8) + "\n" for i, word in enumerate(["a", "b"], 1)) + "\n"
    Path("other.conllu").write_text(bare)
    assert run("parse", sample, "other.conllu", *model, "-o", "both.parquet").code == 0
    assert [row["doc_id"] for row in rows("both.parquet")] == [*expected, None]


@pytest.mark.parametrize("to", ["parquet", "arrow"])
def test_parse_tables_through_streams(run: Run, to: str) -> None:
    wanted = run("parse", "texts/0.jsonl", *FIELDS).out
    stream = run("parse", "-", "--format", "json", *FIELDS, "--to", to, stdin=Path("texts/0.jsonl").read_bytes()).out
    assert run("convert", "-", stdin=stream).out == wanted
    again = run("parse", "-", "--to", "conllu", stdin=stream)  # a table of sentences
    assert (again.code, again.out) == (0, wanted)
    texts = run("parse", "-", "--text-field", "text", "--id-field", "sent_id", stdin=stream)
    assert texts.code == 0
    assert texts.text.count("# newdoc id") == 14


def test_parse_tables_chosen_sentences(run: Run) -> None:
    assert run("parse", "texts/0.jsonl", *FIELDS, "--limit", "3", "-o", "out.parquet").code == 0
    assert [row["sent_id"] for row in rows("out.parquet")] == ["d0-p1-s1", "d0-p1-s2", "d1-p1-s1"]
    assert run("parse", "texts/0.jsonl", *FIELDS, "--sentence", "d1-p1-s2", "-o", "one.arrow").code == 0
    assert "d1-p1-s2" in run("convert", "one.arrow").text


def test_parse_tables_damaged_sentences_keep_their_lines(run: Run, model: Model, sample: Path) -> None:
    text = sample.read_text().replace("\n2\twants\t", "\n7\twants\t", 1)
    Path("damaged.conllu").write_text(text)
    plain = run("parse", "damaged.conllu", *model, "-o", "plain.conllu")
    table = run("parse", "damaged.conllu", *model, "-o", "out.parquet")
    assert (table.code, table.err) == (plain.code, plain.err) == (1, table.err)
    (row,) = [row for row in rows("out.parquet") if row["error"]]
    assert row["error"].startswith("damaged.conllu:13: found id 7")
    assert (row["form"], row["sent_id"], "\n7\twants\t" in row["lines"]) == ([], "sample-02", True)
    assert run("convert", "out.parquet").out == Path("plain.conllu").read_bytes()
    refused = run("score", sample, "out.parquet")
    assert refused.code == 2
    assert "out.parquet:2: found an error in place of a sentence (damaged.conllu:13: found id 7" in refused.err


def test_parse_tables_sentences_that_cannot_be_written_are_rows_with_errors(
    run: Run, model: Model, sample: Path
) -> None:
    """HEAD is not looked at for parsing; what is wrong there is found when the table is written."""
    Path("odd.conllu").write_text(sample.read_text().replace("\t2\tnsubj\t", "\tx\tnsubj\t", 1))
    result = run("parse", "odd.conllu", *model, "-o", "out.parquet")
    assert result.code == 1
    assert "sample-02: found head 'x'; expected a number" in result.err
    (row,) = [row for row in rows("out.parquet") if row["error"]]
    assert "\tx\tnsubj\t" in row["lines"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (("texts/0.jsonl", "-o", "out.parquet"), "no field text (there are id, body)"),
        (("texts/0.jsonl", "--text-field", "body", "--words-field", "w"), "name one of them"),
        (("A text.", "--text-field", "body"), "are for JSON lines and tables; no input is one"),
        (("table.parquet", "-o", "out.parquet"), "found no column text (there are id, body)"),
        (("table.parquet", "--text-field", "id"), "the type int64 in column id"),
        (("table.parquet", "--text-field", "body", "--id-field", "key"), "found no column key (there are id, body)"),
        (("texts/0.jsonl", *FIELDS, "-o", "out.parquet.gz"), "tables are compressed inside; leave out .gz"),
        (("texts/0.jsonl", *FIELDS, "--resume"), "--resume does nothing for standard output"),
        (("broken.parquet", "-o", "out.parquet"), "broken.parquet: found a table that cannot be read"),
    ],
)
def test_parse_tables_refuse_what_cannot_be_meant(run: Run, call: tuple[str, ...], message: str) -> None:
    pq.write_table(pa.table({"id": [1], "body": ["x"]}), "table.parquet")
    Path("broken.parquet").write_bytes(Path("table.parquet").read_bytes()[:-20])
    result = run("parse", *call)
    assert result.code == 2
    assert message in result.err
    assert not Path("out.parquet").exists()


def test_parse_tables_inputs_with_other_columns_need_a_table_each(
    run: Run, model: Model, sample: Path, sample_sdp: Path
) -> None:
    result = run("parse", sample, sample_sdp, *model, "-o", "out.parquet")
    assert result.code == 2
    assert "its inputs differ in their columns; write each to a file of its own" in result.err
    assert run("parse", sample, sample_sdp, *model, "-o", "out/", "--to", "parquet").code == 2  # both are called sample
    Path("other.sdp").write_bytes(sample_sdp.read_bytes())
    assert run("parse", sample, "other.sdp", *model, "-o", "out/", "--to", "parquet").code == 0


def test_parse_tables_without_a_sentence(run: Run) -> None:
    Path("nothing.txt").write_text(" \n")
    assert run("parse", "nothing.txt", "-o", "out.parquet").code == 0
    assert rows("out.parquet") == []
    refused = run("convert", "out.parquet")
    assert (refused.code, "no sentence (the table is empty)" in refused.err) == (2, True)


def test_parse_tables_have_row_groups(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "WORDS", 10)
    monkeypatch.setattr(writing, "_GROUP", 1)
    assert run("parse", "texts/0.jsonl", *FIELDS, "-o", "out.parquet").code == 0
    assert pq.ParquetFile("out.parquet").num_row_groups > 3
    assert len(rows("out.parquet")) == 14


KILLED = """
import os, signal, sys
from arctag.cli import main
from arctag.formats.columnar import transcoding
from arctag.formats.columnar.resumable import ResumableTable
from arctag.parsing import jobs
jobs.WORDS = 10
moment, count = sys.argv[1], 0

def killing(function, after):
    def call(*what):
        global count
        count += 1
        result = function(*what) if after else None
        if count == (3 if moment == "rows" else 1):
            os.kill(os.getpid(), signal.SIGKILL)
        return result if after else function(*what)
    return call

if moment == "rows":
    ResumableTable.add = killing(ResumableTable.add, True)
elif moment == "before the table":
    transcoding.transcode = killing(transcoding.transcode, False)
elif moment == "before the rename":
    transcoding.transcode = killing(transcoding.transcode, True)
elif moment == "after the rename":
    replace = os.replace
    killer = killing(replace, True)
    os.replace = lambda old, new: (killer if str(new).endswith("out.parquet") else replace)(old, new)
if __name__ == "__main__":
    main(sys.argv[2:])
"""


@pytest.mark.parametrize("moment", ["rows", "before the table", "before the rename", "after the rename"])
def test_parse_tables_can_be_resumed_whatever_the_moment_of_a_kill(run: Run, moment: str) -> None:
    Path("run.py").write_text(KILLED)
    call = ["parse", "texts/0.jsonl", "texts/1.jsonl", *FIELDS, "-o", "out.parquet", "--workers", "1"]
    done = subprocess.run([sys.executable, "run.py", moment, *call], timeout=HANGS)
    assert done.returncode == -signal.SIGKILL
    assert Path(".out.parquet.part").exists()
    assert Path("out.parquet").exists() == (moment == "after the rename")
    refused = run(*call)
    assert (refused.code, "continue it with --resume" in refused.err) == (2, True)
    assert run(*call, "--resume").code == 0
    assert run("parse", "texts/0.jsonl", "texts/1.jsonl", *FIELDS, "-o", "whole.parquet").code == 0
    assert rows("out.parquet") == rows("whole.parquet")
    assert [path.name for path in Path().iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("name", ["book.txt", "book.tok"])
def test_parse_tables_of_one_text_have_one_document(run: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "WORDS", 10)
    Path(name).write_text("She sang a song .\n\nHe left .\n\n" * 9)
    assert run("parse", name, "-o", "out.parquet", "--workers", "1").code == 0
    assert [row["doc_id"] for row in rows("out.parquet")] == ["book"] * 18


def test_parse_tables_keep_the_layers_that_they_have(run: Run, model: Model, sample: Path) -> None:
    sentences = [s.with_layers({"pas": s.graph}, {"Ner": ["O"] * s.size}) for s in read(sample) if not s.has_empty]
    write(sentences, "layers.parquet")
    table = pq.read_table("layers.parquet")
    form = table.schema.get_field_index("form")
    broken = [None, *table.column("form").to_pylist()[1:]]  # a first row without words, which has no layers
    pq.write_table(table.set_column(form, "form", pa.array(broken, table.schema.field("form").type)), "in.parquet")
    assert run("parse", "in.parquet", *model, "-o", "out.parquet").code == 1
    parsed = rows("out.parquet")[1:]
    assert [row["layers"]["Ner"] for row in parsed] == [["O"] * s.size for s in sentences[1:]]
    assert [row["layers"]["pas"]["relation"] for row in parsed] == [
        [relation for _, _, relation in s.graph.triples()] for s in sentences[1:]
    ]
