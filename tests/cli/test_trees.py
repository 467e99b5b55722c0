"""Encodings of trees on the command line: HEAD and DEPREL to labels and back, and what is no tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arctag.encodings import standard_names, tree_names
from tests.conftest import Run

PROJECTIVE = ("arcstandard", "arceager", "archybrid")


@pytest.mark.parametrize("name", tree_names())
def test_trees_are_encoded_and_decoded(name: str, run: Run, sample: Path, tmp_path: Path) -> None:
    labels, back = tmp_path / "labels", tmp_path / "back.conllu"
    told = run("encode", sample, "-e", name, "--layer", "tree", "-o", labels).err
    assert run("decode", labels, "--tree", "--like", sample, "-o", back).code == 0
    found, wanted = ([line.split("\t") for line in file.read_text().splitlines()] for file in (back, sample))
    wrong = [pair for pair in zip(found, wanted, strict=True) if pair[0] != pair[1]]
    assert all(one[:6] + one[7:] == other[:6] + other[7:] for one, other in wrong)  # another head, and nothing else
    lost = json.loads(run("diagnose", sample, "--encodings", name, "--json").out)["trees"][name]["arcs_left_out"]
    assert len(wrong) == lost
    assert told == (f"{name} does not cover {lost} arcs; in the labels their words have other heads\n" if lost else "")


def test_trees_are_decoded_without_a_treebank(run: Run, sample: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    run("encode", sample, "-e", "treebits7", "--layer", "tree", "--sentence", "sample-01", "-o", labels)
    rows = [line.split("\t") for line in run("decode", labels, "--tree").text.splitlines() if "\t" in line]
    assert [row[6:9] for row in rows] == [
        ["2", "det", "_"],
        ["3", "nsubj", "_"],
        ["0", "root", "_"],
        ["3", "punct", "_"],
    ]


def test_trees_what_is_none_is_named(run: Run, sample: Path) -> None:
    wrong = "sample-02: no tree, and this encoding is for trees only: word 1 has 2 heads (2, 4)"
    assert (
        run("encode", sample, "-e", "hexatag").err
        == f"arctag: {wrong}; `--layer tree` takes HEAD and DEPREL of CoNLL-U\n"
    )


@pytest.mark.parametrize(
    ("name", "labels", "heads", "repairs"),
    [
        ("relative", ["(1)", "(-1)", "(0)"], [3, 1, 0], 2),  # a cycle, and a word that is its own head
        ("absolute", ["(2,3)", "(0)", "()"], [2, 0, 2], 2),  # two heads, and none
        ("hexatag", ["ll>", "rr>", "r."], [2, 3, 0], 0),
    ],
)
def test_trees_are_made_of_any_labels(
    name: str, labels: list[str], heads: list[int], repairs: int, run: Run, tmp_path: Path
) -> None:
    rows = "".join(f"w{i}\t{label}\ta&b\n" if i == 0 else f"w{i}\t{label}\tc\n" for i, label in enumerate(labels))
    (tmp_path / "labels").write_text(f"# encoding = {name}\n{rows}\n", encoding="utf-8")
    result = run("decode", tmp_path / "labels", "--tree")
    cells = [line.split("\t") for line in result.text.splitlines() if "\t" in line]
    assert [int(row[6]) for row in cells] == heads
    assert all(row[7] != "_" for row in cells)
    assert result.err == f"{repairs + 1} repairs to ill-formed labels\n"  # and the second relation


def test_trees_go_to_their_columns_without_being_told(run: Run, sample: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    run("encode", sample, "-e", "hexatag", "--layer", "tree", "-o", labels)
    assert run("decode", labels, "--like", sample).out == sample.read_bytes()
    dropped = run("decode", labels, "--like", sample, "--no-tree")
    assert dropped.err == "lost: 4 empty nodes\n"
    assert dropped.out != sample.read_bytes()
    assert run("decode", labels, "--to", "sdp").code == 0


def test_trees_do_not_go_into_files_without_room_for_them(run: Run, sample_sdp: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    run("encode", sample_sdp, "-e", "bits6-4", "-o", labels)
    result = run("decode", labels, "--tree", "--like", sample_sdp)
    assert (result.code, result.err) == (2, f"arctag: {sample_sdp}:3: there is no tree in sdp files\n")


def test_trees_alone_are_diagnosed_where_deps_is_empty(run: Run, sample: Path, tmp_path: Path) -> None:
    lines = [line.split("\t") for line in sample.read_text(encoding="utf-8").splitlines()]
    text = "\n".join("\t".join([*row[:8], "_", row[9]]) if len(row) > 1 else row[0] for row in lines)
    (tmp_path / "plain.conllu").write_text(text + "\n", encoding="utf-8")
    shown = run("diagnose", tmp_path / "plain.conllu").text
    assert shown.startswith("DEPS is empty: these are the trees, HEAD and DEPREL\n")
    assert "\narcs\t256\n" in shown
    assert shown.splitlines()[-1].startswith("For trees use treebits7")


@pytest.mark.parametrize(("options", "word"), [(["--explain"], "--explain"), (["--to", "sdp"], "SDP")])
def test_trees_need_columns(options: list[str], word: str, run: Run, sample: Path) -> None:
    result = run("decode", sample, "--tree", *options)
    assert result.code == 2
    assert word in result.err


def test_trees_have_their_own_table_in_diagnose(run: Run, sample: Path) -> None:
    text = run("diagnose", sample).text
    tables = [part.splitlines() for part in text.split("\n\n") if "\tlabels\tUF" in part]
    assert [table[0].split("\t")[0] for table in tables] == ["encoding", "tree encoding"]
    assert [[row.split("\t")[0] for row in table[1:]] for table in tables] == [standard_names(), tree_names()]
    report = json.loads(run("diagnose", sample, "--json").out)
    assert [list(report[key]) for key in ("encodings", "trees")] == [standard_names(), tree_names()]
    assert report["left_out"] == {}
    assert text.splitlines()[-1] == (
        "For trees use treebits7: 17 labels cover 100.0% of the arcs (every sentence). It is what `arctag train` picks."
    )


def test_trees_as_the_main_graphs_are_diagnosed_with_all_encodings(run: Run, sample: Path) -> None:
    report = json.loads(run("diagnose", sample, "--layer", "tree", "--json").out)
    assert list(report["trees"]) == [*standard_names(), *tree_names()]
    assert report["encodings"] == {}
    assert report["recommendation"].startswith("For trees use treebits7")
    assert report["trees"]["hexatag"]["coverage"]["UF"] == 100
    assert all(report["trees"][name]["arcs_left_out"] == 3 for name in PROJECTIVE)
    some = json.loads(run("diagnose", sample, "--layer", "tree", "--encodings", "bits6-4,bits6-2", "--json").out)
    assert some["recommendation"].startswith("Of these for trees, use ")


def test_trees_in_deps_are_graphs_too(run: Run, sample: Path, tmp_path: Path) -> None:
    """Training picks another encoding for each."""
    plain = tmp_path / "trees.conllu"
    rows = [
        line.split("\t") for line in sample.read_text(encoding="utf-8").splitlines() if "." not in line.split("\t")[0]
    ]
    text = "\n".join("\t".join([*row[:8], f"{row[6]}:{row[7]}", row[9]]) if len(row) > 1 else row[0] for row in rows)
    plain.write_text(text.replace("_:_", "_") + "\n", encoding="utf-8")
    lines = json.loads(run("diagnose", plain, "--json").out)["recommendation"].splitlines()
    assert [line.split(":")[0] for line in lines] == ["Use bits6-4", "For trees use treebits7"]


def test_trees_are_left_out_of_diagnose_where_there_are_none(run: Run, sample_sdp: Path) -> None:
    report = json.loads(run("diagnose", sample_sdp, "--json").out)
    assert list(report["left_out"]) == ["pos", *tree_names()]
    assert run("diagnose", sample_sdp).text.count("\nleft out: ") == 2
    result = run("diagnose", sample_sdp, "--encodings", "hexatag")
    assert result.err == "arctag: sample-01: no tree, and this encoding is for trees only: word 1 has no head\n"


def test_trees_are_measured_with_all_encodings(run: Run, sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arctag.analysis.bench_encodings.best_of", lambda action: float(action() is not None))
    found = json.loads(run("bench", "encodings", sample, "--layer", "tree", "--lengths", "--json").out)
    assert list(found["encodings"]) == list(found["lengths"]) == [*standard_names(), *tree_names()]
    assert list(json.loads(run("bench", "encodings", sample, "--json").out)["encodings"]) == standard_names()
