"""Four hours of traffic in minutes: work, mistakes, faults, time-outs and clients that do not behave.

A round stands for a minute at one request a second. After each the service must be as it was before.
"""

from __future__ import annotations

import gc
import json
import logging
import re
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import pytest

from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.serve.limits import Limits
from tests.serve.servers import JSON, WAIT, Running, Timers, posting, running, wait_until

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
LONG = [["the", "kettle", "sings", "and", "she", "leaves"] * 20 for _ in range(15)]  # three chunks
LIMITS = Limits(requests=100, body=100_000, connections=40, seconds=3600, idle_seconds=3600)
Request = tuple[str, str, Any, dict[str, str], int]
"""Method, path, body, headers, and the status of the answer."""


def _json(path: str, value: object, status: int = 200) -> Request:
    return "POST", path, json.dumps(value), JSON, status


ORDINARY: list[Request] = [
    *[_json("/api/parse", {"tokens": [["She", "left"], ["He", "stayed", "."]]})] * 10,
    *[_json("/api/parse", {"text": "She wants to leave. He stays."})] * 10,
    _json("/api/parse", {"tokens": LONG}),
    _json("/api/parse", {"tokens": LONG[:2], "svg": True, "probabilities": True}),
    ("POST", "/process", "data=She+left.&tokenizer=&parser=", FORM, 200),
    ("GET", "/process?data=She+left&input=horizontal", None, {}, 200),
    ("GET", "/api/health", None, {}, 200),
    ("GET", "/", None, {}, 200),
    ("GET", "/api/files/1", None, {}, 200),
    _json("/api/encode", {"n": 2, "arcs": [{"head": 0, "dependent": 2}], "encoding": "bits6-1"}),
    _json("/api/picture", {"words": ["a", "b"], "arcs": [{"head": 0, "dependent": 2}]}),
    _json("/api/parse", {"graphs": "1\tGo\n\n2\tbroken\n"}),
    _json("/api/parse", {"tokens": [["a"] * 3_000]}, 400),
    _json("/api/parse", {"tokens": LONG, "threshold": 7}, 400),
    _json("/api/parse", {"tokens": "a"}, 422),
    _json("/api/nothing", {}, 404),
    _json("/api/parse", {"tokens": [*LONG, ["bug"]]}, 500),
    _json("/api/parse", {"tokens": [["bug"]]}, 500),
    ("POST", "/process", "data=a", {**FORM, "Origin": "https://other.example"}, 403),
    ("GET", "/api/health", None, {"Host": "[::1].evil.com"}, 400),
]

LATE = _json("/api/parse", {"tokens": [*LONG, ["stuck"]], "model": "slow"}, 504)


class Seen:
    """What clients have seen, and what the log says."""

    def __init__(self) -> None:
        self.statuses: Counter[int] = Counter()
        self.levels: Counter[int] = Counter()

    def ask(self, server: Running, request: Request) -> None:
        method, path, body, headers, status = request
        place = urlsplit(server.url)
        connection = HTTPConnection(str(place.hostname), place.port, timeout=WAIT)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            assert (answer.status, path) == (status, path), answer.read()
            answer.read()
        finally:
            connection.close()
        self.statuses[status] += 1

    @contextmanager
    def log(self) -> Iterator[None]:
        """Count the lines of the log, which nobody keeps."""
        handler, logger = logging.Handler(), logging.getLogger("arctag.serve")
        handler.emit = lambda record: self.levels.update([record.levelno])  # type: ignore[method-assign]
        before = logger.level, logger.propagate
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        logger.propagate = False
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(before[0])
            logger.propagate = before[1]


