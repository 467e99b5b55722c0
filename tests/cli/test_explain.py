"""`--explain`: labels and their decoding in words, from `arctag encode`, `decode` and `encodings`."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from arctag import drop, read
from arctag.cli.explained import Page, show_graph
from arctag.encodings import encoding, standard_names
from arctag.encodings.upos import tag_numbers
from arctag.graph import Graph
from tests.conftest import Run
from tests.encodings.neighbours import registered


@pytest.mark.parametrize("name", [*standard_names(), "brackets-6", "bits4-6", "bits6-6"])
def test_explain_a_sentence(name: str, run: Run, sample: Path) -> None:
    result = run("encode", sample, "-e", name, "--sentence", "2", "--explain")
    assert result.code == 0
    sentence = list(map(drop, read(sample)))[1]
    title, labels, steps = re.split(r"^word\t.*\n", result.text, flags=re.MULTILINE)
    assert title == f"# {sentence.id}\n"
    rows = [line.split("\t") for line in labels.splitlines() if "\t" in line]
    made = encoding(name)
    encoded = made.encode(sentence.graph, tag_numbers(sentence.tags))
    assert list(dict.fromkeys((row[0], row[1]) for row in rows)) == [
        (f"{i} {word}", made.format(row)) for i, (word, row) in enumerate(zip(sentence.words, encoded, strict=True), 1)
    ]
    kept = int(made.covers(sentence.graph).sum())
    assert f"\n{kept} of {len(sentence.graph)} arcs covered\n" in labels
    assert steps.endswith(f"\n{kept} arcs, 0 repairs\n\n")
    assert all(len(line.split("\t")) == 4 for line in steps.splitlines()[:-2])


@pytest.mark.parametrize("name", ["hierarchical", "brackets-3", "bits4-4", "relative"])
def test_explain_a_label_file_as_its_treebank(name: str, run: Run, sample: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    run("encode", sample, "-e", name, "-o", labels)
    result = run("decode", labels, "--explain", "--sentence", "2")
    assert result.code == 0
    told = run("encode", sample, "-e", name, "--sentence", "2", "--explain").text
    title, _, steps = re.split(r"^word\t.*\n", told, flags=re.MULTILINE)
    assert re.sub(r"^word\t.*\n", "", result.text, flags=re.MULTILINE) == title + steps
    only = run("decode", labels, "--sentence", "2").text
    assert only.count("# sent_id") == 1
    assert run("decode", labels).text.count("# sent_id") > 1


def test_explain_labels_that_need_repairs(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text("# encoding = hierarchical\na\t[\nb\t]<\nc\t]<\n\n", encoding="utf-8")
    told = run("decode", path, "--explain").text
    assert re.search(r"\d+ arcs?, [1-9]\d* repairs?\n", told)
    refused = run("decode", path, "--explain", "--like", path)
    assert refused.code == 2
    assert "--like goes with all sentences" in refused.err
    assert "leave out --to" in run("decode", path, "--explain", "--to", "sdp").err


def test_explain_every_sentence_by_id_or_number(run: Run, sample: Path) -> None:
    ids = [sentence.id for sentence in read(sample)]
    result = run("encode", sample, "-e", "relative", "--explain", "--sentence", "3", "--sentence", ids[0])
    assert re.findall(r"^# (.*)$", result.text, re.MULTILINE) == [ids[0], ids[2]]
    assert re.findall(r"^# (.*)$", run("encode", sample, "-e", "relative", "--explain").text, re.MULTILINE) == ids


def test_explain_says_what_is_left_out(run: Run) -> None:
    result = run("encodings", "bits6-2", "--explain")
    assert "7 of 8 arcs covered\n4→5 is left out: plane 1: word 5 has a head to its left there already" in result.text
    assert result.text.endswith("7 arcs, 0 repairs\n")


def test_explain_writes_a_file(run: Run, sample: Path, tmp_path: Path) -> None:
    arguments = ("encode", sample, "-e", "brackets-2", "--explain", "--sentence", "1")
    assert run(*arguments, "-o", tmp_path / "out.txt").out == b""
    assert (tmp_path / "out.txt").read_bytes() == run(*arguments).out


def test_encode_sentence_needs_no_explanation(run: Run, sample: Path) -> None:
    everything = run("encode", sample, "-e", "absolute").text.split("\n\n")
    second = run("encode", sample, "-e", "absolute", "--sentence", "2").text
    assert second == f"# encoding = absolute\n{everything[1]}\n\n"


def test_encode_refuses_a_sentence_that_is_not_there(run: Run, sample: Path) -> None:
    result = run("encode", sample, "--sentence", "1", "--sentence", "nowhere")
    assert (result.code, result.err) == (2, "arctag: no sentence with the id or number nowhere\n")


def test_explain_as_json(run: Run, sample: Path) -> None:
    [line] = run("encode", sample, "-e", "bits4-2", "--sentence", "1", "--explain", "--json").text.splitlines()
    value = json.loads(line)
    sentence = drop(next(iter(read(sample))))
    assert (value["id"], value["encoding"], value["words"]) == (sentence.id, "bits4-2", sentence.words)
    made = encoding("bits4-2")
    assert value["labels"] == [made.format(row) for row in made.encode(sentence.graph)]
    arcs = {(arc["head"], arc["dependent"]) for step in value["steps"] for arc in step["new_arcs"]}
    assert arcs == sentence.graph.restricted(made.covers(sentence.graph)).arc_set()
    nulls = [arc for step in value["steps"] for arc in step["null_arcs"]]
    assert sorted(map(str, nulls)) == sorted(map(str, value["null_arcs"])) != []


def test_encodings_decodes_labels(run: Run) -> None:
    result = run("encodings", "brackets-1", "<", "\\/", ">")
    assert result.text == "word\theads\tlabel\nw1\t2\t<\nw2\t-\t\\/\nw3\t2\t>\n2 arcs, 0 repairs\n"
    value = json.loads(run("encodings", "brackets-1", "<", "/", "--json").text)
    assert value == {"name": "brackets-1", "labels": ["<", "/"], "arcs": [], "repairs": 2}


def test_encodings_explains_labels_that_do_not_fit(run: Run) -> None:
    result = run("encodings", "hierarchical", "[", "]<", "]<", "--explain")
    assert result.code == 0
    assert "Repair: ']<' finds the root, which cannot have a head." in result.text
    assert result.text.endswith("1 arc, 1 repair\n")
    value = json.loads(run("encodings", "hierarchical", "[", "]<", "--explain", "--json").text)
    assert [step["word"] for step in value["steps"]] == [None, 1, 2]


def test_encodings_explains_the_example_as_json(run: Run) -> None:
    value = json.loads(run("encodings", "bits6-2", "--explain", "--json").text)
    assert value["covered"] == 7
    assert value["explained"]["labels"] == value["labels"]
    assert value["explained"]["steps"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("encodings", "--explain"), "--explain needs the NAME of an encoding"),
        (("encodings", "bits6-1", "1"), "'1' is not a label of bits6-1; one looks like '110001'"),
        (("encodings", "bits9-1", "1", "--explain"), "unknown encoding 'bits9-1'"),
    ],
)
def test_explain_refuses(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.code == 2
    assert message in result.err


def test_explain_refuses_encodings_it_does_not_know_inside(run: Run) -> None:
    with registered():
        assert run("encodings", "toy", "01", "10").text.endswith("2 arcs, 0 repairs\n")
        result = run("encodings", "toy", "01", "--explain")
    assert result.code == 2
    assert "toy cannot be shown step by step" in result.err


class Terminal(io.StringIO):
    """A terminal, as far as one can tell."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_explain_on_a_terminal_is_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Square brackets are labels and no markup, repeated cells are blank, and words cannot command the terminal."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    out = Terminal()
    show_graph(Page(out), encoding("hierarchical"), Graph(2, [(1, 2, "_"), (0, 1, "_")]), ["[b]\x1b[2J", "[/b]"])
    text = out.getvalue()
    assert "\x1b[2J" not in text
    assert "1 [b]\ufffd[2J" in text
    assert "2 [/b]" in text
    assert re.search(r"^ +1 \[b\]\S+ +\]>\[ +\]> +0→1: closes the structural span 0–1 *$", text, re.MULTILINE)
    assert re.search(r"^ +\[ +1→2: opens the structural span 1–2 *$", text, re.MULTILINE)
    assert max(map(len, text.splitlines())) <= 100
