"""Whatever is sent, the answer is 2xx or 4xx, and the next request is answered as if nothing had been."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.serve.servers import JSON, Running

PATHS = ["parse", "read", "search", "convert", "encode", "decode", "trace", "score", "picture"]
KEYS = ["text", "tokens", "graphs", "model", "layout", "ensure", "threshold", "probabilities", "svg", "format",
        "sentences", "to", "words", "n", "arcs", "encoding", "planes", "crossing", "labels", "nulls", "gold",
        "predicted", "metric", "gold_arcs", "head", "dependent", "relations", "ids", "tags", "tree", "id"]  # fmt: skip
WORDS = ["", "a", "\x00", "\u2028", "\ufeff", "1\ta", "# x", "#SDP 2015", "bits6-2", "brackets-1", "hierarchical",
         "absolute", "conllu", "sdp", "svg", "tiny-ud", "../x", "1", "0:r|0:r", "1-2", "<", "/>*", "110001.000000",
         "1\ta\t_\t_\t_\t_\t_\t_\t0:r\t_\n", "1\ta\t_\t_\t_\t_\t9\tx\t9:r\t_\n", "1-9\tx\t_\t_\t_\t_\t_\t_\t_\t_\n",
         "#SDP 2015\n1\ta\ta\tV\t+\t-\t_\n", "\r\r\n\n"]  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 9), st.integers(), st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(WORDS), st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=12,
)  # fmt: skip
ARCS = st.lists(
    st.fixed_dictionaries(
        {"head": st.integers(-1, 4), "dependent": st.integers(-1, 4)},
        optional={"relations": st.lists(st.sampled_from(WORDS), max_size=3)},
    ),
    max_size=6,
)
TEXTS = st.lists(st.sampled_from(WORDS), max_size=5).map("".join)
NAMED = st.lists(st.sampled_from(WORDS), max_size=4)
NEARLY: dict[str, st.SearchStrategy[Any]] = {
    "parse": st.one_of(
        st.fixed_dictionaries({"graphs": TEXTS}),
        st.fixed_dictionaries({"text": TEXTS}, optional={"probabilities": st.booleans(), "svg": st.booleans()}),
        st.fixed_dictionaries({"tokens": st.lists(NAMED, max_size=3)}, optional={"threshold": st.floats(0, 1)}),
    ),
    "read": st.fixed_dictionaries({"graphs": TEXTS}, optional={"format": st.sampled_from(["conllu", "sdp"])}),
    "search": st.fixed_dictionaries(
        {"graphs": TEXTS, "pattern": st.text('ab[]<>!=|;:".@/*(+ vx', max_size=20)},
        optional={"layer": st.sampled_from(["tree", "graph", "x"])},
    ),
    "convert": st.fixed_dictionaries(
        {
            "sentences": st.lists(
                st.fixed_dictionaries(
                    {"words": NAMED}, optional={"arcs": ARCS, "ids": NAMED, "tags": NAMED, "id": TEXTS, "text": TEXTS}
                ),
                max_size=2,
            ),
            "to": st.sampled_from(["conllu", "sdp", "json", "svg"]),
        }
    ),
    "encode": st.fixed_dictionaries({"n": st.integers(-1, 5), "arcs": ARCS, "encoding": st.sampled_from(WORDS)}),
    "decode": st.fixed_dictionaries({"words": NAMED, "labels": NAMED, "encoding": st.sampled_from(WORDS)}),
    "trace": st.fixed_dictionaries({"n": st.integers(0, 4), "labels": NAMED, "encoding": st.sampled_from(WORDS)}),
    "score": st.fixed_dictionaries(
        {"gold": TEXTS, "predicted": TEXTS}, optional={"metric": st.sampled_from(["sdp", "elas", "conll"])}
    ),
    "picture": st.fixed_dictionaries({"words": NAMED, "arcs": ARCS}, optional={"gold_arcs": ARCS}),
}

FIELDS = st.sampled_from(["data", "model", "tokenizer", "parser", "input", "output"])
FIELD_VALUES = st.one_of(st.sampled_from([*WORDS, "horizontal", "vertical", "presegmented"]), st.text(max_size=9))


@pytest.fixture(scope="module")
def client(server: Running) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


def check(answer: httpx.Response) -> None:
    assert answer.status_code == 200 or 400 <= answer.status_code < 500, answer.text
    if answer.status_code != 200:
        assert "\n" not in answer.json()["error"]


@pytest.mark.parametrize("path", PATHS)
@given(data=st.data())
@settings(max_examples=60)
def test_hostile_values(client: httpx.Client, path: str, data: st.DataObject) -> None:
    value = data.draw(st.one_of(NEARLY[path], st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=5), VALUES))
    check(client.post(f"/api/{path}", content=json.dumps(value).encode(), headers=JSON))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"nul", b"\xff\xfe", b"\xef\xbb\xbf{}", b"NaN", b"[" * 200_000, b'{"text":' * 50_000, b"1" * 5_000,
        b'{"text": "\\ud800"}', b'{"text": "\xed\xa0\x80"}', b'{"tokens": [["\\udfff"]]}', b'{"threshold": NaN}',
        b'{"text": "a", "threshold": Infinity}', b'{"text": "a", "threshold": 1e999}', b'{"n": 1e308}', b"null", b"[]",
        b'{"words": ["a"], "arcs": [{"head": 1e0, "dependent": 1}]}', b'{"n": -9223372036854775809}', b'"\\u0000"',
        b'{"text": "a", "text": 1}', b'{"__proto__": {}, "constructor": 1}',
    ],
)  # fmt: skip
def test_hostile_bytes(client: httpx.Client, path: str, body: bytes) -> None:
    answer = client.post(f"/api/{path}", content=body, headers=JSON)
    assert 400 <= answer.status_code < 500, answer.text
    assert "\n" not in answer.json()["error"]


@given(st.binary(max_size=200))
def test_hostile_forms(client: httpx.Client, body: bytes) -> None:
    for kind in ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = client.post("/process", content=body, headers={"Content-Type": kind})
        assert 400 <= answer.status_code < 500, answer.text


@given(st.dictionaries(FIELDS, FIELD_VALUES))
@settings(max_examples=60)
def test_hostile_udpipe_fields(client: httpx.Client, fields: dict[str, str]) -> None:
    sent = {name: value.encode("utf-8", "replace").decode() for name, value in fields.items()}
    for answer in (client.get("/process", params=sent), client.post("/process", data=sent)):
        assert answer.status_code in (200, 400), answer.text


def test_hostile_a_million_words(client: httpx.Client) -> None:
    body = b'{"tokens": [[' + b'"a",' * 999_999 + b'"a"]]}'
    assert client.post("/api/parse", content=body, headers=JSON).status_code == 413
    body = b'{"tokens": [[' + b'"a",' * 199_999 + b'"a"]]}'
    answer = client.post("/api/parse", content=body, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("a sentence of 200000 words")


@pytest.mark.parametrize(
    "path", ["/api/parse/../../etc/passwd", "/%00", "/api/%ff", "/static/%00", f"/static/{'a' * 5_000}", "/%2e%2e/x"]
)
def test_hostile_paths(client: httpx.Client, path: str) -> None:
    assert 400 <= client.get(path).status_code < 500
