"""PoS-relative labels on the command line: tags come from files, and go into label files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arctag import drop, read
from arctag.encodings import encoding
from arctag.encodings.upos import UPOS, tag_numbers
from tests.conftest import Run


@pytest.fixture
def blank(sample: Path, tmp_path: Path) -> Path:
    """The sample without tags."""
    lines = [line.split("\t") for line in sample.read_text(encoding="utf-8").splitlines()]
    text = "\n".join("\t".join([*line[:3], "_", *line[4:]]) if len(line) > 1 else line[0] for line in lines)
    path = tmp_path / "blank.conllu"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def test_pos_label_files_have_the_tags(run: Run, sample: Path) -> None:
    lines = run("encode", sample, "-e", "pos").text.splitlines()
    assert lines[0] == "# encoding = pos"
    rows = [line.split("\t") for line in lines if "\t" in line]
    words = [(word, tag) for s in map(drop, read(sample)) for word, tag in zip(s.words, s.tags, strict=True)]
    assert [(row[0], row[3]) for row in rows] == words
    assert {len(row) for row in rows} == {4}
    assert rows[0][:3] == ["The", "NOUN+1", "det"]


def test_pos_labels_are_decoded_without_the_treebank_and_like_it(run: Run, sample: Path, tmp_path: Path) -> None:
    labels = tmp_path / "sample.labels"
    assert run("encode", sample, "-e", "pos", "-o", labels).err == ""
    alone, like = (run("decode", labels, *options) for options in ([], ["--like", sample]))
    assert (alone.code, alone.err, like.code, like.err) == (0, "", 0, "lost: 4 empty nodes\n")
    for result in (alone, like):
        (tmp_path / "back.conllu").write_bytes(result.out)
        for before, after in zip(map(drop, read(sample)), read(tmp_path / "back.conllu"), strict=True):
            assert before.graph == after.graph


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a\tX+1\n", "found 2 columns; expected form, label, relations and UPOS tag, which pos needs"),
        ("a\tX+1\t_\tNN\n", "found tag 'NN'; expected one of ADJ, ADP"),
        ("a\tX1\t_\tX\n", "found label 'X1'; expected a label of pos: one looks like 'VERB+1,NOUN-2'"),
        ("a\tX+1\t_\tX\t_\t_\n", "found 6 columns"),
    ],
)
def test_pos_label_files_without_tags_are_refused(rows: str, message: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.labels"
    path.write_text(f"# encoding = pos\nb\tROOT-1\t_\tNOUN\n\n{rows}\n", encoding="utf-8")
    result = run("decode", path)
    assert result.code == 2
    assert f"bad.labels:4: {message}" in result.err


@pytest.mark.parametrize("kind", ["blank", "sdp"])
def test_pos_needs_a_file_with_tags(kind: str, run: Run, blank: Path, sample_sdp: Path) -> None:
    result = run("encode", blank if kind == "blank" else sample_sdp, "-e", "pos")
    assert result.code == 2
    assert result.err.startswith("arctag: pos needs the UPOS column: sample-01: ")


def test_pos_is_explained_with_the_tags_of_the_file(run: Run, sample: Path, tmp_path: Path) -> None:
    text = run("encode", sample, "-e", "pos", "--sentence", "sample-01", "--explain").text
    assert "the 1st NOUN to the right is a head: word 2" in text
    assert ", 0 repairs" in text
    labels = tmp_path / "labels"
    run("encode", sample, "-e", "pos", "-o", labels)
    assert ", 0 repairs" in run("decode", labels, "--sentence", "sample-01", "--explain").text
    [record] = run("encode", sample, "-e", "pos", "--sentence", "sample-01", "--explain", "--json").text.splitlines()
    assert json.loads(record)["labels"][0] == "NOUN+1"


def test_pos_as_json_has_the_tags(run: Run, sample: Path) -> None:
    record = json.loads(run("encode", sample, "-e", "pos", "--json").text.splitlines()[0])
    sentence = next(iter(read(sample)))
    assert record["tags"] == sentence.tags
    assert record["labels"] == [list(row) for row in encoding("pos").encode(sentence.graph, tag_numbers(sentence.tags))]
    assert set(sentence.tags) <= set(UPOS)


def test_diagnose_counts_labels_with_tags(run: Run, sample: Path) -> None:
    report = json.loads(run("diagnose", sample, "--encodings", "pos,relative", "--json").text)
    assert report["left_out"] == {}
    assert report["encodings"]["pos"]["coverage"]["UF"] == 100.0
    assert report["encodings"]["pos"]["labels"] < report["encodings"]["relative"]["labels"]
    assert "pos" in json.loads(run("diagnose", sample, "--json").text)["encodings"]


def test_diagnose_leaves_out_what_needs_tags(run: Run, blank: Path, sample_sdp: Path) -> None:
    for path in (blank, sample_sdp):
        text = run("diagnose", path).text
        assert "\nleft out: pos: pos needs the UPOS column: sample-01: " in text
        assert "\npos\t" not in text
        result = run("diagnose", path, "--encodings", "pos")
        assert (result.code, result.err[:37]) == (2, "arctag: pos needs the UPOS column: sa")


def test_bench_takes_tags_where_there_are_any(run: Run, sample: Path, sample_sdp: Path) -> None:
    for path in (sample, sample_sdp):
        assert run("bench", "encodings", path, "--encodings", "pos", "--lengths").code == 0
