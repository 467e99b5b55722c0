"""What stands before the routes: size, time, room, who may ask, and what every answer carries."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import dropwhile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from arctag.parsing.parser import Parser
from arctag.serve.guard.middleware import Guard
from arctag.serve.limits import Limits
from arctag.serve.service import Service
from tests.serve.servers import JSON, WAIT, PausedParser, Running, Timers, error, posting, running, wait_until

SMALL = Limits(requests=2, body=1_000)
ONE = {"tokens": [["one"]]}


@pytest.fixture
def small(paused: PausedParser) -> Iterator[Running]:
    """A server with little room, whose model waits for `resume`."""
    with running({"m": paused}, SMALL) as server:
        yield server
        paused.resume()


def test_guard_refuses_large_bodies(small: Running) -> None:
    line = error(small.post("/api/parse", {"text": "a" * 1_000}), 413)
    assert line == "the body of this request may have at most 1000 bytes"


def test_guard_refuses_large_bodies_before_they_are_sent(small: Running) -> None:
    answer = small.raw(posting("/api/parse", "Content-Length: 99999999999", "Expect: 100-continue"))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"100 Continue" not in answer


def test_guard_stops_reading_chunks_at_the_limit(small: Running) -> None:
    chunk = b"190\r\n" + b"a" * 400 + b"\r\n"
    answer = small.raw(posting("/api/parse", "Transfer-Encoding: chunked"), chunk, chunk, chunk)  # and no end
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"connection: close" in answer.lower()


@pytest.mark.parametrize("declared", [True, False], ids=["length", "chunked"])
def test_guard_large_bodies_are_answered_so_that_a_client_can_read_why(small: Running, declared: bool) -> None:
    """Far more than the buffers of a connection hold: the answer comes while the client is still sending."""
    part = b"a" * 65_536
    parts = 400
    place = urlsplit(small.url)
    connection = http.client.HTTPConnection(str(place.hostname), place.port, timeout=WAIT)
    sent = iter([part] * parts)
    headers = {**JSON, "Content-Length": str(parts * len(part))} if declared else JSON
    connection.request("POST", "/api/parse", body=sent, headers=headers, encode_chunked=not declared)
    answer = connection.getresponse()
    assert answer.status == 413
    assert json.loads(answer.read()) == {"error": "the body of this request may have at most 1000 bytes"}
    connection.close()
    wait_until(lambda: small.connections == 0)


def test_guard_does_not_read_for_ever_what_it_has_refused(paused: PausedParser) -> None:
    with running({"m": paused}, Limits(body=1_000, linger_seconds=0.05)) as hasty, hasty.connect() as connection:
        connection.sendall(posting("/api/parse", "Content-Length: 99999999"))
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 413 ")  # ended, though the client has sent nothing yet
        wait_until(lambda: hasty.connections == 0)


def test_guard_takes_chunks_below_the_limit(small: Running, paused: PausedParser) -> None:
    paused.resume()
    with small.client() as client:
        answer = client.post("/api/parse", content=iter([b'{"tokens"', b': [["a"]]}']), headers=JSON)
    assert answer.json()["sentences"][0]["words"] == ["a"]


def test_guard_bodies_of_gets_are_refused(small: Running) -> None:
    with small.client() as client:
        assert client.request("GET", "/api/health", content=b"x").status_code == 413


def test_guard_gives_up_on_a_body_that_does_not_come(tiny: Parser) -> None:
    with running({"m": tiny}, Limits(seconds=0.1)) as hasty:
        answer = hasty.raw(posting("/api/parse", "Content-Length: 10"), b"{")
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()


def test_guard_ends_what_takes_too_long_and_drops_the_rest(paused: PausedParser, timers: Timers) -> None:
    with running({"m": paused}) as server, ThreadPoolExecutor(2) as pool:
        first = pool.submit(server.post, "/api/parse", ONE)
        assert paused.begun.acquire(timeout=WAIT)
        second = pool.submit(server.post, "/api/parse", {"tokens": [["two"]]})
        waiting = server.service.models["m"]
        wait_until(lambda: waiting.queue_length() == 1)
        assert timers.run_out() == 2
        assert error(first.result(), 504) == "no answer within 60 s; send less at a time"
        error(second.result(), 504)
        assert waiting.queue_length() == 0
        paused.resume()
        assert server.post("/api/parse", {"tokens": [["three"]]}).status_code == 200
        assert paused.batches == [["one"], ["three"]]


async def guarded(service: Service, method: str, app: Any, send: Any) -> None:
    """Let an application answer one request, which stays connected."""
    bodies = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        return bodies.pop() if bodies else await asyncio.sleep(WAIT)

    headers = [(b"host", b"localhost")]
    scope = {"type": "http", "method": method, "path": "/", "query_string": b"", "headers": headers}
    await Guard(app, service)(scope, receive, send)


def test_guard_leaves_no_cancellation_behind(tiny: Parser) -> None:
    sent: list[Any] = []

    async def app(*_: object) -> None:
        await asyncio.sleep(WAIT)

    async def send(message: Any) -> None:
        sent.append(message)

    async def ask() -> int:
        await guarded(Service({"m": tiny}, Limits(seconds=0.1)), "GET", app, send)
        task = asyncio.current_task()
        assert task is not None
        return task.cancelling()

    assert asyncio.run(ask()) == 0
    assert sent[0]["status"] == 504


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_guard_answers_that_are_read_slowly_come_whole(tiny: Parser, timers: Timers, method: str) -> None:
    sent: list[Any] = []

    async def app(scope: object, receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})
        for more in (True, True, False):
            await send({"type": "http.response.body", "body": b"a", "more_body": more})

    async def send(message: Any) -> None:
        assert timers.run_out() == 0  # the limit ends where the answer begins
        await asyncio.sleep(0)
        sent.append(message)

    asyncio.run(guarded(Service({"m": tiny}), method, app, send))
    assert len(sent) == 4


def test_guard_long_downloads_come_whole(tiny: Parser, tmp_path: Path, timers: Timers) -> None:
    large, size = tmp_path / "large.conllu", 40_000_000  # more than the buffers on the way hold
    with large.open("wb") as file:
        file.truncate(size)
    with running({"m": tiny}, files=[large]) as server:
        with server.client() as client, client.stream("GET", "/api/files/1") as answer:
            assert timers.run_out() == 0
            assert sum(map(len, answer.iter_bytes())) == size


def test_guard_says_when_there_is_no_room(small: Running, paused: PausedParser) -> None:
    with ThreadPoolExecutor(2) as pool:
        inside = [pool.submit(small.post, "/api/parse", ONE) for _ in range(2)]
        wait_until(lambda: small.service.capacity.requests >= 2)
        refused = small.post("/api/parse", ONE)
        assert error(refused, 503) == "the service is busy; try again soon"
        assert int(refused.headers["retry-after"]) >= 1
        plain = small.post("/process", data={"data": "a"})
        assert (plain.status_code, plain.text) == (503, "the service is busy; try again soon\n")
        assert small.get("/api/health").json()["queue"] == 2
        paused.resume()
        assert [answer.result().status_code for answer in inside] == [200, 200]
    wait_until(lambda: small.get("/api/health").json()["queue"] == 0)
    assert small.post("/api/parse", ONE).status_code == 200


def test_guard_bounds_what_all_requests_hold(paused: PausedParser) -> None:
    limits = Limits(requests=100, body=1_000, bodies=2)
    with running({"m": paused}, limits) as server, ThreadPoolExecutor(2) as pool:
        large = {"tokens": [["a" * 900]]}
        inside = [pool.submit(server.post, "/api/parse", large) for _ in range(2)]
        wait_until(lambda: server.service.capacity.requests == 2)
        error(server.post("/api/parse", large), 503)
        paused.resume()
        assert [answer.result().status_code for answer in inside] == [200, 200]
        wait_until(lambda: server.service.capacity.requests == 0)
        assert server.post("/api/parse", large).status_code == 200


def test_guard_small_requests_come_in_beside_large_ones(paused: PausedParser) -> None:
    limits = Limits(requests=100, body=1_000, bodies=1)
    with running({"m": paused}, limits) as server, ThreadPoolExecutor(2) as pool:
        large = pool.submit(server.post, "/api/parse", {"tokens": [["a" * 950]]})
        wait_until(lambda: server.service.capacity.requests == 1)
        error(server.post("/api/parse", {"tokens": [["a" * 100]]}), 503)
        small = pool.submit(server.post, "/api/parse", ONE)
        wait_until(lambda: server.service.capacity.requests == 2)
        paused.resume()
        assert [large.result().status_code, small.result().status_code] == [200, 200]


def test_guard_half_a_body_takes_no_place(paused: PausedParser) -> None:
    paused.resume()
    with running({"m": paused}, Limits(requests=1)) as server, server.connect() as slow:
        slow.sendall(posting("/api/parse", "Content-Length: 10") + b"{")
        wait_until(lambda: server.connections == 1)
        assert server.post("/api/parse", ONE).status_code == 200


def test_guard_half_bodies_make_room_for_others(paused: PausedParser) -> None:
    """What is being sent holds all the bytes there are, until somebody else needs them."""
    paused.resume()
    with running({"m": paused}, Limits(body=1_000, bodies=1)) as server, server.connect() as slow:
        slow.sendall(posting("/api/parse", "Content-Length: 1000") + b"a" * 990)
        wait_until(lambda: server.service.capacity.bytes > 900)
        assert server.post("/api/parse", {"tokens": [["a" * 900]]}).status_code == 200
        assert slow.recv(65536).startswith(b"HTTP/1.1 408 ")
        wait_until(lambda: server.service.capacity.bytes == 0)


def test_guard_slow_readers_make_room_for_others(tiny: Parser) -> None:
    """Requests whose answers nobody reads hold all places, until somebody else needs one."""
    service = Service({"m": tiny}, Limits(requests=1))
    stuck: list[asyncio.Event] = []

    async def app(scope: object, receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    async def never(message: Any) -> None:
        stuck[0].set()
        await asyncio.sleep(WAIT)

    async def taken(message: Any) -> None:
        assert service.capacity.requests == 1

    async def both() -> None:
        stuck.append(asyncio.Event())
        slow = asyncio.ensure_future(guarded(service, "POST", app, never))
        await asyncio.wait_for(stuck[0].wait(), WAIT)
        await guarded(service, "POST", app, taken)
        await asyncio.wait_for(slow, WAIT)

    asyncio.run(both())
    assert service.capacity.requests == 0
    assert 'arctag_requests_total{path="other",status="499"} 1.0\n' in service.metrics.text()


def test_guard_drops_the_work_of_a_client_that_has_gone(paused: PausedParser) -> None:
    with running({"m": paused}) as server, ThreadPoolExecutor(1) as pool:
        first = pool.submit(server.post, "/api/parse", ONE)
        assert paused.begun.acquire(timeout=WAIT)
        body = b'{"tokens": [["gone"]]}'
        with server.connect() as connection:
            connection.sendall(posting("/api/parse", f"Content-Length: {len(body)}") + body)
            wait_until(lambda: server.service.models["m"].queue_length() >= 1)
        wait_until(lambda: server.service.capacity.requests <= 1)
        paused.resume()
        assert first.result().status_code == 200
        assert server.post("/api/parse", {"tokens": [["last"]]}).status_code == 200
        assert paused.batches == [["one"], ["last"]]
        assert 'arctag_requests_total{path="/api/parse",status="499"} 1.0\n' in server.get("/metrics").text


def test_guard_small_requests_alternate_with_a_large_one(paused: PausedParser) -> None:
    with running({"m": paused}) as server, ThreadPoolExecutor(2) as pool:
        large = pool.submit(server.post, "/api/parse", {"tokens": [["w"] * 300 for _ in range(10)]})
        assert paused.begun.acquire(timeout=WAIT)
        small = pool.submit(server.post, "/api/parse", ONE)
        wait_until(lambda: server.service.models["m"].queue_length() >= 1)
        paused.go.release(2)  # the first chunk, and what came meanwhile
        assert small.result().status_code == 200
        assert not large.done()
        paused.resume()
        assert len(large.result().json()["sentences"]) == 10
        assert "one" in paused.batches[1]


def test_guard_bound_to_the_network_answers_for_any_name(tiny: Parser) -> None:
    with running({"m": tiny}, host="0.0.0.0") as server:
        assert server.get("/api/health", headers={"Host": "parser.example"}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/api/health"), ("GET", "/docs"), ("GET", "/nothing"), ("POST", "/api/parse"), ("GET", "/process")],
)
def test_guard_every_answer_has_its_headers(server: Running, method: str, path: str) -> None:
    with server.client() as client:
        headers = client.request(method, path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert re.fullmatch("[0-9a-f]{12}", headers["x-request-id"])
    assert not [name for name in headers if name.startswith("access-control-")]
    assert "server" not in headers


def test_guard_other_origins_are_told_nothing(server: Running) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    with server.client() as client:
        answer = client.options("/api/parse", headers=headers)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_guard_refuses_what_is_not_json(server: Running) -> None:
    answer = server.post("/api/parse", content=b'{"text": "a"}', headers={"Content-Type": "text/plain"})
    assert error(answer, 415) == "send JSON, with the header Content-Type: application/json"


def _lines_from(request: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged, from the line of this request on."""
    lines = [record.getMessage() for record in caplog.records]
    return list(dropwhile(lambda line: not line.startswith(request), lines))


