"""`Exchange`: one request and its answer, as seen from outside the routes: id, headers, status, line in the log."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Any

from starlette.types import Message, Scope, Send

from arctag.serve.tracebacks import places

UDPIPE = ("/process", "/models")
"""What answers as UDPipe's service does, with errors as plain text."""
_PATHS = {
    "/", "/docs", "/openapi.json", "/metrics", *UDPIPE,
    *(f"/api/{name}" for name in ("health", "models", "encodings", "parse", "read", "convert", "encode", "decode",
                                  "trace", "score", "picture", "files")),
}  # fmt: skip
_FAMILIES = {"/static/": "/static/", "/api/files/": "/api/files/{number}"}
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-cache"),
]
_PIECE = 1 << 16  # bytes of an answer sent at a time, so that a slow reader is waited for
_log = logging.getLogger("arctag.serve")


class Refused(Exception):
    """A request that is not passed on to the routes, or not finished."""

    def __init__(self, status: int, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers


class Exchange:
    """Passes an answer on, and remembers what became of it."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.id = secrets.token_hex(6)
        self.method = scope["method"] if scope["method"] in _METHODS else "other"
        self.path = known_path(scope["path"])
        self.status = 0
        """0 as long as nothing has been sent."""
        self.complete = False
        """Whether the last byte has been given to the server."""
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext
        """What surrounds the sending of each piece, which lasts until the client has taken most of those before."""
        self._state: dict[str, Any] = scope.setdefault("state", {})
        self._send = send
        self._started = perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the request came."""
        return perf_counter() - self._started

    async def send(self, message: Message) -> None:
        """Send a part of the answer, with our headers, and large bodies in pieces."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", ()), *_HEADERS, (b"x-request-id", self.id.encode())]
            await self._give({**message, "headers": headers})
            return
        body = message.get("body", b"")
        while len(body) > _PIECE:
            await self._give({"type": "http.response.body", "body": bytes(body[:_PIECE]), "more_body": True})
            body = memoryview(body)[_PIECE:]
        self.complete = not message.get("more_body", False)
        await self._give({**message, "body": bytes(body)})

    async def _give(self, message: Message) -> None:
        with self.waiting():
            await self._send(message)

    async def refuse(self, why: Refused) -> None:
        """Answer with an error, unless an answer has begun: then there is nothing left to say."""
        if self.status:
            return
        plain = self.path in UDPIPE
        body = f"{why}\n".encode() if plain else json.dumps({"error": str(why)}).encode()
        kind = "text/plain; charset=utf-8" if plain else "application/json"
        headers = {"content-type": kind, "content-length": str(len(body)), **why.headers}
        pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": why.status, "headers": pairs})
        await self.send({"type": "http.response.body", "body": body})

    def log(self) -> None:
        """One line; nothing in it was written by a user."""
        words = self._state.get("words", 0)
        _log.info(
            "%s %s %s %d %.1f ms %d words", self.id, self.method, self.path, self.status, 1000 * self.seconds, words
        )

    def log_fault(self, error: BaseException) -> None:
        """Where an unexpected error came from; its message is left out, for it may quote a user."""
        _log.error("%s failed: %s at %s", self.id, type(error).__name__, " < ".join(places(error)))


def known_path(path: str) -> str:
    """A path as logs and counters name it: any that does not exist is 'other'."""
    if path in _PATHS:
        return path
    return next((name for prefix, name in _FAMILIES.items() if path.startswith(prefix)), "other")
