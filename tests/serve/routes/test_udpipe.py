"""`/process` and `/models`: UDPipe's clients find what they know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

import httpx
import pytest

from arctag.formats import read
from arctag.formats.conllu import CONLLU
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from tests.serve.servers import WAIT, Running, running

TEXT = "She wants to leave. The dog barked.\n\nWe don't know."


def process(server: Running, **fields: str) -> dict[str, Any]:
    answer = server.post("/process", data=fields)
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()
    assert set(value) == {"model", "acknowledgements", "result"}
    return value


def conllu_of(parser: Parser, text: str) -> str:
    return "".join(map(CONLLU.text, parser.parse_text(text)))


def test_udpipe_models(server: Running) -> None:
    for answer in (server.get("/models"), server.post("/models"), server.post("/models", data={"a": "b"})):
        assert answer.json() == {
            "models": {"tiny-ud": ["tokenizer", "parser"], "tiny-sdp": ["parser"]},
            "default_model": "tiny-ud",
        }


@pytest.mark.parametrize("way", ["query", "urlencoded", "multipart", "both"])
def test_udpipe_every_way_to_send(server: Running, tiny: Parser, way: str) -> None:
    fields = {"data": TEXT, "tokenizer": "", "tagger": "", "parser": ""}
    if way == "query":
        answer = server.get("/process", params=fields)
    elif way == "urlencoded":
        answer = server.post("/process", data=fields)
    elif way == "multipart":
        answer = server.post("/process", files={name: (None, value) for name, value in fields.items()})
    else:
        answer = server.post("/process?tokenizer&parser", data={"data": TEXT})
    assert answer.json() == {"model": "tiny-ud", "acknowledgements": [], "result": conllu_of(tiny, TEXT)}


def test_udpipe_without_a_parser_only_tokenises(server: Running, tiny: Parser) -> None:
    found = process(server, data=TEXT, tokenizer="presegmented", model="tiny-ud")["result"]
    sentences = tiny.needed_tokenizer().sentences(TEXT, layout="sentences")
    assert found == "".join(map(CONLLU.text, sentences))


@pytest.mark.parametrize("ways", [{"tokenizer": "ranges"}, {"input": "generic_tokenizer=ranges;normalized_spaces"}])
def test_udpipe_ranges(server: Running, tiny: Parser, ways: dict[str, str]) -> None:
    found = process(server, data="Go away.", **ways)["result"]
    assert [row.rpartition("\t")[2] for row in found.splitlines() if row[:1].isdigit()] == [
        "TokenRange=0:2", "SpaceAfter=No|TokenRange=3:7", "TokenRange=7:8",
    ]  # fmt: skip
    parsed = process(server, data="Go away.", parser="", **ways)["result"]
    assert "\tSpaceAfter=No|TokenRange=3:7\n" in parsed
    assert parsed.replace("|TokenRange=3:7", "").replace("TokenRange=0:2", "_") == conllu_of(tiny, "Go away.").replace(
        "\t_\n\n", "\tTokenRange=7:8\n\n"
    )


@pytest.mark.parametrize("option", ["normal", "default", "normalized_spaces", "normal;"])
def test_udpipe_tokenizer_options_that_change_nothing(server: Running, option: str) -> None:
    assert process(server, data=TEXT, tokenizer=option) == process(server, data=TEXT, tokenizer="")


def test_udpipe_conllu_gets_a_new_tree_and_keeps_the_other_columns(server: Running, tiny: Parser, sample: Path) -> None:
    found = process(server, data=sample.read_text(encoding="utf-8"), parser="")["result"]
    assert found == "".join(map(CONLLU.text, tiny.parse_sentences(read(sample), ParseOptions(tree=True))))
    unparsed = process(server, data=sample.read_text(encoding="utf-8"), input="conllu=v2")["result"]
    assert unparsed == sample.read_text(encoding="utf-8")


def test_udpipe_the_tree_of_the_caller_makes_no_difference(server: Running) -> None:
    bare = "1\tShe\t_\t_\t_\t_\t{}\t{}\t_\t_\n2\tleft\t_\t_\t_\t_\t{}\t{}\t_\t_\n\n"
    nonsense = bare.format(2, "case", 1, "nonsense")
    parsed = process(server, data=nonsense, parser="")["result"]
    assert parsed == process(server, data=bare.format("_", "_", "_", "_"), parser="")["result"]
    heads = [row.split("\t")[6] for row in parsed.splitlines() if row]
    assert sorted(heads) in (["0", "1"], ["0", "2"])
    assert "nonsense" not in parsed
    assert process(server, data=nonsense)["result"] == nonsense  # not asked for: not touched


def test_udpipe_a_model_that_knows_no_trees_leaves_them(server: Running) -> None:
    row = "1\tGo\t_\t_\t_\t_\t0\troot\t{}\t_\n\n"
    found = process(server, data=row.format("_"), parser="", model="tiny-sdp")["result"]
    assert found.split("\t")[6:8] == ["0", "root"]


@pytest.mark.parametrize(
    ("kind", "data"), [("horizontal", "She left\n\nGo  away\n"), ("vertical", "She\nleft\tVERB\n\n\nGo\naway")]
)
def test_udpipe_token_formats(server: Running, tiny: Parser, kind: str, data: str) -> None:
    sentences = [Sentence.from_words(["She", "left"], sent_id="s1"), Sentence.from_words(["Go", "away"], sent_id="s2")]
    found = process(server, data=data, input=kind, parser="")["result"]
    assert found == "".join(map(CONLLU.text, tiny.parse_sentences(sentences, ParseOptions(tree=True))))


@pytest.mark.parametrize(
    ("output", "result"),
    [
        ("horizontal", "Go away\nNew\u00a0York\n"),
        ("vertical", "Go\naway\n\nNew York\n\n"),
        ("plaintext", "Go away\nNew York\n"),
        ("plaintext=normalized_spaces", "Go away\nNew York\n"),
    ],
)
def test_udpipe_outputs(server: Running, output: str, result: str) -> None:
    assert process(server, data="Go away\nNew\u00a0York", input="horizontal", output=output)["result"] == result


def test_udpipe_json_output(server: Running) -> None:
    found = process(server, data="Go away", input="horizontal", output="json")["result"]
    assert found.startswith('{"id": "s1", "text": "Go away", "words": ["Go", "away"]')


@pytest.mark.parametrize(("name", "found"), [("tiny", "tiny-ud"), ("tiny-sdp", "tiny-sdp"), ("", "tiny-ud")])
def test_udpipe_models_by_the_beginning_of_their_names(server: Running, name: str, found: str) -> None:
    assert process(server, data="a", input="horizontal", model=name)["model"] == found


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "the parameter 'data' is required"),
        ({"data": "a", "model": "tin"}, "unknown model 'tin'."),
        ({"data": "a", "input": "epe"}, "unknown input format 'epe'."),
        ({"data": "a", "output": "matxin"}, "unknown output format 'matxin'."),
        ({"data": "a", "tokenizer": "ranges;joint"}, "unknown tokenizer option 'joint'; known: presegmented, ranges, "),
        ({"data": "a", "input": "generic_tokenizer=joint"}, "unknown tokenizer option 'joint'; known: presegmented, "),
        ({"data": "a", "tokenizer": "", "model": "tiny-sdp"}, "this model has no tokenizer"),
        ({"data": "a b c"}, "data:1: found 1 column; expected 10"),
        ({"data": ""}, "data: found no sentence"),
    ],
)
def test_udpipe_errors_are_plain_text(server: Running, fields: dict[str, str], line: str) -> None:
    for answer in (server.get("/process", params=fields), server.post("/process", data={**fields, "parser": ""})):
        assert answer.status_code == 400
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text.startswith(line)
        assert answer.text.count("\n") == 1


def test_udpipe_a_sentence_that_cannot_be_parsed_is_an_error(tiny: Parser) -> None:
    class Picky:
        """A parser that reports every sentence."""

        def __getattr__(self, name: str) -> Any:
            return getattr(tiny, name)

        def parse_sentences(self, sentences: Any, options: Any, report: Any) -> Any:
            for sentence in sentences:
                report(sentence, "no")
                yield sentence

    with running({"m": Picky()}) as server:
        answer = server.post("/process", data={"data": "a", "input": "horizontal", "parser": ""})
        assert (answer.status_code, answer.text) == (400, "s1: no\n")
        assert server.post("/api/parse", {"tokens": [["a"]]}).json()["skipped"] == [{"id": "s1", "why": "no"}]


def test_udpipe_a_client_of_others_can_be_pointed_here(server: Running, tiny: Parser) -> None:
    online = pytest.importorskip("udapi.tool.udpipeonline")
    client = online.UDPipeOnline("tiny-ud", server=server.url)
    assert client.list_models() == ["tiny-ud", "tiny-sdp"]
    assert client.segment_text(TEXT) == ["She wants to leave.", "The dog barked.", "We don't know."]
    fields = {"model": "tiny-ud", "data": TEXT, "tokenizer": "", "tagger": "", "parser": ""}
    assert client.perform_request(fields) == conllu_of(tiny, TEXT)  # multipart, as UDPipe's own client sends it
    assert client.perform_request_urlencoded(fields) == conllu_of(tiny, TEXT)


class Client:
    """Sends requests as UDPipe's own client does: forms of octet streams, read until the end, nothing kept alive."""

    def __init__(self, service: str) -> None:
        self.service = service

    def __call__(self, method: str, **fields: str) -> dict[str, Any]:
        """The answer to a request; an error is what the service says."""
        boundary = "===============1234567890123456789=="
        lines = [
            part
            for name, value in fields.items()
            for part in (
                f"--{boundary}", "Content-Type: application/octet-stream", "MIME-Version: 1.0",
                f'Content-Disposition: form-data; name="{name}"', "Content-Transfer-Encoding: 8bit", "", value,
            )
        ]  # fmt: skip
        body = "\r\n".join([*lines, f"--{boundary}--", ""]).encode() if fields else None
        headers = {"Content-Type": f'multipart/form-data; boundary="{boundary}"'} if fields else {}
        opener = build_opener(ProxyHandler({}))
        try:
            with opener.open(Request(f"{self.service}/{method}", body, headers), timeout=WAIT) as answer:
                value: dict[str, Any] = json.loads(answer.read())
        except HTTPError as error:
            with error:
                raise RuntimeError(error.read().decode("utf-8")) from None
        return value


