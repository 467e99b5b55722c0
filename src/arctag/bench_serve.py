"""Measuring a running service: many clients at a time, each sending one request after another.

Plain sockets, so that the clients cost little beside the server on the same machine.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from arctag.errors import InputError
from arctag.formats import read
from arctag.formats.tokens import TOKENS
from arctag.parsing.sources import TEXT, Source
from arctag.text.files import read_chunks

_PATH = "/api/parse"
_LENGTH = re.compile(rb"\ncontent-length: *(\d+)")
_LOOK = 0.05  # seconds between looks at how many were answered
_PAUSE = 0.1  # seconds before a client tries again that could not connect


@dataclass(frozen=True)
class Load:
    """What is sent, by how many, and for how long."""

    url: str
    clients: int = 64
    seconds: float = 60.0
    requests: int | None = None
    """Stop after so many, if that comes first."""


@dataclass
class _Seen:
    """What the clients have seen so far."""

    latencies: list[float] = field(default_factory=list)
    """Seconds, of the requests that were answered with 200."""
    errors: Counter[str] = field(default_factory=Counter)
    """Other answers by status, and connections that failed."""
    memory: dict[str, float] = field(default_factory=dict)
    """Megabytes that the server took up after so many requests."""

    @property
    def count(self) -> int:
        """Requests so far."""
        return len(self.latencies) + sum(self.errors.values())


def bench_serve(load: Load, file: str, per_request: int = 1) -> dict[str, Any]:
    """Send the sentences of a file over and over; latency, throughput, errors, and the memory of the server."""
    bodies = request_bodies(file, per_request)
    if not bodies:
        raise InputError(f"{file} holds no sentence to send")
    return asyncio.run(_bench(load, bodies))


def request_bodies(file: str, per_request: int) -> list[bytes]:
    """The bodies to send: paragraphs of a text, or sentences of a graph file as tokens, so many in each."""
    found: list[bytes] = []
    items = _items(file)
    while some := list(islice(items, per_request)):
        value = {"text": "\n\n".join(map(str, some))} if isinstance(some[0], str) else {"tokens": some}
        found.append(json.dumps(value).encode())
    return found


def _items(file: str) -> Iterator[str | list[str]]:
    source = Source(file)
    kind = source.format
    source.close()
    if kind == TEXT:
        return (chunk.text for chunk in read_chunks(file))
    if kind == TOKENS.name:
        raise InputError(f"{file}: give a text or a graph file")
    return (sentence.words for sentence in read(file, kind, words_only=True))


async def _bench(load: Load, bodies: list[bytes]) -> dict[str, Any]:
    parts = urlsplit(load.url if "//" in load.url else f"http://{load.url}")
    if parts.scheme != "http" or not parts.hostname:
        raise InputError(f"{load.url} is not the address of a service; one looks like http://127.0.0.1:8000")
    connect = _Connect(parts.hostname, parts.port or 80)
    before = await _server_figures(connect, load.url)
    seen, numbers, turn = _Seen(), count(), cycle(bodies)
    start = perf_counter()
    until = start + load.seconds

    async def client() -> None:
        async with connect() as connection:
            while perf_counter() < until and (load.requests is None or next(numbers) < load.requests):
                await connection.measure(next(turn), seen)

    watching = asyncio.ensure_future(_watch_memory(connect, load, seen))
    await asyncio.gather(*(client() for _ in range(load.clients)))
    seconds = perf_counter() - start
    await _ended(watching)
    after = await _server_figures(connect, load.url)
    words = after["words"] - before["words"]
    return {
        "url": load.url,
        "clients": load.clients,
        "seconds": round(seconds, 2),
        "requests": len(seen.latencies),
        "requests_per_s": round(len(seen.latencies) / seconds, 1),
        "words_per_s": round(words / seconds),
        "latency_ms": _latency(seen.latencies),
        "errors": dict(sorted(seen.errors.items())),
        "server_memory_mb": {
            "0": _megabytes(before),
            **seen.memory,
            str(seen.count): _megabytes(after),
        },
    }


async def _ended(watching: asyncio.Future[None]) -> None:
    """Stop watching; what went wrong in it is raised, for figures would be missing."""
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def _watch_memory(connect: _Connect, load: Load, seen: _Seen) -> None:
    """Ask for the memory of the server each time a tenth of the requests has been answered."""
    if load.requests is None:
        return
    for tenth in range(1, 10):
        while seen.count < load.requests * tenth // 10:
            await asyncio.sleep(_LOOK)
        seen.memory[str(seen.count)] = _megabytes(await _server_figures(connect, load.url))


def _megabytes(figures: dict[str, float]) -> float:
    return round(figures["memory"] / 1e6, 1)


def _latency(seconds: list[float]) -> dict[str, float]:
    """Percentiles in milliseconds; nothing if nothing was answered."""
    if not seconds:
        return {}
    p50, p90, p99, worst = np.percentile(np.array(seconds) * 1000, [50, 90, 99, 100])
    return {
        name: round(float(value), 1)
        for name, value in zip(("p50", "p90", "p99", "max"), (p50, p90, p99, worst), strict=True)
    }


async def _server_figures(connect: _Connect, url: str) -> dict[str, float]:
    """Words parsed so far, and the memory of the server."""
    async with connect() as connection:
        try:
            status, body = await connection.ask(b"GET", b"/metrics", b"")
        except OSError as error:
            raise InputError(f"no service at {url}: {error.strerror or error}") from error
    if status != 200:
        raise InputError(f"no service of Arctag at {url}: /metrics answers {status}")
    text = body.decode()
    words = sum(float(value) for value in re.findall(r"^arctag_words_parsed_total\{.*\} (\S+)$", text, re.MULTILINE))
    memory = re.search(r"^process_resident_memory_bytes (\S+)$", text, re.MULTILINE)
    return {"words": words, "memory": float(memory[1]) if memory else 0.0}


@dataclass(frozen=True)
class _Connect:
    """Where the server is."""

    host: str
    port: int

    def __call__(self) -> _Connection:
        return _Connection(self.host, self.port)


class _Connection:
    """A connection that is kept open from one request to the next, and made anew where it was closed."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._open: _Answers | None = None

    async def __aenter__(self) -> _Connection:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._open is not None:
            self._open.transport.close()
        self._open = None

    async def measure(self, body: bytes, seen: _Seen) -> None:
        """Send one request and note how long the answer took, or what came instead."""
        start = perf_counter()
        try:
            status, _ = await self.ask(b"POST", _PATH.encode(), body)
        except (OSError, ValueError):
            seen.errors["connection"] += 1
            self._close()
            await asyncio.sleep(_PAUSE)
            return
        if status == 200:
            seen.latencies.append(perf_counter() - start)
        else:
            seen.errors[str(status)] += 1

    async def ask(self, method: bytes, path: bytes, body: bytes) -> tuple[int, bytes]:
        """Send a request; the status and the body of the answer."""
        if self._open is None:
            _, self._open = await asyncio.get_running_loop().create_connection(_Answers, self._host, self._port)
        host = f"{self._host}:{self._port}".encode()
        answer = self._open.next_answer()
        self._open.transport.write(
            b"%b %b HTTP/1.1\r\nHost: %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (method, path, host, len(body), body)
        )
        head, found = await answer
        if b"\nconnection: close" in head:
            self._close()
        return int(head.split(b" ", 2)[1]), found


class _Answers(asyncio.Protocol):
    """Puts together what a server sends: one answer for each that is waited for."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when connected."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._data = b""
        self._lost: Exception | None = None
        self._answer: asyncio.Future[tuple[bytes, bytes]] | None = None

    def next_answer(self) -> asyncio.Future[tuple[bytes, bytes]]:
        """The head, in small letters, and the body of what will come."""
        if self._lost is not None:
            raise self._lost
        self._answer = asyncio.get_running_loop().create_future()
        return self._answer

    def data_received(self, data: bytes) -> None:
        """Called with each piece of an answer."""
        self._data += data
        head, end, body = self._data.partition(b"\r\n\r\n")
        if not end:
            return
        head = head.lower()
        length = _LENGTH.search(head)
        if len(body) >= (int(length[1]) if length else 0) and self._answer is not None and not self._answer.done():
            self._data = b""
            self._answer.set_result((head, body))

    def connection_lost(self, error: Exception | None) -> None:
        """Called when the server has closed the connection, or it broke."""
        self._lost = error or ConnectionResetError("the server closed the connection")
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(self._lost)
