"""`Guard`: ASGI middleware before the routes; checks who asks, reads bodies up to a limit, ends what takes too long."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import AbstractContextManager

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arctag.serve.capacity import Busy, Slot
from arctag.serve.guard.exchange import Exchange, Refusal, Refused
from arctag.serve.guard.origins import HERE, Hosts, is_cross_site
from arctag.serve.guard.path_names import PathNames
from arctag.serve.service import Service, note_size

INTERNAL_ERROR = Refusal(500, "internal error; the log has the details under this answer's X-Request-Id")
_CLOSE = {"connection": "close"}
_CLIENT_GONE = Refusal(499, "the client has gone")  # seen in logs and metrics only
_WRONG_HOST = Refusal(400, f"this service answers requests for {', '.join(HERE)} only; see --host")
_CROSS_SITE = Refusal(403, "this request comes from a page of another web site, which may not use this service")
_BUSY = Refusal(503, "the service is busy; try again soon", {"retry-after": "1"})
_TOO_SLOW = Refusal(408, "too slow while other requests wait; send the request again", _CLOSE)


class _Deadline:
    """Cancels the current task when its time is up, or for another reason, and notes why."""

    def __init__(self, timeout: Refusal, seconds: float) -> None:
        self.timeout = timeout
        """What to answer when the time is up."""
        self.refusal: Refusal | None = None
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._timer = asyncio.get_running_loop().call_later(seconds, self.expire)

    def expire(self) -> None:
        """The time is up."""
        self.cancel(self.timeout)

    def cancel(self, refusal: Refusal) -> None:
        """End the task."""
        if self.refusal is None:
            self.refusal = refusal
            self._task.cancel()

    def caused_cancellation(self) -> bool:
        """Whether the task was cancelled by this alone; that is then undone, as asyncio requires."""
        return self.refusal is not None and self._task.uncancel() == 0

    def stop(self) -> None:
        """The task has ended by itself, or may take as long as it likes."""
        self._timer.cancel()


class Guard:
    """Wraps the application; `host` is the address that the server listens on, `routes` have the paths to log."""

    def __init__(
        self, app: ASGIApp, service: Service, host: str = "127.0.0.1", routes: Iterable[BaseRoute] = ()
    ) -> None:
        self._app, self._service = app, service
        self._hosts = Hosts(host)
        self._path_names = PathNames(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens, and log its status."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(scope, send, self._path_names[scope["path"]])
        try:
            refusal = await self._let_in(scope, receive, exchange)
            if refusal == _CLIENT_GONE or (refusal and exchange.status):  # or the client did not read the answer
                exchange.status = _CLIENT_GONE.status
            elif refusal:
                await exchange.refuse(refusal)
        except Exception as error:
            exchange.log_error(error)
            await exchange.refuse(INTERNAL_ERROR)
        finally:
            self._service.metrics.requests.labels(exchange.path, exchange.status).inc()
            self._service.metrics.seconds.observe(exchange.seconds)
            exchange.log()

    async def _let_in(self, scope: Scope, receive: Receive, exchange: Exchange) -> Refusal | None:
        """Answer a request, or return why it is refused."""
        if scope not in self._hosts:
            return _WRONG_HOST
        if is_cross_site(scope):
            return _CROSS_SITE
        try:
            return await self._answer(scope, receive, exchange)
        except Busy:
            return _BUSY
        except Refused as refused:
            return refused.refusal

    async def _answer(self, scope: Scope, receive: Receive, exchange: Exchange) -> Refusal | None:
        """Read the body and run the routes while the client is connected and the time is not up; else why not.

        An answer that has begun is sent however slowly it is read; one that is not read at all ends its connection.
        """
        limits = self._service.limits
        late_body = Refusal(408, f"the request took more than {limits.seconds:g} s to arrive", _CLOSE)
        deadline = _Deadline(late_body, limits.seconds)
        try:
            with self._service.capacity.slot(lambda: deadline.cancel(_TOO_SLOW)) as slot:
                body = await self._body(scope, receive, slot)
                note_size(scope, len(body) + len(scope["query_string"]))
                deadline.timeout = Refusal(504, f"no answer within {limits.seconds:g} s; send less at a time")

                def waiting() -> AbstractContextManager[None]:
                    deadline.stop()
                    return slot.waiting()

                exchange.waiting = waiting
                await self._run(scope, receive, exchange, deadline, body)
        except asyncio.CancelledError:
            if not deadline.caused_cancellation():
                raise
        finally:
            deadline.stop()
        return deadline.refusal

    async def _run(self, scope: Scope, receive: Receive, exchange: Exchange, deadline: _Deadline, body: bytes) -> None:
        watcher = asyncio.ensure_future(_watch_client(receive, exchange, deadline))
        try:
            await self._app(scope, _replay(body), exchange.send)
        finally:
            watcher.cancel()

    async def _body(self, scope: Scope, receive: Receive, slot: Slot) -> bytes:
        """The body of a request, which is admitted when it is complete. Reading stops where it becomes too large."""
        light = scope["method"] in ("GET", "HEAD") and scope["path"] != "/process"  # answered even when busy
        most = 0 if light else self._service.limits.body
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:20]) > most:
            raise _too_large(most)
        parts: list[bytes] = []
        more = True
        while more:
            with slot.waiting():
                message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(_CLIENT_GONE)
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
            if slot.size + len(parts[-1]) > most:
                raise _too_large(most)
            slot.receive(len(parts[-1]))
        if not light:
            slot.admit()
        return b"".join(parts)


def _too_large(most: int) -> Refused:
    return Refused(Refusal(413, f"the body of this request may have at most {most} bytes", _CLOSE))


def _replay(body: bytes) -> Receive:
    """A `receive` that gives the body that was read, and then nothing more."""
    parts = [body]

    async def receive() -> Message:
        if parts:
            return {"type": "http.request", "body": parts.pop(), "more_body": False}
        await asyncio.Event().wait()  # cancelled with the request
        return {"type": "http.disconnect"}

    return receive


async def _watch_client(receive: Receive, exchange: Exchange, deadline: _Deadline) -> None:
    """End a request whose client disconnects before its answer is complete."""
    while (await receive())["type"] != "http.disconnect":
        pass
    if not exchange.complete:  # after a complete answer the server reports a disconnect, too
        deadline.cancel(_CLIENT_GONE)
