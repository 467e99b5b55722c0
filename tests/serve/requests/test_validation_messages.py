"""What is wrong with a request is said in words that are about the request."""

from __future__ import annotations

from typing import Any

import pytest

from tests.serve.servers import Running, error

ENCODE = {"n": 1, "arcs": [], "encoding": "bits6-1"}


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        ("parse", [], 'the request: expected an object, {"…": …}'),
        ("parse", {"text": "a", "foo": 1}, "foo: unknown key; see /docs"),
        ("parse", {"text": "a", "svg": 1}, "svg: expected true or false"),
        ("parse", {"text": "a", "threshold": "x"}, "threshold: expected a number"),
        ("parse", {"text": "a", "ensure": "top"}, "ensure: expected a list"),
        ("parse", {"tokens": [["a", 1]]}, "tokens[0][1]: expected a string"),
        ("parse", {}, "give one of text, tokens and graphs"),
        ("encode", {**ENCODE, "n": 1.5}, "n: expected a whole number"),
        ("encode", {"n": 1, "arcs": []}, "encoding: required, but missing"),
        ("encode", {**ENCODE, "planes": "few"}, "planes: expected 'greedy' or 'best'"),
        ("encode", {**ENCODE, "arcs": [3]}, 'arcs[0]: expected an object, {"…": …}'),
        (
            "encode",
            {**ENCODE, "arcs": [{"head": 0, "dependent": 1, "relations": []}]},
            "arcs[0].relations: expected at least 1, found 0",
        ),
        ("decode", {"n": 3, "labels": ["0"], "encoding": "bits6-1"}, "labels: found 1; expected 3, one for each word"),
    ],
)
def test_wrong_values_are_told_in_plain_words(server: Running, path: str, value: Any, line: str) -> None:
    assert error(server.post(f"/api/{path}", value), 422) == line


def test_wrong_values_in_a_path(server: Running) -> None:
    assert error(server.get("/api/files/x"), 422) == "number: expected a whole number"
