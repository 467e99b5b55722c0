"""However a request ends, nothing of it stays: no sentence, no frame, and nothing for the garbage collector to find."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any

import pytest

from arctag.sentence import Sentence
from arctag.serve.limits import Limits
from tests.serve.servers import WAIT, PausedParser, Running, Timers, posting, running, wait_until

LARGE = {"tokens": [["a", "b"] * 100 for _ in range(20)]}
"""Eight chunks."""


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Let garbage in cycles stay."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def server(paused: PausedParser, timers: Timers) -> Iterator[Running]:
    with running({"m": paused}, Limits(requests=1, body=60_000)) as found:
        yield found
        paused.resume()


def alive() -> list[object]:
    """What requests are made of; a traceback holds the frames of a request, and so all that was in them."""
    return [one for one in gc.get_objects() if type(one) in (Sentence, TracebackType)]


def begin(server: Running, paused: PausedParser, value: Any, batches: int) -> Any:
    """Send a request, and wait until so many of its batches have been parsed and the next has begun."""
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(server.post, "/api/parse", value)
        paused.go.release(batches)
        for _ in range(batches + 1):
            assert paused.begun.acquire(timeout=WAIT)
        yield
        paused.resume()
        yield answer.result().status_code


def well(server: Running, paused: PausedParser, timers: Timers) -> int:
    paused.resume()
    return server.post("/api/parse", LARGE).status_code


def too_late(server: Running, paused: PausedParser, timers: Timers) -> int:
    steps = begin(server, paused, LARGE, 3)
    next(steps)
    assert timers.run_out() == 1
    return int(next(steps))


def busy(server: Running, paused: PausedParser, timers: Timers) -> int:
    steps = begin(server, paused, LARGE, 1)
    next(steps)
    status = server.post("/api/parse", LARGE).status_code
    assert next(steps) == 200
    return status


def gone(server: Running, paused: PausedParser, timers: Timers) -> int:
    body = b'{"tokens": [["a"], ["b"]]}'
    with server.connect() as connection:
        connection.sendall(posting("/api/parse", f"Content-Length: {len(body)}") + body)
        assert paused.begun.acquire(timeout=WAIT)
    wait_until(lambda: 'path="/api/parse",status="499"} 1.0\n' in server.service.metrics.text())
    paused.resume()
    return 499


def half_sent(server: Running, paused: PausedParser, timers: Timers) -> int:
    with server.connect() as connection:
        connection.sendall(posting("/api/parse", "Content-Length: 9000") + b"{" * 8_000)
        wait_until(lambda: server.service.capacity.bytes > 0)
        timers.run_out()
        return int(connection.recv(65536).split()[1])


def too_large(server: Running, paused: PausedParser, timers: Timers) -> int:
    chunk = b"8000\r\n" + b"a" * 0x8000 + b"\r\n"
    return int(server.raw(posting("/api/parse", "Transfer-Encoding: chunked"), chunk, chunk).split()[1])


def wrong(server: Running, paused: PausedParser, timers: Timers) -> int:
    paused.resume()
    return server.post("/api/parse", {"tokens": [["a"]] * 300 + [["a"] * 3_000]}).status_code


def fault_in_parsing(server: Running, paused: PausedParser, timers: Timers) -> int:
    paused.fails = True
    paused.resume()
    return server.post("/api/parse", LARGE).status_code


def fault_beside(server: Running, paused: PausedParser, timers: Timers) -> int:
    """In a thread other than the model's."""
    paused.resume()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arctag.serve.routes.parse.sentence_json", lambda _: 1 / 0)
        return server.post("/api/parse", LARGE).status_code


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(
    ("end", "status"),
    [(well, 200), (too_late, 504), (busy, 503), (gone, 499), (half_sent, 408), (too_large, 413), (wrong, 400),
     (fault_in_parsing, 500), (fault_beside, 500)],
)  # fmt: skip
def test_memory_nothing_of_a_request_stays(
    server: Running, paused: PausedParser, timers: Timers, end: Callable[..., int], status: int
) -> None:
    before = alive()
    old = set(map(id, before))
    assert end(server, paused, timers) == status
    wait_until(lambda: server.service.capacity.requests == 0 and server.service.models["m"].queue_length() == 0)
    wait_until(lambda: not [one for one in alive() if id(one) not in old])


def test_memory_queued_work_of_a_request_that_ended_is_dropped(paused: PausedParser, timers: Timers) -> None:
    with running({"m": paused}) as server, ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(server.post, "/api/parse", {"tokens": [[f"w{i}"]]}) for i in range(4)]
        assert paused.begun.acquire(timeout=WAIT)
        wait_until(lambda: server.service.capacity.requests == 4)
        timers.run_out()
        assert {answer.result().status_code for answer in answers} == {504}
        assert server.service.models["m"].queue_length() == 0
        paused.resume()


def test_memory_what_stays_is_seen() -> None:
    before = len(alive())
    kept = [Sentence.from_words(["a"])]
    assert len(alive()) == before + len(kept)