class Trouble:
    """A parser that stops at the word 'stuck', and falls over the word 'bug'."""

    def __init__(self, parser: Parser) -> None:
        self.inner = parser
        self.stuck, self.go = threading.Semaphore(0), threading.Semaphore(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def parse_sentences(self, sentences: list[Sentence], *rest: Any, **keys: Any) -> Iterator[Sentence]:
        words = {word for sentence in sentences for word in sentence.words}
        if "bug" in words:
            raise ZeroDivisionError
        if "stuck" in words:
            self.stuck.release()
            assert self.go.acquire(timeout=WAIT)
        return self.inner.parse_sentences(sentences, *rest, **keys)


class Traffic:
    """A service and all kinds of clients."""

    def __init__(self, server: Running, trouble: Trouble, timers: Timers, pool: ThreadPoolExecutor) -> None:
        self.server, self._trouble, self._timers, self._pool = server, trouble, timers, pool
        self.seen = Seen()
        self.dropped = 0

    def minute(self) -> None:
        """Requests that run out of time, while others are answered and clients come and go."""
        late = [self._pool.submit(self.seen.ask, self.server, LATE) for _ in range(3)]
        assert self._trouble.stuck.acquire(timeout=WAIT)
        wait_until(lambda: self.server.service.capacity.requests == len(late))
        with self.server.connect() as half:
            half.sendall(posting("/api/parse", "Content-Length: 9000") + b"{" * 8_000)
            for done in [self._pool.submit(self.seen.ask, self.server, request) for request in ORDINARY]:
                done.result()
            self._leave(posting("/api/parse", f"Content-Length: {len(LATE[2])}") + LATE[2].encode())
            self._leave(b"GET /api/files/2 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self._timers.run_out()
            for done in late:
                done.result()
            assert half.recv(65536).startswith(b"HTTP/1.1 408 ")
        assert self.server.raw(posting("/api/parse", "Content-Length: 99999999")).startswith(b"HTTP/1.1 413 ")
        self.seen.statuses.update([408, 413])
        self._trouble.go.release()
        self._crowd()
        self._calm()

    def _leave(self, request: bytes) -> None:
        """A client that does not wait for its answer."""
        self.seen.statuses[499] += 1
        with self.server.connect() as connection:
            connection.sendall(request)
            wait_until(lambda: self.server.service.capacity.requests == 4 or b"/files/" in request)
        wait_until(lambda: statuses(self.server)[499] == self.seen.statuses[499])

    def _crowd(self) -> None:
        """More clients than there is room for, which say nothing, or not enough."""
        wait_until(lambda: self.server.connections == 0)
        with ExitStack() as stack:
            for number in range(LIMITS.connections + 5):
                connection = stack.enter_context(self.server.connect())
                connection.sendall(b"GET / HTTP/1.1\r\nHost:" * (number % 2))
            self.dropped += 5
            wait_until(lambda: f'dropped_total{{why="room"}} {self.dropped}.0\n' in text(self.server))

    def _calm(self) -> None:
        service = self.server.service
        wait_until(lambda: self.server.connections == 0)
        wait_until(
            lambda: (service.capacity.requests, service.capacity.bytes, len(service._parsing_turns)) == (0, 0, 0)
        )
        wait_until(lambda: all(model.queue_length() == 0 for model in service.models.values()))


def text(server: Running) -> str:
    return server.service.metrics.text()


def statuses(server: Running) -> Counter[int]:
    """How many requests the service says it has answered with each status."""
    found: Counter[int] = Counter()
    for status, count in re.findall(
        r'^arctag_requests_total\{.*status="(\d+)"\} (\d+)\.0$', text(server), re.MULTILINE
    ):
        found[int(status)] += int(count)
    return found


def of_requests() -> list[object]:
    """What requests are made of: sentences, and frames of ours that a traceback holds."""
    return [one for one in gc.get_objects() if type(one) is Sentence or (type(one) is TracebackType and _is_ours(one))]


def _is_ours(one: TracebackType) -> bool:
    return str(one.tb_frame.f_globals.get("__name__")).startswith("arctag.")


@pytest.mark.parametrize("minutes", [4, pytest.param(240, marks=pytest.mark.full)])
def test_soak_leaves_the_service_as_it_was(
    tiny: Parser, tiny_sdp: Parser, timers: Timers, tmp_path: Path, sample: Path, minutes: int
) -> None:
    large = tmp_path / "large.conllu"
    with large.open("wb") as file:
        file.truncate(20_000_000)  # more than the buffers on the way hold
    threads = set(threading.enumerate())
    models = {"m": Trouble(tiny), "slow": Trouble(tiny_sdp)}
    with (
        running(models, LIMITS, files=[sample, large]) as server,
        ThreadPoolExecutor(8) as pool,
    ):
        traffic = Traffic(server, models["slow"], timers, pool)
        with traffic.seen.log():
            sizes = [measured(traffic) for _ in range(minutes)]
        assert statuses(server) == traffic.seen.statuses
        wait_until(lambda: traffic.seen.levels[logging.INFO] == traffic.seen.statuses.total())
        assert traffic.seen.levels[logging.ERROR] == traffic.seen.statuses[500] == 2 * minutes
    wait_until(lambda: set(threading.enumerate()) <= threads)  # those of AnyIO end a little later
    objects, memory = zip(*sizes, strict=True)
    settled = minutes // 2  # caches are full, and everything has been imported
    assert max(objects[settled:]) < objects[settled - 1] + 500
    assert max(memory[settled:]) < memory[settled - 1] + 50_000_000


def measured(traffic: Traffic) -> tuple[int, float]:
    """Let a minute pass; the objects in the process afterwards, and its memory."""
    before = of_requests()
    old = set(map(id, before))
    gc.disable()  # what a request leaves in cycles would stay
    try:
        traffic.minute()
        wait_until(lambda: all(id(one) in old for one in of_requests()))
    finally:
        gc.enable()
    gc.collect()
    memory = traffic.server.service.metrics.registry.get_sample_value("process_resident_memory_bytes")
    return len(gc.get_objects()), memory or 0
