"""Fixtures: a tiny model behind a server, once for all tests that leave it as it is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from arctag.parsing.loading import load
from arctag.parsing.parser import Parser
from tests.networks import Models

if TYPE_CHECKING:
    from tests.serve.servers import PausedParser, Running, Timers

MISSING = [name for name in ("fastapi", "uvicorn", "prometheus_client", "httpx") if find_spec(name) is None]
collect_ignore_glob = ["test_*.py", "*/test_*.py"] if MISSING else []


def pytest_report_header() -> list[str]:
    """Say why the tests of the service are left out, if they are."""
    return [f"the service is not tested: {', '.join(MISSING)} not installed"] if MISSING else []


@pytest.fixture(scope="session")
def tiny(models: Models) -> Parser:
    """A tiny parser that takes raw text."""
    return load(models("verified"), "cpu")


@pytest.fixture(scope="session")
def tiny_sdp(models: Models) -> Parser:
    """A tiny parser that was trained on SDP, and has no tokenizer."""
    return load(models("sdp"), "cpu")


@pytest.fixture(scope="session")
def server(tiny: Parser, tiny_sdp: Parser) -> Iterator[Running]:
    """A server with both."""
    from tests.serve.servers import running

    with running({"tiny-ud": tiny, "tiny-sdp": tiny_sdp}) as found:
        yield found


@pytest.fixture
def paused(tiny: Parser) -> Iterator[PausedParser]:
    """A parser that waits before each batch; at the end of the test nothing waits any more."""
    from tests.serve.servers import PausedParser

    parser = PausedParser(tiny)
    yield parser
    parser.resume()


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    """Time limits that run out when the test says so."""
    from tests.serve.servers import Timers

    return Timers(monkeypatch)
