"""Health, models, counters, and the description of the API."""

from __future__ import annotations

import html
import re
import shlex
from itertools import pairwise

from arctag import __version__
from arctag.parsing.parser import Parser
from arctag.serve.guard.exchange import known_path
from tests.serve.servers import JSON, Running, wait_until


def test_info_health(server: Running) -> None:
    wait_until(lambda: server.service.gate.inside == 0)
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
        "name": "tiny-ud", "encoding": "bits6-4", "encoder": "bilstm", "relations": len(tiny.config.relations),
        "raw_text": True, "card": tiny.config.card,
    }  # fmt: skip
    assert (second["name"], second["raw_text"]) == ("tiny-sdp", False)


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
    for path in server.get("/openapi.json").json()["paths"]:
        assert known_path(path) == path
    assert known_path("/static/js/x.js") == "/static/"
    assert known_path("/api/parse/") == "other"


def test_info_the_page_is_served_and_nothing_beside_it(server: Running) -> None:
    page = server.get("/")
    assert page.headers["content-type"].startswith("text/html")
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static"):
        assert server.get(path).status_code in (404, 307), path
