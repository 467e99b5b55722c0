"""The description of the API: complete, and no request that follows it, or nearly so, makes the service fail."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.serve.servers import Running

ROUTES = {
    "GET /api/health", "GET /api/models", "GET /api/encodings", "POST /api/parse", "POST /api/read",
    "POST /api/convert", "POST /api/encode", "POST /api/decode", "POST /api/trace", "POST /api/score",
    "POST /api/picture", "GET /api/files", "GET /api/files/{number}",
    "GET /api/info", "GET /metrics", "GET /models", "POST /models", "GET /process", "POST /process",
}  # fmt: skip


def test_openapi_describes_every_route(server: Running) -> None:
    described = server.get("/openapi.json").json()
    found = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
    assert found == ROUTES
    for methods in described["paths"].values():
        for route in methods.values():
            assert route["description"]
            assert {"400", "413", "503", "504"} <= set(route["responses"])


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
