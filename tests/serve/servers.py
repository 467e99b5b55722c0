"""Servers for tests: the application behind a real socket, in a thread of this process."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from arctag.parsing.parser import ParseOptions, Parser, Report
from arctag.sentence import Sentence
from arctag.serve.guard.exchange import Refusal
from arctag.serve.guard.middleware import _Deadline
from arctag.serve.limits import Limits
from arctag.serve.server import Server, bound_socket, make_server, url_of
from arctag.serve.service import Service
from tests.patience import HANGS

JSON = {"Content-Type": "application/json"}
WAIT = HANGS
"""Seconds after which a test gives up on what must happen; far more than a busy machine takes."""


@contextmanager
def running(
    parsers: dict[str, Any], limits: Limits | None = None, host: str = "127.0.0.1", files: Sequence[Path] = ()
) -> Iterator[Running]:
    """A server with these models, for as long as the block lasts."""
    service = Service(parsers, limits, files)
    ready = threading.Event()
    with bound_socket("127.0.0.1", 0) as bound:
        server = make_server(service, host, ready.set)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        try:
            assert ready.wait(WAIT)
            yield Running(url_of(bound), service, server)
        finally:
            server.should_exit = True
            thread.join(WAIT)
        assert not thread.is_alive()


class Running:
    """Where a server is, and what it is made of."""

    def __init__(self, url: str, service: Service, server: Server) -> None:
        self.url, self.service, self.state = url, service, server.server_state

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self.state.connections)

    def connect(self) -> socket.socket:
        """A bare connection."""
        place = urlsplit(self.url)
        return socket.create_connection((str(place.hostname), place.port or 80), timeout=WAIT)

    def raw(self, *parts: bytes) -> bytes:
        """Send bytes as they are; what comes back until the connection is closed."""
        with self.connect() as connection:
            for part in parts:
                connection.sendall(part)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def client(self, timeout: float = WAIT) -> httpx.Client:
        """A client that knows the server's address and goes straight there."""
        return httpx.Client(base_url=self.url, timeout=timeout, trust_env=False)

    def get(self, path: str, **keys: Any) -> httpx.Response:
        with self.client() as client:
            return client.get(path, **keys)

    def post(self, path: str, value: Any = None, **keys: Any) -> httpx.Response:
        """Send JSON, or whatever the keys say."""
        with self.client() as client:
            if value is not None:
                keys = {"content": json.dumps(value).encode(), "headers": JSON, **keys}
            return client.post(path, **keys)


def wait_until(condition: Callable[[], bool], seconds: float = WAIT) -> None:
    """Wait for something that happens in another thread."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.002)


def posting(path: str = "/api/parse", *headers: str) -> bytes:
    """The header of a request that sends JSON."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def error(response: httpx.Response, status: int = 400) -> str:
    """The one line of an error."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    value = response.json()
    assert list(value) == ["error"]
    line: str = value["error"]
    assert line == line.strip() != ""
    assert "\n" not in line
    return line


class PausedParser:
    """A parser that waits for `resume` before each batch, and keeps a list of them."""

    def __init__(self, parser: Parser) -> None:
        self.inner = parser
        self.go = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        self.batches: list[list[str]] = []
        self.fails = False
        """Whether there is a fault in it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def resume(self) -> None:
        """Wait no more."""
        self.go.release(10_000)

    def parse_sentences(
        self, sentences: Iterable[Sentence], options: ParseOptions | None = None, report: Report | None = None
    ) -> Iterator[Sentence]:
        batch = list(sentences)
        self.batches.append([sentence.text for sentence in batch])
        self.begun.release()
        assert self.go.acquire(timeout=WAIT)
        if self.fails:
            try:
                raise KeyError("a bug")
            except KeyError as error:
                raise ZeroDivisionError("another") from error
        return self.inner.parse_sentences(batch, options, report)


class Timers:
    """Time limits that run out when a test says so, and not before."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._running: list[tuple[asyncio.AbstractEventLoop, asyncio.TimerHandle, _Deadline]] = []
        begin = _Deadline.__init__

        def init(deadline: _Deadline, timeout: Refusal, seconds: float) -> None:
            begin(deadline, timeout, 10 * seconds + 3600)
            self._running.append((asyncio.get_running_loop(), deadline._timer, deadline))

        monkeypatch.setattr(_Deadline, "__init__", init)

    def run_out(self) -> int:
        """Let all limits run out that still run; how many these were."""
        due = [(loop, deadline) for loop, timer, deadline in self._running if not timer.cancelled()]
        self._running.clear()
        for loop, deadline in due:
            loop.call_soon_threadsafe(deadline.expire)
        return len(due)
