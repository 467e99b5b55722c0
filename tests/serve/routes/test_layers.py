"""Layers in the service: what is asked for is predicted, over its own API and over UDPipe's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arctag.draw import svg
from arctag.formats.json_lines import sentence_json
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.transforms import with_main
from tests.conftest import Run
from tests.networks import Models
from tests.serve.servers import Running, error, running

TEXT = "She wants to leave. The dog barked!"
NAMES = ("upos", "xpos", "feats", "lemma", "tree", "graph")


@pytest.fixture(scope="module")
def full(models: Models) -> Parser:
    """A parser of all layers."""
    return load(models("full"), "cpu")


@pytest.fixture(scope="module")
def layered(models: Models, full: Parser) -> Iterator[Running]:
    """A server with it, and with models of fewer layers."""
    few = {"graph": load(models("verified"), "cpu"), "tags": load(models("tags"), "cpu")}
    with running({"full": full, **few, "further": load(models("further"), "cpu")}) as found:
        yield found


def process(server: Running, **fields: str) -> list[list[str]]:
    """The rows that UDPipe's route answers with."""
    answer = server.get("/process", params={"data": TEXT, "tokenizer": "", **fields})
    assert answer.status_code == 200, answer.text
    return [line.split("\t") for line in answer.json()["result"].splitlines() if line[:1].isdigit()]


def filled(rows: list[list[str]]) -> set[int]:
    """The columns that hold something, MISC aside."""
    return {number for row in rows for number in range(2, 9) if row[number] != "_"}


def test_layers_of_text_are_all_predicted_by_default(layered: Running, full: Parser) -> None:
    sentences = layered.post("/api/parse", {"text": TEXT}).json()["sentences"]
    assert sentences == [sentence_json(sentence) for sentence in full.parse_text(TEXT)]
    assert {"tags", "lemmas", "xpos", "tree"} <= set(sentences[0])


@pytest.mark.parametrize(
    ("layers", "keys"),
    [(["upos"], {"tags"}), (["lemma", "tree"], {"lemmas", "tree"}), (["graph"], set()), ([], set())],
)
def test_layers_that_are_named_are_predicted_alone(
    layered: Running, full: Parser, layers: list[str], keys: set[str]
) -> None:
    value = layered.post("/api/parse", {"text": TEXT, "layers": layers}).json()["sentences"][0]
    assert set(value) - {"id", "text", "words", "arcs"} == keys
    whole = sentence_json(next(full.parse_text(TEXT)))
    assert all(value[key] == whole[key] for key in keys)
    assert value["arcs"] == (whole["arcs"] if "graph" in layers else [])


def test_layers_of_a_graph_file_are_the_graph_unless_named(layered: Running, full: Parser, sample: Path) -> None:
    body: dict[str, Any] = {"graphs": sample.read_text(encoding="utf-8")}
    own = layered.post("/api/parse", body).json()["sentences"]
    named = layered.post("/api/parse", {**body, "layers": ["upos"]}).json()["sentences"]
    for which, options in ((own, ParseOptions()), (named, ParseOptions(layers=("upos",)))):
        assert [one.get("tags") for one in which] == [s.tags for s in full.parse(sample, options)]
    assert [one["lemmas"] for one in named] == [one["lemmas"] for one in own]


def test_layers_that_a_model_does_not_have_are_listed(layered: Running) -> None:
    answer = layered.post("/api/parse", {"text": TEXT, "layers": ["upos"], "model": "graph"})
    assert (answer.status_code, error(answer)) == (400, "unknown layer 'upos'. Known: graph, tree")


def test_layers_of_models_are_listed(layered: Running) -> None:
    listed = {one["name"]: list(one["layers"]) for one in layered.get("/api/models").json()["models"]}
    assert {name: set(layers) for name, layers in listed.items()} == {
        "full": set(NAMES), "graph": {"graph", "tree"}, "tags": {"upos", "lemma"},
        "further": {"upos", "tree", "graph", "dm"},
    }  # fmt: skip


def test_layers_of_answers_can_be_converted(layered: Running, full: Parser) -> None:
    sentences = layered.post("/api/parse", {"text": TEXT}).json()["sentences"]
    text = layered.post("/api/convert", {"sentences": sentences, "to": "conllu"}).json()["text"]
    rows = [line.split("\t")[:9] for line in text.splitlines() if line[:1].isdigit()]
    assert rows == [row[:9] for row in process(layered, tagger="", parser="")]
    broken = {**sentences[0], "lemmas": ["she"]}
    answer = layered.post("/api/convert", {"sentences": [broken], "to": "conllu"})
    assert (answer.status_code, error(answer)) == (400, "sentence 1: 5 words but 1 lemmas")


