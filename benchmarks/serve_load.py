"""Load generator for `arctag serve`: many clients at a time, each sending one request after another.

With a server running:

    python benchmarks/serve_load.py http://127.0.0.1:8000 dev.conllu --clients 64 --seconds 60

Plain sockets, so that the clients cost little beside the server on the same machine.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count, cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import click
import numpy as np

from arctag import ArctagError, read
from arctag.analysis.timing import machine
from arctag.errors import InputError

_PATH = b"/api/parse"
_CONTENT_LENGTH = re.compile(rb"\ncontent-length: *(\d+)")
_POLL_INTERVAL = 0.05  # seconds between looks at how many requests were answered
_RETRY_DELAY = 0.1  # seconds before a client that could not connect tries again
_PERCENTILES = {"p50": 50, "p90": 90, "p99": 99, "max": 100}


@dataclass(frozen=True)
class Load:
    """Where requests are sent, by how many clients, and for how long."""

    url: str
    clients: int = 64
    seconds: float = 60.0
    requests: int | None = None
    """Stop after so many, if that comes first."""


@dataclass
class _Results:
    """What the clients have seen so far."""

    latencies: list[float] = field(default_factory=list)
    """Seconds, of the requests that were answered with 200."""
    errors: Counter[str] = field(default_factory=Counter)
    """Other answers by status, and connections that failed."""
    memory: dict[str, float] = field(default_factory=dict)
    """Resident megabytes of the server after so many requests."""

    @property
    def count(self) -> int:
        """Requests so far."""
        return len(self.latencies) + sum(self.errors.values())


@click.command()
@click.argument("url")
@click.argument("file")
@click.option("--clients", type=click.IntRange(min=1), default=64, show_default=True, help="Requests at a time.")
@click.option("--seconds", type=click.FloatRange(min=0), default=60.0, show_default=True, help="Duration.")
@click.option("--requests", type=click.IntRange(min=1), help="Stop after so many, if that comes first.")
@click.option(
    "--per-request", type=click.IntRange(min=1), default=1, show_default=True,
    help="Sentences of a graph file, or paragraphs of a text, in each request.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(
    url: str, file: str, clients: int, seconds: float, requests: int | None, per_request: int, as_json: bool
) -> None:
    """Latency and throughput of the service at URL while clients send it the sentences of FILE over and over.

    FILE is a graph file, or a text (.txt).
    """
    try:
        results = measure(Load(url, clients, seconds, requests), file, per_request)
    except (ArctagError, OSError) as error:
        click.echo(f"serve_load: {error}", err=True)
        sys.exit(2)
    if as_json:
        click.echo(json.dumps({"machine": machine(), **results}, indent=1))
    else:
        for name, value in _rows(results):
            click.echo(f"{name}\t{value}")


def _rows(results: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The results as a table for people."""
    for name, value in results.items():
        if name == "latency_ms":
            yield from ((f"{percentile} ms", latency) for percentile, latency in value.items())
        elif name == "errors":
            yield name, ", ".join(f"{number} × {kind}" for kind, number in value.items()) or "none"
        elif name == "server_memory_mb":
            yield from ((f"server MB after {int(requests):,}", memory) for requests, memory in value.items())
        else:
            yield name.replace("_", " "), value


def measure(load: Load, file: str, per_request: int = 1) -> dict[str, Any]:
    """Send the sentences of a file over and over; latency, throughput, errors, and the memory of the server."""
    bodies = request_bodies(file, per_request)
    if not bodies:
        raise InputError(f"{file} holds no sentence to send")
    return asyncio.run(_measure(load, bodies))


def request_bodies(file: str, per_request: int) -> list[bytes]:
    """The bodies to send: paragraphs of a text, or sentences of a graph file as tokens, so many in each."""
    bodies: list[bytes] = []
    if file.endswith(".txt"):
        paragraphs = iter(filter(None, map(str.strip, re.split(r"\n\s*\n", Path(file).read_text(encoding="utf-8")))))
        while texts := list(islice(paragraphs, per_request)):
            bodies.append(json.dumps({"text": "\n\n".join(texts)}).encode())
    else:
        sentences = (sentence.words for sentence in read(file, words_only=True))
        while tokens := list(islice(sentences, per_request)):
            bodies.append(json.dumps({"tokens": tokens}).encode())
    return bodies


