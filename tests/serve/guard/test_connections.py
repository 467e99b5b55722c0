"""Connections whose clients send nothing, or read nothing: they end, and they keep nobody out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from arctag.parsing.parser import Parser
from arctag.serve.guard import connections as module
from arctag.serve.guard.connections import Connection, connection_class
from arctag.serve.limits import Limits
from arctag.serve.metrics import Metrics
from tests.serve.servers import posting, running, wait_until

GET = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
ONE = {"tokens": [["one"]]}


@dataclass
class Timer:
    """Something to be done later."""

    when: float
    work: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """A loop whose time passes when a test says so, and whose tasks never run."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[Timer] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, work: Callable[[], None]) -> Timer:
        self._timers.append(Timer(when, work))
        return self._timers[-1]

    def call_later(self, seconds: float, work: Callable[[], None]) -> Timer:
        return self.call_at(self.now + seconds, work)

    def create_task(self, work: Any) -> Any:
        work.close()
        return self

    def add_done_callback(self, work: object) -> None:
        """What a task has."""

    def run(self, until: float) -> None:
        """Let time pass."""
        while due := [timer for timer in self._timers if timer.when <= until and not timer.cancelled]:
            first = min(due, key=lambda timer: timer.when)
            self._timers.remove(first)
            self.now = first.when
            first.work()
        self.now = until


class Transport:
    """The way to a client that reads when a test says so."""

    def __init__(self) -> None:
        self.unsent, self.closed, self.aborted = 0, False, False

    def get_extra_info(self, name: str) -> None:
        return None

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def write(self, data: bytes) -> None:
        self.unsent += len(data)

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = self.aborted = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        """Nothing."""


class Clients:
    """Clients of one service, which wait in vain for their answers."""

    def __init__(self, **limits: float) -> None:
        self.loop, self.state, self.metrics = Loop(), ServerState(), Metrics()
        self._class = connection_class(Limits(idle_seconds=10, **limits), self.metrics)  # type: ignore[arg-type]

    def connect(self) -> tuple[Connection, Transport]:
        config = uvicorn.Config(_no_app, log_config=None, timeout_keep_alive=3600)
        made, transport = self._class(config, self.state, {}, self.loop), Transport()  # type: ignore[arg-type]
        made.connection_made(transport)  # type: ignore[arg-type]
        return made, transport


async def _no_app(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("no task runs")


def answered(connection: Connection) -> None:
    """Let the whole answer be given to the transport."""
    connection.cycle.response_complete = True
    connection.on_response_complete()


def test_connections_that_send_nothing_are_closed() -> None:
    clients = Clients()
    _, transport = clients.connect()
    clients.loop.run(9.9)
    assert clients.state.connections
    clients.loop.run(10)
    assert transport.closed
    assert 'arctag_connections_dropped_total{why="late"} 1.0\n' in clients.metrics.text()
    assert not clients.state.connections


def test_connections_that_send_a_header_bit_by_bit_are_closed() -> None:
    clients = Clients()
    connection, transport = clients.connect()
    for second, byte in enumerate(GET[:10]):
        clients.loop.run(second)
        connection.data_received(bytes([byte]))
    clients.loop.run(10)
    assert transport.closed


def test_connections_that_wait_for_an_answer_stay() -> None:
    clients = Clients()
    connection, transport = clients.connect()
    connection.data_received(GET + b"\r\n")
    clients.loop.run(1_000)
    assert not transport.closed


def test_connections_that_have_their_answer_have_time_for_the_next_header() -> None:
    clients = Clients()
    connection, transport = clients.connect()
    connection.data_received(GET + b"\r\n")
    clients.loop.run(25)
    answered(connection)
    connection.data_received(b"G")
    clients.loop.run(34.9)
    assert not transport.closed
    clients.loop.run(35)
    assert transport.closed


@pytest.mark.parametrize("complete", [True, False])
def test_connections_stay_as_long_as_the_answer_is_read(complete: bool) -> None:
    clients = Clients()
    connection, transport = clients.connect()
    connection.data_received(GET + b"\r\n")
    transport.unsent = 100_000
    connection.pause_writing()
    if complete:
        answered(connection)
    for second in range(0, 100, 5):
        transport.unsent -= 1
        clients.loop.run(second)
        assert not transport.closed
    clients.loop.run(120)  # nothing is read any more: a look finds the same twice
    assert transport.aborted


def test_connections_that_are_being_closed_are_not_waited_for() -> None:
    clients = Clients()
    _, transport = clients.connect()
    transport.unsent = 100
    transport.close()
    clients.loop.run(20)
    assert transport.aborted


def test_connections_the_one_that_waited_longest_makes_room() -> None:
    clients = Clients(connections=3)
    busy, first, second = clients.connect(), clients.connect(), clients.connect()
    busy[0].data_received(GET + b"\r\n")
    clients.loop.run(1)
    first[0].data_received(posting("/api/parse", "Content-Length: 9"))  # and no body
    clients.loop.run(2)
    third = clients.connect()
    assert (second[1].closed, first[1].closed) == (True, False)
    fourth = clients.connect()
    assert (first[1].closed, third[1].closed) == (True, False)
    for connection, _ in (third, fourth):
        connection.data_received(GET + b"\r\n")
    _, refused = clients.connect()
    assert refused.closed  # all others wait for us
    assert [transport.closed for _, transport in (busy, third, fourth)] == [False, False, False]
    assert len(clients.state.connections) == 3


def test_connections_leave_room_for_other_files(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    assert module._allowed(500) == 128
    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    assert module._allowed(500) == 500


@pytest.mark.parametrize("sent", [b"", GET, posting("/api/parse", "Content-Length: 9") + b"{"])
def test_connections_of_silent_clients_end(tiny: Parser, sent: bytes) -> None:
    with running({"m": tiny}, Limits(idle_seconds=0.1, seconds=0.1)) as server, server.connect() as silent:
        with suppress(ConnectionError):  # it may be closed before that
            silent.sendall(sent)
            while silent.recv(65536):
                pass
        wait_until(lambda: server.connections == 0)


@pytest.mark.parametrize("sent", [b"", GET, posting("/api/parse", "Content-Length: 9") + b"{"])
def test_connections_of_silent_clients_keep_nobody_out(tiny: Parser, sent: bytes) -> None:
    limits = Limits(connections=20, idle_seconds=3600, seconds=3600, requests=5)
    with running({"m": tiny}, limits) as server, ExitStack() as stack:
        for _ in range(100):
            silent = stack.enter_context(server.connect())
            silent.sendall(sent)
        for _ in range(10):
            assert server.post("/api/parse", ONE).status_code == 200
        assert server.connections <= 20


def test_connections_of_clients_that_do_not_read_make_room(tiny: Parser, tmp_path: Path) -> None:
    large = tmp_path / "large.conllu"
    with large.open("wb") as file:
        file.truncate(40_000_000)  # more than the buffers on the way hold
    with running({"m": tiny}, Limits(connections=1, idle_seconds=3600), files=[large]) as server:
        with server.connect() as silent:
            silent.sendall(b"GET /api/files/1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wait_until(lambda: any(map(_unread, [*server.state.connections])))
            assert server.get("/api/health").status_code == 200
            counted = 'arctag_requests_total{path="/api/files/{number}",status="499"} 1.0\n'
            wait_until(lambda: counted in server.service.metrics.text())


def _unread(one: object) -> bool:
    """Whether an answer waits for its client."""
    return isinstance(one, Connection) and one.flow.write_paused