@pytest.mark.parametrize(
    ("fields", "columns"),
    [
        ({}, set()),
        ({"tagger": ""}, {2, 3, 4, 5}),
        ({"parser": ""}, {6, 7, 8}),
        ({"tagger": "", "parser": ""}, {2, 3, 4, 5, 6, 7, 8}),
        ({"tagger": "", "parser": "", "model": "graph"}, {6, 7, 8}),
        ({"tagger": "", "parser": "", "model": "tags"}, {2, 3}),
    ],
)
def test_layers_of_udpipe_are_its_components(layered: Running, fields: dict[str, str], columns: set[int]) -> None:
    assert filled(process(layered, **fields)) == columns


def test_layers_as_components_are_listed_for_udpipe(layered: Running) -> None:
    assert layered.get("/models").json()["models"] == {
        "full": ["tokenizer", "tagger", "parser"],
        "graph": ["tokenizer", "parser"],
        "tags": ["tokenizer", "tagger"],
        "further": ["tokenizer", "tagger", "parser"],
    }


def test_layers_are_drawn(layered: Running, models: Models, sample: Path) -> None:
    parser = load(models("further"), "cpu")
    body: dict[str, Any] = {"text": TEXT, "model": "further", "svg": True}
    whole = list(parser.parse_text(TEXT))
    for layer in ("graph", "tree", "dm"):
        found = layered.post("/api/parse", {**body, "layer": layer}).json()["sentences"]
        assert [one["svg"] for one in found] == [svg(s if layer == "graph" else with_main(s, layer)) for s in whole]
        assert all(one["arcs"] == sentence_json(s)["arcs"] for one, s in zip(found, whole, strict=True))
    body = {"graphs": sample.read_text(encoding="utf-8"), "model": "further", "svg": True, "layer": "dm"}
    (first, *_) = layered.post("/api/parse", body).json()["sentences"]
    expected = next(parser.parse(sample, ParseOptions(also=("dm",))))
    assert first["svg"] == svg(with_main(expected, "dm"))


@pytest.mark.parametrize(
    ("fields", "status", "line"),
    [
        ({"layer": "tree"}, 422, "layer names what is drawn: it needs svg"),
        ({"layer": "tree", "svg": True, "layers": ["graph"]}, 422, "layer 'tree' is not among layers"),
        ({"layer": "upos", "svg": True}, 400, "layer 'upos' has no arcs to draw"),
        ({"layer": "dm", "svg": True}, 400, "unknown layer 'dm'. Known: feats, graph, lemma, tree, upos, xpos"),
    ],
)
def test_layers_that_cannot_be_drawn_are_refused(
    layered: Running, fields: dict[str, Any], status: int, line: str
) -> None:
    answer = layered.post("/api/parse", {"text": TEXT, **fields})
    assert error(answer, status) == line


def test_layers_are_in_rows_as_in_a_file(layered: Running, run: Run, models: Models, tmp_path: Path) -> None:
    answer = layered.post("/api/parse", {"text": TEXT, "model": "further", "rows": True}).json()
    assert run("parse", TEXT, "-m", models("further"), "--device", "cpu", "-o", tmp_path / "x.conllup").code == 0
    written = (tmp_path / "x.conllup").read_text(encoding="utf-8")
    assert (answer["format"], answer["header"]) == ("conllup", written.split("\n")[0] + "\n")
    assert answer["header"] + "".join(one["rows"] for one in answer["sentences"]) == written
    plain = layered.post("/api/parse", {"text": TEXT, "rows": True}).json()
    assert (plain["format"], plain["header"]) == ("conllu", "")
    read = layered.post("/api/read", {"graphs": written}).json()
    assert (read["format"], read["header"]) == ("conllup", answer["header"])
    for one, other in zip(read["sentences"], answer["sentences"], strict=True):
        assert one["layers"]["ARCTAG:DM"]["arcs"] == other["layers"]["dm"]["arcs"]
    again = layered.post("/api/convert", {"sentences": answer["sentences"], "to": "conllup"}).json()["text"]
    assert without_misc(again) == without_misc(written)
    as_sdp = layered.post("/api/convert", {"graphs": written, "to": "sdp", "layer": "dm"}).json()["text"]
    assert as_sdp == run("convert", tmp_path / "x.conllup", "--to", "sdp", "--layer", "dm", "-").text


def without_misc(text: str) -> list[list[str]]:
    """The rows of a file but for MISC, which sentence objects do not have."""
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    return [row[:9] + row[10:] for row in rows]