async def _measure(load: Load, bodies: list[bytes]) -> dict[str, Any]:
    address = urlsplit(load.url if "//" in load.url else f"http://{load.url}")
    if address.scheme != "http" or not address.hostname:
        raise InputError(f"{load.url} is not the address of a service; one looks like http://127.0.0.1:8000")
    server = _Server(address.hostname, address.port or 80, load.url)
    before = await server.figures()
    results, numbers, next_body = _Results(), count(), cycle(bodies)
    start = perf_counter()

    async def client() -> None:
        async with server.connect() as connection:
            while perf_counter() < start + load.seconds and (load.requests is None or next(numbers) < load.requests):
                await connection.measure(next(next_body), results)

    watcher = asyncio.ensure_future(_watch_memory(server, load, results))
    await asyncio.gather(*(client() for _ in range(load.clients)))
    seconds = perf_counter() - start
    await _stopped(watcher)
    after = await server.figures()
    return {
        "url": load.url,
        "clients": load.clients,
        "seconds": round(seconds, 2),
        "requests": len(results.latencies),
        "requests_per_s": round(len(results.latencies) / seconds, 1),
        "words_per_s": round((after["words"] - before["words"]) / seconds),
        "latency_ms": _latency(results.latencies),
        "errors": dict(sorted(results.errors.items())),
        "server_memory_mb": {"0": _megabytes(before), **results.memory, str(results.count): _megabytes(after)},
    }


async def _stopped(watcher: asyncio.Future[None]) -> None:
    """Stop watching; an error in it is raised, since figures would be missing."""
    watcher.cancel()
    with suppress(asyncio.CancelledError):
        await watcher


async def _watch_memory(server: _Server, load: Load, results: _Results) -> None:
    """Ask for the memory of the server each time a tenth of the requests has been answered."""
    if load.requests is None:
        return
    for tenth in range(1, 10):
        while results.count < load.requests * tenth // 10:
            await asyncio.sleep(_POLL_INTERVAL)
        results.memory[str(results.count)] = _megabytes(await server.figures())


def _megabytes(figures: dict[str, float]) -> float:
    return round(figures["memory"] / 1e6, 1)


def _latency(seconds: list[float]) -> dict[str, float]:
    """Percentiles in milliseconds; nothing if nothing was answered."""
    if not seconds:
        return {}
    values = np.percentile(np.array(seconds) * 1000, list(_PERCENTILES.values()))
    return {name: round(float(value), 1) for name, value in zip(_PERCENTILES, values, strict=True)}


@dataclass(frozen=True)
class _Server:
    """Where the server is."""

    host: str
    port: int
    url: str

    def connect(self) -> _Connection:
        return _Connection(self.host, self.port)

    async def figures(self) -> dict[str, float]:
        """Words parsed so far, and the memory of the server."""
        async with self.connect() as connection:
            try:
                status, body = await connection.ask(b"GET", b"/metrics", b"")
            except OSError as error:
                raise InputError(f"no service at {self.url}: {error.strerror or error}") from error
        if status != 200:
            raise InputError(f"no Arctag service at {self.url}: /metrics answers {status}")
        text = body.decode()
        words = re.findall(r"^arctag_words_parsed_total\{.*\} (\S+)$", text, re.MULTILINE)
        memory = re.search(r"^process_resident_memory_bytes (\S+)$", text, re.MULTILINE)
        return {"words": sum(map(float, words)), "memory": float(memory[1]) if memory else 0.0}


class _Connection:
    """A connection that is kept open from one request to the next, and opened again where it was closed."""

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

    async def measure(self, body: bytes, results: _Results) -> None:
        """Send one request and note how long the answer took, or what came instead."""
        start = perf_counter()
        try:
            status, _ = await self.ask(b"POST", _PATH, body)
        except (OSError, ValueError):
            results.errors["connection"] += 1
            self._close()
            await asyncio.sleep(_RETRY_DELAY)
            return
        if status == 200:
            results.latencies.append(perf_counter() - start)
        else:
            results.errors[str(status)] += 1

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
        head, content = await answer
        if b"\nconnection: close" in head:
            self._close()
        return int(head.split(b" ", 2)[1]), content


class _Answers(asyncio.Protocol):
    """Assembles what a server sends: one answer for each request."""

    transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called when connected."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._data = b""
        self._lost: Exception | None = None
        self._answer: asyncio.Future[tuple[bytes, bytes]] | None = None

    def next_answer(self) -> asyncio.Future[tuple[bytes, bytes]]:
        """The head, in lower case, and the body of the next answer."""
        if self._lost is not None:
            raise self._lost
        self._answer = asyncio.get_running_loop().create_future()
        return self._answer

    def data_received(self, data: bytes) -> None:
        """Called with each part of an answer."""
        self._data += data
        head, end, body = self._data.partition(b"\r\n\r\n")
        if not end:
            return
        head = head.lower()
        length = _CONTENT_LENGTH.search(head)
        if len(body) >= (int(length[1]) if length else 0) and self._answer is not None and not self._answer.done():
            self._data = b""
            self._answer.set_result((head, body))

    def connection_lost(self, error: Exception | None) -> None:
        """Called when the server has closed the connection, or it broke."""
        self._lost = error or ConnectionResetError("the server closed the connection")
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(self._lost)


if __name__ == "__main__":
    main()