@pytest.fixture(scope="module")
def english(tiny: Parser) -> Iterator[Client]:
    with running({"tiny": tiny, "en": tiny}) as server:
        yield Client(server.url)


def test_udpipe_its_own_client_lists_models(english: Client) -> None:
    answer = english("models")
    assert list(answer["models"]) == ["tiny", "en"]
    assert answer["default_model"] == "tiny"
    assert all(set(components) <= {"tokenizer", "tagger", "parser"} for components in answer["models"].values())


@pytest.mark.parametrize("model", ["english", "english-ewt", "english-ewt-ud-2.15-241121", "eng", "en", "en_ewt"])
def test_udpipe_its_own_client_names_models_as_it_is_used_to(english: Client, tiny: Parser, model: str) -> None:
    text = "Zoë wants to leave.\r\n\r\nThe dog — “Rex” — barked."
    fields = {"data": text, "tokenizer": "", "tagger": "", "parser": "", "output": "conllu", "input": "conllu"}
    answer = english("process", **fields, model=model)
    assert answer["model"] == "en"
    assert answer["result"] == conllu_of(tiny, text)


def test_udpipe_its_own_client_is_told_what_is_wrong(english: Client) -> None:
    with pytest.raises(RuntimeError, match=r"^unknown model 'klingon'\. Known: en, tiny\n$"):
        english("process", data="a", model="klingon")
    with pytest.raises(RuntimeError, match="unknown model 'german-gsd'"):
        english("process", data="a", model="german-gsd")


def test_udpipe_other_methods(server: Running) -> None:
    answer = httpx.put(f"{server.url}/process", trust_env=False)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
