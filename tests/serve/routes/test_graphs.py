"""`/api/read`, `/api/convert`, `/api/picture`, `/api/score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arctag.draw import svg
from arctag.encodings.planes import count_planes
from arctag.formats import Writer, read
from arctag.formats.json_lines import sentence_json
from arctag.sentence import Sentence
from arctag.serve.routes.score import alignment_cells
from tests.conftest import Run
from tests.serve.servers import Running, error

ROW = "1\tGo\t_\t_\t_\t_\t_\t_\t0:root\t_\n"


def test_read_gives_each_sentence_with_its_measures(server: Running, any_sample: Path) -> None:
    found = server.post("/api/read", {"graphs": any_sample.read_text(encoding="utf-8")}).json()
    sentences = list(read(any_sample))
    assert found["format"] == any_sample.suffix[1:]
    assert len(found["sentences"]) == len(sentences)
    for value, sentence in zip(found["sentences"], sentences, strict=True):
        line = int(sentence.source.rpartition(":")[2])
        more = {"planes": count_planes(sentence.graph, "relaxed"), "cyclic": sentence.graph.cyclic, "line": line}
        assert value == {**sentence_json(sentence), **more}


def test_read_goes_on_after_a_broken_sentence(server: Running) -> None:
    text = f"{ROW}\n# sent_id = b\n1\tGo\n\n{ROW}"
    good, broken, last = server.post("/api/read", {"graphs": text}).json()["sentences"]
    assert (good["words"], good["line"], last["line"]) == (["Go"], 1, 6)
    why = "graphs:4: found 2 columns; expected 10 columns with tabs between them"
    assert broken == {"id": "b", "error": why, "line": 4}


def test_read_takes_the_format_that_is_named(server: Running, sample_sdp: Path) -> None:
    text = sample_sdp.read_text(encoding="utf-8").split("\n", 1)[1]  # a part of a file, without its header
    found = server.post("/api/read", {"graphs": text, "format": "sdp"}).json()
    assert not [s for s in found["sentences"] if "error" in s]
    assert all("error" in s for s in server.post("/api/read", {"graphs": text}).json()["sentences"])


@pytest.mark.parametrize("to", ["conllu", "sdp"])
def test_convert_what_was_read(server: Running, sample: Path, to: str) -> None:
    """Sentence objects go back into a file with words, tags, trees, empty nodes and graphs."""
    sentences = server.post("/api/read", {"graphs": sample.read_text(encoding="utf-8")}).json()["sentences"]
    text = server.post("/api/convert", {"sentences": sentences, "to": to}).json()["text"]
    again = server.post("/api/read", {"graphs": text}).json()
    assert again["format"] == to
    kept = ["id", "words", "arcs", *(["text", "tags", "tree", "ids"] if to == "conllu" else [])]
    labelled = [_as_sdp(s) for s in sentences] if to == "sdp" else sentences
    assert [{k: s.get(k) for k in kept} for s in again["sentences"]] == [{k: s.get(k) for k in kept} for s in labelled]


def _as_sdp(sentence: dict[str, Any]) -> dict[str, Any]:
    """What the format keeps of relations: tops are 'root', and several are one."""
    arcs = [
        {**arc, "relations": ["root"] if arc["head"] == 0 else ["+".join(arc["relations"])]} for arc in sentence["arcs"]
    ]
    return {**sentence, "arcs": arcs}


def test_convert_to_json_and_svg(server: Running) -> None:
    arcs = [{"head": 2, "dependent": 1, "relations": ["nsubj"], "probability": 0.5}]
    sentence = {"words": ["She", "left"], "arcs": arcs, "id": "x", "score": 1}
    text = server.post("/api/convert", {"sentences": [sentence], "to": "json"}).json()["text"]
    assert json.loads(text) == {
        "id": "x", "text": "She left", "words": ["She", "left"],
        "arcs": [{"head": 2, "dependent": 1, "relations": ["nsubj"]}],
    }  # fmt: skip
    assert server.post("/api/convert", {"sentences": [sentence], "to": "svg"}).json()["text"].startswith("<?xml")


@pytest.mark.parametrize("to", ["conllu", "sdp"])
def test_convert_a_file_as_the_command_line_does(server: Running, run: Run, any_sample: Path, to: str) -> None:
    found = server.post("/api/convert", {"graphs": any_sample.read_text(encoding="utf-8"), "to": to}).json()
    written = run("convert", any_sample, "--to", to, "-")
    assert found["text"] == written.text
    told = "; ".join(f"{number} {kind}" for kind, number in found["lost"].items())
    assert written.err == (f"lost: {told}\n" if told else "")


def test_convert_a_part_of_a_file(server: Running, sample_sdp: Path) -> None:
    part = sample_sdp.read_text(encoding="utf-8").split("\n\n")[1] + "\n\n"  # its header is elsewhere
    found = server.post("/api/convert", {"graphs": part, "format": "sdp", "to": "sdp"}).json()
    assert found == {"text": f"#SDP 2015\n{part}", "header": "#SDP 2015\n", "lost": {}}


@pytest.mark.parametrize("body", [{}, {"sentences": [], "graphs": ROW}])
def test_convert_wants_sentences_or_a_file(server: Running, body: dict[str, Any]) -> None:
    assert "give one of sentences and graphs" in error(server.post("/api/convert", {**body, "to": "conllu"}), 422)


@pytest.mark.parametrize(
    ("sentences", "to", "line"),
    [
        ([{"words": []}], "conllu", "sentence 1 has no words"),
        ([{"words": ["a\tb"]}], "conllu", "word 1 ('a\\tb') is empty or holds a tab"),
        ([{"words": ["a"], "arcs": [{"head": 2, "dependent": 1}]}], "conllu", "arc 2→1 does not fit"),
        ([{"words": ["a"], "ids": ["1.1"]}], "conllu", "sentence 1:2: found id 1.1 (id 1 is missing); expected id 1"),
        ([{"words": ["a"], "ids": ["1", "2"]}], "conllu", "sentence 1: 1 words but 2 ids"),
        ([{"words": ["a"], "tags": []}], "conllu", "1 words but 0 tags"),
        ([{"words": ["a"], "tree": [{"head": 7, "relation": "x"}]}], "sdp", "sentence 1:2: found head 7 in a sentence"),
        ([{"words": ["a"], "tree": [{"head": -7, "relation": "x"}]}], "sdp", "sentence 1:2: found head '-7'"),
        ([{"words": ["a"], "id": "a\nb"}], "conllu", "the id 'a\\nb' holds a line break"),
        ([{"words": ["a"], "text": "a\nb"}], "conllu", "the text of sentence 1 holds a line break"),
        ([{"words": ["a"], "arcs": [{"head": 0, "dependent": 1, "relations": ["a|b"]}]}], "conllu", "relation 'a|b'"),
        ([], "svg", "an SVG file holds one sentence; found 0"),
        ([{"words": ["w"] * 2000, "arcs": [{"head": i, "dependent": 1} for i in range(1, 1002)]}], "sdp", "2002000 "),
    ],
)  # fmt: skip
def test_convert_says_what_is_wrong(server: Running, sentences: Any, to: str, line: str) -> None:
    assert error(server.post("/api/convert", {"sentences": sentences, "to": to})).startswith(line)


def test_picture_of_one_graph_and_of_two(server: Running) -> None:
    body: dict[str, Any] = {"words": ["She", "left"], "arcs": [{"head": 2, "dependent": 1, "relations": ["nsubj"]}]}
    alone = server.post("/api/picture", body).json()["svg"]
    assert 'data-relation="nsubj"' in alone
    compared = server.post("/api/picture", {**body, "gold_arcs": [{"head": 0, "dependent": 2}]}).json()["svg"]
    assert "missing" in compared
    assert compared != alone


def test_picture_is_that_of_the_command_line(server: Running, sample: Path) -> None:
    sentence = next(s for s in read(sample) if not s.has_empty and len(s.rows) == len(s.words))
    value = sentence_json(sentence)
    plain = Sentence.from_words(sentence.words, sentence.graph)
    found = server.post("/api/picture", {"words": value["words"], "arcs": value["arcs"], "crossing": "strict"})
    assert found.json()["svg"] == svg(plain, crossing="strict")


def test_picture_from_right_to_left(server: Running) -> None:
    body = {"words": ["She", "left"], "arcs": [{"head": 2, "dependent": 1}]}
    there, back = (server.post("/api/picture", {**body, "rtl": rtl}).json()["svg"] for rtl in (False, True))
    assert there == server.post("/api/picture", body).json()["svg"] != back
    assert "She" in back
    assert "left" in back


def test_picture_escapes_what_it_is_given(server: Running) -> None:
    evil = "</text><script>alert(1)</script>"
    arcs = [{"head": 0, "dependent": 1, "relations": [evil]}]
    assert "<script" not in server.post("/api/picture", {"words": [evil], "arcs": arcs}).json()["svg"]


@pytest.mark.parametrize("metric", [None, "sdp", "elas"])
def test_score_is_that_of_the_command_line(
    server: Running, run: Run, any_sample: Path, tmp_path: Path, metric: str | None
) -> None:
    gold = any_sample.read_text(encoding="utf-8")
    writer = Writer(any_sample.suffix[1:])
    sentences = list(read(any_sample))
    changed = [s.with_graph(s.graph.restricted(s.graph.heads % 3 > 0)) for s in sentences]
    predicted = "".join([writer.header, *map(writer.text, changed)])
    other = tmp_path / any_sample.name
    other.write_text(predicted, encoding="utf-8")
    printed = run("score", any_sample, other, "--json", *(["--metric", metric] if metric else []))
    found = server.post("/api/score", {"gold": gold, "predicted": predicted, "metric": metric}).json()
    each = found.pop("sentences")
    assert found == json.loads(printed.text)
    assert [row["id"] for row in each] == [s.id for s in sentences]
    assert all(set(row) == {"id", "UF", "LF"} for row in each)
    assert len({row["LF"] for row in each}) > 1


def test_score_conll_has_the_whole_table(server: Running, run: Run, sample: Path, tmp_path: Path) -> None:
    gold = sample.read_text(encoding="utf-8")
    predicted = gold.replace("\tnsubj\t", "\tobj\t").replace("\tNOUN\t", "\tVERB\t")
    other = tmp_path / sample.name
    other.write_text(predicted, encoding="utf-8")
    found = server.post("/api/score", {"gold": gold, "predicted": predicted, "metric": "conll"}).json()
    each = found.pop("sentences")
    assert found == json.loads(run("score", sample, other, "--metric", "conll", "--json").text)
    assert found["UPOS"]["f1"] < 100
    assert {row["UF"] for row in each} == {100.0}
    assert len({row["LF"] for row in each}) > 1


def test_score_files_that_do_not_fit(server: Running) -> None:
    body = {"gold": ROW, "predicted": ROW.replace("Go", "Stay")}
    assert error(server.post("/api/score", {**body, "metric": "sdp"})).startswith("sentence 1 differs")
    assert error(server.post("/api/score", body)).startswith("the texts differ")
    assert error(server.post("/api/score", {"gold": "1\tGo\n", "predicted": ROW})).startswith("gold:1: found 2 columns")
    assert error(server.post("/api/score", {"gold": ROW, "predicted": ""})).startswith("predicted: found no sentence")


def test_score_refuses_tokens_that_overlap_without_end(server: Running) -> None:
    def chain(count: int) -> str:
        pair = "1-2\taaaa\t_\t_\t_\t_\t_\t_\t_\t_\n1\tb\t_\t_\t_\t_\t_\t_\t0:r\t_\n2\tc\t_\t_\t_\t_\t_\t_\t0:r\t_\n\n"
        return pair * count

    single = "1\taa\t_\t_\t_\t_\t_\t_\t0:r\t_\n\n"
    body = {"gold": chain(1_000) + single, "predicted": single + chain(1_000)}
    for metric in (None, "elas", "conll"):
        found = error(server.post("/api/score", {**body, "metric": metric}))
        assert found.startswith("the multiword tokens of these files overlap too much")
    assert server.post("/api/score", {"gold": chain(20) + single, "predicted": single + chain(20)}).status_code == 200


def test_score_counts_the_pairs_that_are_compared(sample: Path) -> None:
    sentences = list(read(sample))
    apart = alignment_cells(sentences, sentences)
    tokens = [row[0].split("-") for s in sentences for row in s.rows if "-" in row[0]]
    assert apart == sum((int(last) - int(first) + 1) ** 2 for first, last in tokens) > 0