def test_guard_logs_one_line_without_a_users_text(server: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "arctag.serve"):
        answer = server.post("/api/parse?secret=1", {"tokens": [["secret", "words"]]})
        server.get("/secret")
        server.get("/process?data=secret%20words&input=horizontal")
        with server.client() as client:
            client.request("SECRET", "/api/parse")
        server.post("/api/parse", {"text": "secret", "ensure": ["secret"]})
        ours = answer.headers["x-request-id"]  # a line comes after the answer: that of the last test may be first
        wait_until(lambda: len(_lines_from(ours, caplog)) >= 5)
    lines = _lines_from(ours, caplog)
    assert re.fullmatch(r"[0-9a-f]{12} POST /api/parse 200 \d+\.\d ms 2 words", lines[0])
    assert [line.split()[1:4] for line in lines[1:]] == [
        ["GET", "other", "404"],
        ["GET", "/process", "200"],
        ["other", "/api/parse", "405"],
        ["POST", "/api/parse", "400"],
    ]
    assert "secret" not in "".join(lines).lower()


def test_guard_a_fault_is_logged_without_its_message(paused: PausedParser, caplog: pytest.LogCaptureFixture) -> None:
    paused.fails = True
    paused.resume()
    with running({"m": paused}) as server, caplog.at_level(logging.INFO, "arctag.serve"):
        answer = server.post("/api/parse", {"tokens": [["secret"]]})
        assert error(answer, 500).startswith("internal error")
        assert server.get("/api/health").status_code == 200
    faults = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert len(faults) == 1
    assert faults[0].startswith(f"{answer.headers['x-request-id']} failed: ZeroDivisionError at ")
    assert "servers.py:" in faults[0].split(" < ")[0]  # the line that raised it
    assert "routes/parse.py:" in faults[0]
    assert "another" not in faults[0]


def test_guard_large_answers_come_whole(server: Running) -> None:
    words = [["abcdefghij" * 10] * 20 for _ in range(200)]
    answer = server.post("/api/parse", {"tokens": words})
    assert len(answer.content) > 300_000
    assert [s["words"] for s in answer.json()["sentences"]] == words


def test_guard_keeps_connections(server: Running) -> None:
    request = posting("/api/parse", "Content-Length: 19") + b'{"tokens": [["a"]]}'
    last = posting("/api/parse", "Content-Length: 19", "Connection: close") + b'{"tokens": [["a"]]}'
    assert server.raw(request + last).count(b"HTTP/1.1 200 ") == 2


def test_guard_passes_other_protocols_on() -> None:
    seen = []

    async def app(scope: object, receive: object, send: object) -> None:
        seen.append(scope)

    asyncio.run(Guard(app, None)({"type": "lifespan"}, None, None))  # type: ignore[arg-type]
    assert seen == [{"type": "lifespan"}]
