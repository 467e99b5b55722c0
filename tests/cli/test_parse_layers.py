"""`arctag parse --layers`: what is asked for is written, and every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arctag import drop, read, write
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from tests.conftest import Run
from tests.draw.pictured import arcs, parsed
from tests.networks import Models, fit, small

TAGGED = (("Ann", "B"), ("sings", "O"), ("in", "O"), ("Rome", "B"))
COLUMNS = {"lemma": {2}, "upos": {3}, "xpos": {4}, "feats": {5}, "tree": {6, 7}, "graph": {8}}


@pytest.fixture
def words(tmp_path: Path, sample: Path) -> Path:
    """The sample without empty nodes, which a parse does not have."""
    path = tmp_path / "words.conllu"
    write(map(drop, read(sample)), path)
    return path


def changed(before: bytes, after: bytes) -> set[int]:
    """The columns in which two files differ; nothing else may."""
    found = set()
    for old, new in zip(before.splitlines(), after.splitlines(), strict=True):
        if old[:1].isdigit():
            cells = list(zip(old.split(b"\t"), new.split(b"\t"), strict=True))
            found |= {number for number, (one, other) in enumerate(cells) if one != other}
        else:
            assert old == new
    return found


@pytest.mark.parametrize("layers", [*COLUMNS, "upos,lemma", "tree graph", ",".join(COLUMNS)])
def test_parse_layers_replace_their_columns_alone(run: Run, models: Models, words: Path, layers: str) -> None:
    names = layers.replace(",", " ").split()
    result = run("parse", words, "-m", models("full"), "--device", "cpu", "--layers", layers)
    assert (result.code, result.err) == (0, "")
    assert changed(words.read_bytes(), result.out) == set[int]().union(*(COLUMNS[name] for name in names))
    parser = load(models("full"), "cpu")
    expected = parser.parse(words, ParseOptions(layers=tuple(names)))
    write(expected, words.with_name("expected.conllu"))
    assert result.out == words.with_name("expected.conllu").read_bytes()


def test_parse_layers_are_the_graph_for_graph_files_and_all_for_words(run: Run, models: Models, words: Path) -> None:
    model = ("-m", models("full"), "--device", "cpu")
    assert changed(words.read_bytes(), run("parse", words, *model).out) == {8}
    assert changed(words.read_bytes(), run("parse", words, *model, "--tree").out) == {6, 7, 8}
    value = json.loads(run("parse", "-", "--format", "tokens", *model, "--to", "json", stdin=b"She sings .\n").text)
    assert {"tags", "lemmas", "xpos", "tree", "arcs"} <= set(value)
    some = run("parse", "-", "--format", "tokens", *model, "--layers", "lemma", "--to", "json", stdin=b"She sings .\n")
    assert set(json.loads(some.text)) == {"id", "text", "words", "lemmas", "arcs"}
    assert json.loads(some.text)["lemmas"] == value["lemmas"]


def test_parse_layers_tree_that_is_in_the_graph_brings_the_graph(run: Run, models: Models, words: Path) -> None:
    model = ("-m", models("verified"), "--device", "cpu")
    tree = run("parse", words, *model, "--layers", "tree")
    assert tree.out == run("parse", words, *model, "--layers", "tree,graph").out
    assert tree.out == run("parse", words, *model, "--tree").out


def test_parse_layers_without_a_graph(run: Run, models: Models, words: Path) -> None:
    result = run("parse", words, "-m", models("tags"), "--device", "cpu")
    assert (result.code, result.err) == (0, "")
    assert changed(words.read_bytes(), result.out) == {2, 3}


@pytest.mark.parametrize("layer", ["dm", "tree"])
def test_parse_layers_one_of_them_is_drawn_from_words_and_from_graph_files(
    run: Run, models: Models, words: Path, layer: str
) -> None:
    model = ("-m", models("further"), "--device", "cpu")
    plain = words.with_suffix(".tokens")
    plain.write_text("The kettle sings .\n", encoding="utf-8")  # the first sentence of the sample
    value = json.loads(run("parse", plain, *model, "--to", "json").text)
    edges = [(edge["head"], i, edge["relation"]) for i, edge in enumerate(value["tree"], 1)]
    if layer == "dm":
        edges = [(a["head"], a["dependent"], " + ".join(a["relations"])) for a in value["layers"]["dm"]["arcs"]]
    for source, *options in ((plain,), (words, "--tree", "--limit", "1")):
        picture = run("parse", source, *options, *model, "--layer", layer, "--to", "svg").text
        drawn = [
            [arc.get(f"data-{key}", "") for key in ("head", "dependent", "relation")] for arc in arcs(parsed(picture))
        ]
        assert sorted((int(head), int(dependent), name) for head, dependent, name in drawn) == sorted(edges)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (("--layers", "upos,dm"), "unknown layer 'upos'. Known: graph, tree"),
        (("--layers", "graph", "--tree"), "--tree does nothing beside --layers: name tree there"),
    ],
)
def test_parse_layers_that_make_no_sense_are_refused_before_anything_is_written(
    run: Run, model: tuple[str, ...], words: Path, options: tuple[str, ...], line: str
) -> None:
    result = run("parse", words, *model, *options, "-o", words.with_name("out.conllu"))
    assert (result.code, result.err) == (2, f"arctag: {line}\n")
    assert [path.name for path in words.parent.iterdir()] == ["words.conllu"]


def test_parse_layers_are_the_same_when_a_run_is_resumed(run: Run, models: Models, words: Path) -> None:
    from arctag.cli import parse
    from arctag.parsing.workers import run_jobs

    out = words.with_name("out.conllu")
    call = ("parse", words, "-m", models("full"), "--device", "cpu", "-o", out)

    def interrupted(*arguments: Any) -> Iterator[Any]:
        yield from run_jobs(*arguments)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parse, "run_jobs", interrupted)
        assert run(*call, "--layers", "upos").code == 130
    other = run(*call, "--layers", "upos,lemma", "--resume")
    assert other.code == 2
    assert "cannot resume" in other.err
    assert run(*call, "--layers", "upos", "--resume").code == 0
    assert changed(words.read_bytes(), out.read_bytes()) == {3}


def test_parse_layers_are_in_the_help(run: Run) -> None:
    assert "--layers NAMES" in run("parse", "--help").text


@pytest.mark.usefixtures("one_thread")
def test_parse_layers_tags_in_misc_replace_their_own_key(run: Run, tmp_path: Path) -> None:
    file, model = tmp_path / "in.conllu", tmp_path / "model"
    rows = [f"{i}\t{word}\t_\t_\t_\t_\t_\t_\t_\tNER={tag}|SpaceAfter=No" for i, (word, tag) in enumerate(TAGGED, 1)]
    file.write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    fit(small(model, train=(str(file),), dev=(str(file),), layers=("entities=MISC:NER",), epochs=1))
    result = run("parse", file, "-m", model, "--device", "cpu", "--layers", "entities")
    assert (result.code, result.err) == (0, "")
    assert changed(file.read_bytes(), result.out) <= {9}
    for line in result.text.splitlines()[: len(TAGGED)]:
        assert line.split("\t")[9] in {"NER=B|SpaceAfter=No", "NER=O|SpaceAfter=No"}
    right = [
        line.split("\t")[9].startswith(f"NER={tag}|")
        for line, (_, tag) in zip(result.text.splitlines(), TAGGED, strict=False)
    ]
    report = json.loads(run("evaluate", file, "-m", model, "--device", "cpu", "--json").text)
    assert report["tags"] == {"entities": 100 * sum(right) / len(TAGGED)}
    assert f"accuracy of entities: {report['tags']['entities']:.2f}" in run("evaluate", file, "-m", model).text


def test_parse_layers_that_are_none_are_refused(run: Run, models: Models) -> None:
    result = run("parse", "She sings.", "-m", models("full"), "--layers", ",")
    assert (result.code, result.out) == (2, b"")
    assert "--layers names no layer" in result.err
