"""`Exchange`: one request and its answer, as seen from outside the routes: id, headers, status, line in the log."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Any, NamedTuple

from starlette.types import Message, Scope, Send

from arctag.serve.tracebacks import locations

UDPIPE_PATHS = ("/process", "/models")
"""What answers as UDPipe's service does, with errors as plain text."""
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
_CHUNK = 1 << 16  # bytes of an answer sent at a time, so that a slow reader is waited for
_log = logging.getLogger("arctag.serve")


class Refusal(NamedTuple):
    """Why a request is not passed on to the routes, or not finished.

    A plain value, since an exception would hold the frames that it was raised in.
    """

    status: int
    message: str
    headers: Mapping[str, str] = {}


class Refused(Exception):
    """Raised where a request is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


class Exchange:
    """Passes an answer on, and notes its status; `path` is how logs and metrics name that of the request."""

    def __init__(self, scope: Scope, send: Send, path: str) -> None:
        self.id = secrets.token_hex(6)
        self.method = scope["method"] if scope["method"] in _METHODS else "other"
        self.path = path
        self.status = 0
        """0 as long as nothing has been sent."""
        self.complete = False
        """Whether the last byte has been passed to the server."""
        self.waiting: Callable[[], AbstractContextManager[None]] = nullcontext
        """What surrounds the sending of each chunk, which lasts until the client has read most of those before."""
        self._state: dict[str, Any] = scope.setdefault("state", {})
        self._plain_text = scope["path"] in UDPIPE_PATHS
        self._send = send
        self._started = perf_counter()

    @property
    def seconds(self) -> float:
        """The time since the request came."""
        return perf_counter() - self._started

    async def send(self, message: Message) -> None:
        """Send a part of the answer, with our headers, and large bodies in chunks."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", ()), *_HEADERS, (b"x-request-id", self.id.encode())]
            await self._pass_on({**message, "headers": headers})
            return
        body = message.get("body", b"")
        while len(body) > _CHUNK:
            await self._pass_on({"type": "http.response.body", "body": bytes(body[:_CHUNK]), "more_body": True})
            body = memoryview(body)[_CHUNK:]
        self.complete = not message.get("more_body", False)
        await self._pass_on({**message, "body": bytes(body)})

    async def _pass_on(self, message: Message) -> None:
        with self.waiting():
            await self._send(message)

    async def refuse(self, refusal: Refusal) -> None:
        """Answer with an error, unless an answer has begun."""
        if self.status:
            return
        error = f"{refusal.message}\n" if self._plain_text else json.dumps({"error": refusal.message})
        kind = "text/plain; charset=utf-8" if self._plain_text else "application/json"
        headers = {"content-type": kind, "content-length": str(len(error.encode())), **refusal.headers}
        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        await self.send({"type": "http.response.start", "status": refusal.status, "headers": pairs})
        await self.send({"type": "http.response.body", "body": error.encode()})

    def log(self) -> None:
        """Log one line; nothing in it was written by a user."""
        words = self._state.get("words", 0)
        _log.info(
            "%s %s %s %d %.1f ms %d words", self.id, self.method, self.path, self.status, 1000 * self.seconds, words
        )

    def log_error(self, error: BaseException) -> None:
        """Log where an unexpected error came from, without its message, which may quote a user."""
        _log.error("%s failed: %s at %s", self.id, type(error).__name__, " < ".join(locations(error)))
