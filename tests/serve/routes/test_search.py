"""`/api/search`: as `arctag search` finds it, within limits."""

from __future__ import annotations

from pathlib import Path

import pytest

import arctag
from arctag.parsing.parser import Parser
from arctag.search import search
from arctag.serve.limits import Limits
from tests.serve.servers import Running, error, running

ROW = "1\tGo\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"


@pytest.mark.parametrize(
    "pattern", ["cat", "v:[upos=VERB] >nsubj n:[]", "rel=nsubj:xsubj", "planes>=2", "a:[] > b:[]; a !>@tree b"]
)
def test_search_finds_what_the_command_line_finds(server: Running, sample: Path, pattern: str) -> None:
    found = server.post("/api/search", {"graphs": sample.read_text("utf-8"), "pattern": pattern}).json()
    sentences = list(arctag.read(sample))
    expected = list(search(sentences, pattern))
    assert (found["sentences"], found["matches"]) == (len(sentences), len(expected))
    got = [
        (sentences[hit["sentence"]].id, one["words"], one["names"]) for hit in found["hits"] for one in hit["matches"]
    ]
    assert got == [(match.sentence.id, list(match.words), match.names) for match in expected]


def test_search_in_another_layer(server: Running, sample: Path) -> None:
    body = {"graphs": sample.read_text("utf-8"), "pattern": "rel=nsubj:xsubj", "layer": "tree"}
    assert server.post("/api/search", body).json()["hits"] == []


def test_search_goes_on_after_a_broken_sentence(server: Running) -> None:
    found = server.post("/api/search", {"graphs": f"{ROW}1\tGo\n\n{ROW}", "pattern": "go"}).json()
    assert [hit["sentence"] for hit in found["hits"]] == [0, 2]
    assert found["sentences"] == 3


def test_search_says_what_is_wrong(server: Running) -> None:
    answer = server.post("/api/search", {"graphs": ROW, "pattern": "[upos=VERB"})
    assert error(answer) == "pattern, character 11: a [ is not closed: ] is missing"
    assert "there is no column colour" in error(server.post("/api/search", {"graphs": ROW, "pattern": "colour=red"}))
    assert "there is no column x" in error(server.post("/api/search", {"graphs": ROW, "pattern": ">", "layer": "x"}))


def test_search_does_not_work_for_ever(tiny: Parser) -> None:
    words = "".join(f"{i}\tw\t_\t_\t_\t_\t_\t_\t_\t_\n" for i in range(1, 101)) + "\n"
    with running({"m": tiny}, Limits(steps=20_000, matches=50)) as server:
        vague = {"graphs": words, "pattern": "[] .. [] .. []"}
        assert "fits in more than 20,000 ways" in error(server.post("/api/search", vague))
        many = {"graphs": words, "pattern": "w"}
        assert "more than 50 matches" in error(server.post("/api/search", many))
        paths = "".join(f"{i}\tw\t_\t_\t_\t_\t_\t_\t{i - 1}:x\t_\n" for i in range(1, 301)) + "\n"
        assert "ways" in error(
            server.post("/api/search", {"graphs": paths, "pattern": "[] >> [form=nothing|w] .. [] .. []"})
        )
        ten = {"graphs": words * 10, "pattern": "[] .. [] >> []"}  # some 5,000 ways in each
        assert "ways" in error(server.post("/api/search", ten))
        assert server.post("/api/search", {"graphs": ROW, "pattern": "go"}).json()["matches"] == 1
