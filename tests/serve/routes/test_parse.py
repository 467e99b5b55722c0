"""`POST /api/parse`: the same graphs as the parser gives, whoever else is asking."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arctag.formats import FORMATS, read
from arctag.formats.json_lines import sentence_json
from arctag.parsing.parser import ParseOptions, Parser
from arctag.parsing.rendering import with_probabilities
from arctag.sentence import Sentence
from tests.serve.servers import WAIT, PausedParser, Running, error, running, wait_until

TEXT = "She wants to leave. The dog that he saw barked!\n\nWe don't know."


def expected(parser: Parser, sentences: list[Sentence], **options: Any) -> list[dict[str, Any]]:
    """What the parser gives for sentences that come as words: graph and tree."""
    return [sentence_json(s) for s in parser.parse_sentences(sentences, ParseOptions(**{"tree": True, **options}))]


def tokens(words: list[list[str]]) -> list[Sentence]:
    return [Sentence.from_words(some, sent_id=f"s{i}") for i, some in enumerate(words, 1)]


def test_parse_text(server: Running, tiny: Parser) -> None:
    answer = server.post("/api/parse", {"text": TEXT})
    assert answer.status_code == 200
    value = answer.json()
    assert value["model"] == "tiny-ud"
    assert value["skipped"] == []
    assert value["sentences"] == [sentence_json(s) for s in tiny.parse_text(TEXT)]
    assert [s["id"] for s in value["sentences"]] == ["p1-s1", "p1-s2", "p2-s1"]


def test_parse_layout(server: Running) -> None:
    text = "one. two\nthree"
    whole = server.post("/api/parse", {"text": text, "layout": "sentences"}).json()["sentences"]
    assert [" ".join(s["words"]) for s in whole] == ["one . two", "three"]


def test_parse_empty_text_has_no_sentences(server: Running) -> None:
    bodies: list[dict[str, Any]] = [{"text": ""}, {"text": " \n\t "}, {"tokens": []}]
    for body in bodies:
        assert server.post("/api/parse", body).json()["sentences"] == []


@pytest.mark.parametrize("name", ["tiny-ud", "tiny-sdp"])
def test_parse_tokens_with_either_model(server: Running, name: str) -> None:
    words = [["She", "left"], ["Go", "!"]]
    value = server.post("/api/parse", {"tokens": words, "model": name}).json()
    assert value["model"] == name
    assert value["sentences"] == expected(server.service.models[name].parser, tokens(words))


def test_parse_graph_files(server: Running, tiny: Parser, any_sample: Path) -> None:
    value = server.post("/api/parse", {"graphs": any_sample.read_text(encoding="utf-8")}).json()
    sentences = list(read(any_sample, words_only=True))
    found = [(s["words"], s["arcs"]) for s in value["sentences"]]
    assert found == [(s["words"], s["arcs"]) for s in expected(tiny, sentences, tree=False)]


def test_parse_options_reach_the_parser(server: Running, tiny: Parser) -> None:
    words = [["She", "wants", "to", "leave", "."]]
    options: dict[str, Any] = {"ensure": ("attached", "acyclic"), "threshold": 0.9, "probabilities": True}
    body = {"tokens": words, "ensure": ["attached", "acyclic"], "threshold": 0.9, "probabilities": True}
    found = server.post("/api/parse", body).json()["sentences"]
    assert found == expected(tiny, tokens(words), **options)
    assert all("probability" in arc for arc in found[0]["arcs"])
    assert found != expected(tiny, tokens(words))


def test_parse_text_and_tokens_come_with_a_tree(server: Running, sample: Path) -> None:
    for body in ({"text": "She left."}, {"tokens": [["She", "left"]]}):
        (found,) = server.post("/api/parse", body).json()["sentences"]
        assert [set(place) for place in found["tree"]] == [{"head", "relation"}] * len(found["words"])
    value = server.post("/api/parse", {"graphs": sample.read_text(encoding="utf-8")}).json()
    assert value["sentences"][0]["tree"] == sentence_json(next(read(sample)))["tree"]  # its own


def test_parse_pictures(server: Running) -> None:
    found = server.post("/api/parse", {"tokens": [["<b>", "&"]], "svg": True}).json()["sentences"]
    assert found[0]["svg"].startswith("<?xml")
    assert "<b>" not in found[0]["svg"]


@pytest.mark.parametrize("probabilities", [False, True])
def test_parse_gives_the_rows_of_a_file(server: Running, tiny: Parser, any_sample: Path, probabilities: bool) -> None:
    module = FORMATS[any_sample.suffix[1:]]
    body = {"graphs": any_sample.read_text(encoding="utf-8"), "rows": True, "probabilities": probabilities}
    found = server.post("/api/parse", body).json()["sentences"]
    parsed = tiny.parse_sentences(read(any_sample), ParseOptions(probabilities=probabilities))
    assert [s["rows"] for s in found] == [module.text(with_probabilities(s)) for s in parsed]
    assert ("# score = " in found[0]["rows"]) == probabilities


def test_parse_tells_what_it_skips(server: Running) -> None:
    rows = "1\tGood\t_\t_\t_\t_\t_\t_\t_\t_\n\n1\tbad\n\n1\tAgain\t_\t_\t_\t_\t_\t_\t_\t_\n"
    value = server.post("/api/parse", {"graphs": rows}).json()
    assert [s["words"] for s in value["sentences"]] == [["Good"], ["Again"]]
    (skipped,) = value["skipped"]
    assert skipped["why"] == "graphs:3: found 2 columns; expected 10 columns with tabs between them"


def test_parse_long_requests_in_slices(server: Running, tiny: Parser) -> None:
    words = [[f"w{i}", "and", "so", "on"] for i in range(600)]
    value = server.post("/api/parse", {"tokens": words}).json()
    assert value["sentences"] == expected(tiny, tokens(words))


@pytest.mark.parametrize(
    ("body", "status", "line"),
    [
        ({}, 422, "give one of text, tokens and graphs"),
        ({"text": "a", "tokens": []}, 422, "give one of text, tokens and graphs"),
        ({"text": "a", "txt": "b"}, 422, "txt: unknown key; see /docs"),
        ({"text": 1}, 422, "text: expected a string"),
        ({"tokens": [["a", 1]]}, 422, "tokens[0][1]: expected a string"),
        ({"tokens": [["a", ""]]}, 400, "word 2 ('') is empty or holds a tab or line break"),
        ({"text": "a", "threshold": -1}, 400, "the threshold must be from 0 to 1, not -1.0"),
        ({"text": "a", "threshold": "0.5"}, 422, "threshold: expected a number"),
        ({"text": "a", "layout": "pages"}, 422, "layout: expected 'auto', 'paragraphs', 'lines' or 'sentences'"),
        ({"text": "a", "model": "../en"}, 400, "unknown model '../en'. Known: tiny-sdp, tiny-ud"),
        ({"graphs": ""}, 400, "graphs: found no sentence (the text is empty); expected at least one sentence"),
        ({"tokens": [["a"] * 2_001]}, 400, "a sentence of 2001 words; this service takes at most 2000"),
    ],
)  # fmt: skip
def test_parse_says_in_one_line_what_is_wrong(server: Running, body: Any, status: int, line: str) -> None:
    assert error(server.post("/api/parse", body), status) == line


def test_parse_text_needs_a_tokenizer(server: Running) -> None:
    line = error(server.post("/api/parse", {"text": "a", "model": "tiny-sdp"}))
    assert line.startswith("this model has no tokenizer: ")


def test_parse_unknown_guarantee(server: Running) -> None:
    line = error(server.post("/api/parse", {"text": "a", "ensure": ["acylic"]}))
    assert line.startswith("unknown guarantee 'acylic'. Did you mean 'acyclic'? Known: acyclic, attached")


def test_parse_many_clients_get_their_own_answers(server: Running, tiny: Parser) -> None:
    """32 clients, all kinds of options: what each gets is what the parser gives it alone."""
    vocabulary = [word for s in tiny.parse_text(TEXT) for word in s.words] + ["unheard-of", "Ünï", "123"]
    chance = random.Random(1)

    def one(number: int) -> None:
        drawn = random.Random(number)
        with server.client() as client:
            for _ in range(4):
                words = [drawn.choices(vocabulary, k=drawn.randint(1, 12)) for _ in range(drawn.randint(1, 5))]
                keys: dict[str, Any] = drawn.choice(
                    [{}, {"probabilities": True}, {"threshold": 0.2}, {"ensure": ["top"]}]
                )
                answer = client.post("/api/parse", json={"tokens": words, **keys})
                assert answer.status_code == 200, answer.text
                answers.append(
                    (
                        answer.json()["sentences"],
                        words,
                        {key: tuple(value) if key == "ensure" else value for key, value in keys.items()},
                    )
                )

    answers: list[tuple[Any, list[list[str]], dict[str, Any]]] = []
    numbers = list(range(32))
    chance.shuffle(numbers)
    with ThreadPoolExecutor(32) as pool:
        list(pool.map(one, numbers))
    assert len(answers) == 128
    for found, words, options in answers:
        assert found == expected(tiny, tokens(words), **options)


def test_parse_batches_requests_together(paused: PausedParser) -> None:
    with running({"m": paused}) as server, ThreadPoolExecutor(9) as pool:
        first = pool.submit(server.post, "/api/parse", {"tokens": [["first"]]})
        assert paused.begun.acquire(timeout=WAIT)
        rest = [pool.submit(server.post, "/api/parse", {"tokens": [[f"w{i}"]]}) for i in range(8)]
        wait_until(lambda: server.service.models["m"].queue_length() >= 8)
        paused.resume()
        assert first.result().status_code == 200
        assert [answer.result().json()["sentences"][0]["words"] for answer in rest] == [[f"w{i}"] for i in range(8)]
        assert [len(batch) for batch in paused.batches] == [1, 8]


def test_parse_counts_words_and_batches(server: Running) -> None:
    def figure(name: str) -> float:
        lines = server.get("/metrics").text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    before = figure('arctag_words_parsed_total{model="tiny-ud"}'), figure("arctag_batch_words_count")
    server.post("/api/parse", {"tokens": [["a", "b", "c"]]})
    assert figure('arctag_words_parsed_total{model="tiny-ud"}') == before[0] + 3
    assert figure("arctag_batch_words_count") == before[1] + 1
