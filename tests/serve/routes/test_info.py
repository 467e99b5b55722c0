"""Health, models, counters, and the description of the API."""

from __future__ import annotations

import html
import re
import shlex
from itertools import pairwise

import pytest

from arctag import __version__
from arctag.encodings import ENCODINGS
from arctag.formats import FORMATS
from arctag.glossary import glossary
from arctag.metrics import METRICS
from arctag.parsing.parser import Parser
from arctag.serve.app import make_app
from arctag.serve.guard.middleware import Guard
from arctag.serve.limits import Limits
from arctag.text.chunks import LAYOUTS
from arctag.text.languages import language_of, title_of
from arctag.transforms.guarantees import GUARANTEES
from tests.serve.servers import JSON, Running, wait_until


def test_info_health(server: Running) -> None:
    wait_until(lambda: server.service.capacity.requests == 0)
    answer = server.get("/api/health").json()
    assert answer == {"status": "ok", "version": __version__, "models": ["tiny-ud", "tiny-sdp"], "queue": 0}


def test_info_head_is_answered_as_get_without_the_body(server: Running) -> None:
    with server.client() as client:
        for path in ("/", "/api/health"):
            head, get = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["content-type"] == get.headers["content-type"]
            assert head.headers["content-length"] == get.headers["content-length"]


def test_info_models(server: Running, tiny: Parser) -> None:
    answer = server.get("/api/models").json()
    assert answer["default"] == "tiny-ud"
    first, second = answer["models"]
    assert first == {
        "name": "tiny-ud", "title": "tiny-ud", "language": None, "encoder": "bilstm",
        "layers": {name: tiny.config.layer(name).summary for name in ("graph", "tree")},
        "raw_text": True, "card": tiny.config.card,
    }  # fmt: skip
    assert first["layers"]["graph"]["encoding"] == "bits6-4"
    assert (second["name"], second["raw_text"], list(second["layers"])) == ("tiny-sdp", False, ["graph"])


def test_info_lists_the_tables(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = server.get("/api/info").json()
    limits = answer.pop("limits")
    assert {name: getattr(Limits(), name) for name in limits if name != "pattern"} | {"pattern": 1000} == limits
    assert {kind: [one["name"] for one in entries] for kind, entries in answer.items()} == {
        "formats": list(FORMATS), "guarantees": list(GUARANTEES), "layouts": list(LAYOUTS), "metrics": list(METRICS),
    }  # fmt: skip
    assert answer["formats"][1] == {
        "name": "sdp", "title": "SDP", "suffixes": [".sdp"], "header": "#SDP 2015", "one_graph": True,
    }  # fmt: skip
    assert all(one["description"] for kind in ("guarantees", "layouts") for one in answer[kind])
    monkeypatch.setitem(ENCODINGS, "another", ENCODINGS["bits6"])
    monkeypatch.setitem(METRICS, "another", METRICS["sdp"])
    monkeypatch.setitem(GUARANTEES, "another", "all is well")
    answer = server.get("/api/info").json()
    assert answer["metrics"][-1] == {"name": "another", "headline": "LF"}
    assert answer["guarantees"][-1] == {"name": "another", "description": "all is well"}
    assert server.get("/api/encodings").json()["encodings"][-1]["name"] == "another-6"


def test_info_requests_take_the_names_in_the_tables(server: Running) -> None:
    schemas = server.get("/openapi.json").json()["components"]["schemas"]

    def choices(request: str, key: str) -> list[str]:
        about = schemas[request]["properties"][key]
        found: list[str] = about.get("enum") or about["anyOf"][0]["enum"]
        return found

    assert choices("ParseRequest", "layout") == list(LAYOUTS)
    assert choices("ReadRequest", "format") == list(FORMATS)
    assert choices("ConvertRequest", "to") == [*FORMATS, "json", "svg"]
    assert choices("ScoreRequest", "metric") == list(METRICS)
    assert all(name in schemas["ParseRequest"]["properties"]["ensure"]["description"] for name in GUARANTEES)


def test_info_glossary_is_that_of_the_package(server: Running) -> None:
    assert server.get("/api/glossary").json() == glossary()


@pytest.mark.parametrize(
    ("name", "language", "title"),
    [
        ("en", "en", "English"), ("english", "en", "English"), ("en-small", "en", "en-small (English)"),
        ("english-ewt-ud-2.15", "en", "english-ewt-ud-2.15 (English)"), ("eng_gum", "en", "eng_gum (English)"),
        ("old_church_slavonic-proiel", "cu", "old_church_slavonic-proiel (Old Church Slavonic)"),
        ("mine", None, "mine"), ("energy", None, "energy"), ("", None, ""),
    ],
)  # fmt: skip
def test_info_languages(name: str, language: str | None, title: str) -> None:
    assert (language_of(name), title_of(name)) == (language, title)


def test_info_docs_show_every_call_and_load_nothing_from_elsewhere(server: Running) -> None:
    page = server.get("/docs").text
    described = server.get("/openapi.json").json()
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"<h2><code>{method.upper()} {path}</code></h2>" in page
    for schema in described["components"]["schemas"].values():
        if "Error" not in schema["title"]:
            assert all(f"<th><code>{name}</code></th>" in page for name in schema["properties"])
    assert "http:" not in page
    assert "https:" not in page
    for address in re.findall(r'(?:href|src)="([^"#]+)"', page):  # relative, so that they hold behind a proxy too
        assert not address.startswith("/")
        assert server.get(f"/{address.removeprefix('./')}").status_code == 200
    assert {f'id="{name}"' for name in re.findall('href="#([^"]+)"', page)} <= set(re.findall('id="[^"]+"', page))


def test_info_docs_examples_work(server: Running) -> None:
    page = html.unescape(server.get("/docs").text)
    examples = re.findall("<pre>curl (.*)</pre>", page)
    assert len(examples) == page.count("<h2><code>")
    with server.client() as client:
        for example in examples:
            *options, url = shlex.split(example)
            form = dict(value.split("=", 1) for name, value in pairwise(options) if name == "-F")
            body = next((value for name, value in pairwise(options) if name == "-d"), None)
            path = url.removeprefix("localhost:8000")
            if not options:
                answer = client.get(path)
            elif body is not None:
                answer = client.post(path, content=body.encode(), headers=JSON)
            else:
                answer = client.post(path, data=form)
            assert answer.status_code == (404 if path == "/api/files/1" else 200), example  # there are no files here


def test_info_every_route_has_a_name_in_the_log(server: Running) -> None:
    app = make_app(server.service)
    assert isinstance(app, Guard)
    names = app._path_names
    for path in [*server.get("/openapi.json").json()["paths"], "/", "/docs", "/openapi.json"]:
        assert names[path] == path
    assert names["/api/files/7"] == "/api/files/{number}"
    assert names["/static/js/x.js"] == "/static/"
    assert names["/api/parse/"] == names["/api/files/7/8"] == names["/api/files/"] == "other"


def test_info_the_page_is_served_and_nothing_beside_it(server: Running) -> None:
    page = server.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static"):
        assert server.get(path).status_code in (404, 307), path
