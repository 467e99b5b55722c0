"""The description of the API: complete, and no request that follows it, or nearly so, makes the service fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from arctag.serve import answers
from tests.places import SAMPLES
from tests.serve.servers import Running

ROUTES = {
    "GET /api/health", "GET /api/models", "GET /api/encodings", "POST /api/parse", "POST /api/read",
    "POST /api/convert", "POST /api/encode", "POST /api/decode", "POST /api/trace", "POST /api/score",
    "POST /api/picture", "GET /api/files", "GET /api/files/{number}",
    "GET /api/info", "GET /api/glossary", "GET /api/languages", "POST /api/search", "GET /metrics",
    "GET /models", "POST /models",
    "GET /process", "POST /process",
}  # fmt: skip

ANSWERS = {"/metrics": "text/plain", "/api/files/{number}": "application/octet-stream"}
"""Answers that are not JSON."""
ROW = "1\tGo\t_\t_\t_\t_\t0\troot\t0:root\t_\n\n"
SAMPLE = (SAMPLES / "sample.conllu").read_text(encoding="utf-8")


def test_openapi_describes_every_route(server: Running) -> None:
    described = server.get("/openapi.json").json()
    found = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
    assert found == ROUTES
    for methods in described["paths"].values():
        for route in methods.values():
            assert route["description"]
            assert {"400", "413", "503", "504"} <= set(route["responses"])


def test_openapi_describes_answers_and_errors_as_they_are_sent(server: Running) -> None:
    described = server.get("/openapi.json").json()
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            plain = path in ("/process", "/models")
            kinds = {code: list(about.get("content", {})) for code, about in route["responses"].items()}
            assert kinds.pop("200") == [ANSWERS.get(path, "application/json")], path
            assert all(kind == ["text/plain" if plain else "application/json"] for kind in kinds.values()), path
            if not plain:
                error = route["responses"]["400"]["content"]["application/json"]["schema"]
                assert error == answers.ErrorAnswer.model_json_schema()
            if path not in ANSWERS:
                assert "$ref" in route["responses"]["200"]["content"]["application/json"]["schema"], (path, method)


REQUESTS: list[tuple[str, dict[str, Any] | None]] = [
    ("/api/health", None), ("/api/models", None), ("/api/encodings", None), ("/api/info", None), ("/api/files", None),
    ("/api/glossary", None), ("/api/languages", None), ("/models", None),
    ("/api/parse", {"text": "She left. She wants to leave."}),
    ("/api/parse", {"tokens": [["She", "left"]], "probabilities": True, "svg": True, "rows": True}),
    ("/api/parse", {"graphs": "1\tGo\n\n" + ROW}),
    ("/api/read", {"graphs": SAMPLE}), ("/api/read", {"graphs": "1\tGo\n\n" + ROW}),
    ("/api/search", {"graphs": SAMPLE, "pattern": "h:[upos=VERB] >nsubj d:[]"}),
    ("/api/convert", {"graphs": SAMPLE, "to": "sdp"}), ("/api/convert", {"graphs": ROW, "to": "svg"}),
    ("/api/picture", {"words": ["a"], "arcs": []}),
    ("/api/score", {"gold": SAMPLE, "predicted": SAMPLE}),
    ("/api/score", {"gold": ROW, "predicted": ROW, "metric": "sdp"}),
    *(
        (f"/api/{name}", {"n": 2, "arcs": [{"head": 2, "dependent": 1}, {"head": 0, "dependent": 2}], "encoding": kind})
        for name in ("encode",) for kind in ("bits4-2", "bits6-1", "hierarchical", "hexatag")
    ),
    ("/api/decode", {"n": 2, "labels": ["000110", "110001"], "encoding": "bits6-1"}),
    ("/api/trace", {"n": 2, "labels": ["000110", "010101"], "encoding": "bits6-1"}),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body"), REQUESTS, ids=[f"{path} {i}" for i, (path, _) in enumerate(REQUESTS)])
def test_openapi_answers_are_as_described(server: Running, path: str, body: dict[str, Any] | None) -> None:
    """Each answer has what its schema says, and nothing else."""
    answered = server.get(path) if body is None else server.post(path, body)
    assert answered.status_code == 200
    route = server.get("/openapi.json").json()["paths"][path]["get" if body is None else "post"]
    name = route["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    model: type[BaseModel] = getattr(answers, name)
    model.model_validate(answered.json())


def test_openapi_answers_of_udpipe_are_as_described(server: Running) -> None:
    answers.UdpipeAnswer.model_validate(server.post("/process", data={"data": "Go", "input": "horizontal"}).json())


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [("GET", "/api/parse", "POST"), ("PUT", "/process", "GET"), ("POST", "/api/health", "GET"), ("DELETE", "/", "GET")],
)
def test_openapi_other_methods_are_told_which_are_allowed(
    server: Running, method: str, path: str, allowed: str
) -> None:
    with server.client() as client:
        answer = client.request(method, path)
    assert answer.status_code == 405
    assert allowed in answer.headers["allow"].split(", ")
    assert answer.headers["content-type"].startswith("text/plain" if path == "/process" else "application/json")


def test_openapi_examples_work(server: Running) -> None:
    described = server.get("/openapi.json").json()
    tried = 0
    for path, methods in described["paths"].items():
        body = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        if body is None:
            continue
        schema = described["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
        for example in schema.get("examples", ()):
            assert server.post(path, example).status_code == 200, path
            tried += 1
    assert tried >= 6


@pytest.mark.full
def test_openapi_no_request_makes_the_service_fail(server: Running) -> None:
    schemathesis = pytest.importorskip("schemathesis")
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json")
    tried = set()
    for found in schema.get_all_operations():
        operation = found.ok()
        modes = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode))

        @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
        @given(case=modes)
        def check(case: Any) -> None:
            answer = case.call()
            assert answer.status_code < 500, answer.text

        check()
        tried.add(f"{operation.method.upper()} {operation.path}")
    assert tried == ROUTES
