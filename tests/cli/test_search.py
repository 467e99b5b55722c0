"""`arctag search`: lines, counts, files, and errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arctag
from arctag.search import search
from tests.conftest import Run


def test_search_prints_a_line_for_each_sentence(run: Run, sample: Path, sample_sdp: Path) -> None:
    result = run("search", "cat", sample)
    assert (result.text, result.err) == ("sample-04\tThe [cat] that I fed purred .\n", "1 match in 1 of 34 sentences\n")
    several = run("search", "kettle", sample, sample_sdp).text.splitlines()
    assert [line.split("\t")[0] for line in several] == [str(sample), str(sample_sdp)]


def test_search_writes_the_sentences_as_they_are(run: Run, sample: Path, tmp_path: Path) -> None:
    target = tmp_path / "found.conllu"
    result = run("search", "sent_id=sample-04|sample-08", sample, "-o", target)
    assert result.err == "2 matches in 2 of 34 sentences\n"
    blocks = sample.read_text("utf-8").split("\n\n")
    assert target.read_text("utf-8") == f"{blocks[3]}\n\n{blocks[7]}\n\n"
    assert run("search", "sent_id=sample-04", sample, "--to", "conllu").text == f"{blocks[3]}\n\n"


def test_search_counts(run: Run, sample: Path, sample_sdp: Path) -> None:
    rows = [line.split("\t") for line in run("search", "rel=nsubj", sample, sample_sdp, "--count").text.splitlines()]
    assert rows[0] == ["file", "sentences", "with matches", "matches"]
    assert [int(row[1]) for row in rows[1:]] == [34, 18]
    assert rows[2][2:] == ["0", "0"]
    counted = json.loads(run("search", "rel=nsubj", sample, sample_sdp, "--count", "--json").text)
    assert counted["matches"] == int(rows[1][3])
    assert [file["read"] for file in counted["files"]] == [34, 18]


def test_search_counts_by_a_key(run: Run, sample: Path) -> None:
    lines = run("search", "v:[upos=VERB] >obj n:[]", sample, "--count-by", "n.upos").text.splitlines()
    assert lines[0] == "n.upos\tmatches"
    assert dict(line.split("\t") for line in lines)["NOUN"] > "1"
    found = json.loads(run("search", "[upos=VERB]", sample, "--count-by", "lemma", "--json").text)
    assert sum(found["counts"].values()) == found["matches"]


def test_search_gives_json(run: Run, sample: Path) -> None:
    found = json.loads(run("search", "h:[form=leave] >nsubj:xsubj d:[]", sample, "--json").text)
    (hit,) = found["hits"]
    assert hit["id"] == "sample-02"
    assert hit["matches"] == [{"words": [4, 1], "names": {"h": 4, "d": 1}, "arcs": [["graph", 4, 1]]}]
    assert (found["sentences"], found["read"]) == (1, 34)


def test_search_another_layer_and_a_limit(run: Run, sample: Path) -> None:
    assert run("search", "rel=nsubj:xsubj", sample, "--layer", "tree").text == ""
    limited = run("search", "[]", sample, "--limit", "3")
    assert len(limited.text.splitlines()) == 3
    assert " in 3 of 3 sentences" in limited.err


def test_search_refuses(run: Run, sample: Path, tmp_path: Path) -> None:
    cases: list[tuple[list[str | Path], str]] = [
        (["[upos=VERB", sample], "arctag: pattern, character 11: a [ is not closed: ] is missing\n"),
        (["cat", tmp_path / "absent.conllu"], "absent.conllu"),
        (["cat", sample, "-o", sample], "is an input"),
        (["cat", sample, "-o", tmp_path / "x.png"], ".png is no graph format"),
        (["cat", sample, "--count", "-o", tmp_path / "x.conllu"], "choose one of"),
        (["colour=red", sample], "there is no column colour"),
        (["cat", sample, "--count-by", "x.lemma"], "unknown name of a word"),
        (["cat"], "Missing argument"),
    ]
    for arguments, message in cases:
        result = run("search", *arguments)
        assert result.code == 2, arguments
        assert message in result.err
    assert not (tmp_path / "x.conllu").exists()


def test_search_reads_standard_input(run: Run, sample: Path) -> None:
    assert run("search", "cat", "-", stdin=sample.read_bytes()).text.startswith("sample-04")


def test_search_in_a_large_file(run: Run, shared: Path) -> None:
    """Each sentence once, from the command line as from Python."""
    path = shared / "data" / "en_ewt" / "dev.conllu"
    if not path.is_file():
        pytest.skip(f"not found: {path}")
    found = json.loads(run("search", "[upos=VERB] >nsubj []", path, "--count", "--json").text)
    assert found["matches"] == len(list(search(arctag.read(path), "[upos=VERB] >nsubj []")))
    assert found["read"] == 2002
