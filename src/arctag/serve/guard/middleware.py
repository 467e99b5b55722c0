"""`Guard`: stands before the routes; lets in who may ask, reads bodies up to a limit, ends what takes too long."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AbstractContextManager

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arctag.serve.guard.exchange import Exchange, Refused
from arctag.serve.guard.origins import HERE, Hosts, is_cross_site
from arctag.serve.limits import Busy, Place
from arctag.serve.service import Service, note_size

FAULT = "something went wrong here, and the log says where: look for this answer's X-Request-Id"
GONE = 499
"""The status, in logs and counters, of a request whose client went away before the answer."""
Why = tuple[int, str, dict[str, str]]
"""Status, message and headers of a refusal; no exception, which would hold on to whatever it was raised in."""
_CLOSE = {"connection": "close"}
_GONE: Why = (GONE, "the client has gone", {})
_IN_THE_WAY: Why = (408, "too slow while others wait for their turn; send the request again", _CLOSE)


class _End:
    """Ends the task that made it, when its time has run out or for another reason, and remembers why."""

    def __init__(self, too_late: Why, seconds: float) -> None:
        self.too_late = too_late
        """What to answer when the time has run out."""
        self.why: Why | None = None
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._timer = asyncio.get_running_loop().call_later(seconds, self.run_out)

    def run_out(self) -> None:
        """The time is over."""
        self.now(self.too_late)

    def now(self, why: Why) -> None:
        """End the task."""
        if self.why is None:
            self.why = why
            self._task.cancel()

    def caught(self) -> bool:
        """The task has been told to end: whether by this alone, which is then made up for, as Python wants it."""
        if self.why is None:
            return False
        return sys.version_info < (3, 11) or self._task.uncancel() == 0

    def never(self) -> None:
        """The task has ended by itself, or may take as long as it likes."""
        self._timer.cancel()


class Guard:
    """Wraps the application; `host` is the address that the server listens on."""

    def __init__(self, app: ASGIApp, service: Service, host: str = "127.0.0.1") -> None:
        self._app, self._service = app, service
        self._hosts = Hosts(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens, and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(scope, send)
        try:
            await self._let_in(scope, receive, exchange)
        except Refused as why:
            if why.status == GONE or exchange.status:  # the client has gone, or did not take the answer
                exchange.status = GONE
            else:
                await exchange.refuse(why)
        except Exception as error:
            exchange.log_fault(error)
            await exchange.refuse(Refused(500, FAULT))
        finally:
            self._service.metrics.requests.labels(exchange.path, exchange.status).inc()
            self._service.metrics.seconds.observe(exchange.seconds)
            exchange.log()

    async def _let_in(self, scope: Scope, receive: Receive, exchange: Exchange) -> None:
        if scope not in self._hosts:
            raise Refused(400, f"this service answers requests for {', '.join(HERE)} only; see --host")
        if is_cross_site(scope):
            raise Refused(403, "this request comes from a page of another web site, which may not use this service")
        try:
            why = await self._answer(scope, receive, exchange)
        except Busy:
            raise Refused(503, "too much to do at the moment; try again soon", retry_after="1") from None
        if why is not None:
            status, message, headers = why
            raise Refused(status, message, **headers)

    async def _answer(self, scope: Scope, receive: Receive, exchange: Exchange) -> Why | None:
        """Read the body and run the routes, as long as the client is there and its time has not run out; else why not.

        An answer that has begun is sent however slowly it is read; one that is not read at all ends its connection.
        """
        limits = self._service.limits
        end = _End((408, f"the request took more than {limits.seconds:g} s to come", _CLOSE), limits.seconds)
        try:
            with self._service.gate.place(lambda: end.now(_IN_THE_WAY)) as place:
                body = await self._body(scope, receive, place)
                note_size(scope, len(body) + len(scope["query_string"]))
                end.too_late = (504, f"no answer within {limits.seconds:g} s; send less at a time", {})

                def waiting() -> AbstractContextManager[None]:
                    end.never()
                    return place.waiting()

                exchange.waiting = waiting
                await self._run(scope, receive, exchange, end, body)
        except asyncio.CancelledError:
            if not end.caught():
                raise
        finally:
            end.never()
        return end.why

    async def _run(self, scope: Scope, receive: Receive, exchange: Exchange, end: _End, body: bytes) -> None:
        gone = asyncio.ensure_future(_disconnect(receive, exchange, end))
        try:
            await self._app(scope, _replay(body), exchange.send)
        finally:
            gone.cancel()

    async def _body(self, scope: Scope, receive: Receive, place: Place) -> bytes:
        """The body of a request that is let in when it has come. Reading stops where it becomes too large."""
        light = scope["method"] in ("GET", "HEAD") and scope["path"] != "/process"  # answered even when all is busy
        most = 0 if light else self._service.limits.body
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:20]) > most:
            raise _too_large(most)
        parts: list[bytes] = []
        more = True
        while more:
            with place.waiting():
                message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(*_GONE[:2])
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
            if place.size + len(parts[-1]) > most:
                raise _too_large(most)
            place.hold(len(parts[-1]))
        if not light:
            place.enter()
        return b"".join(parts)


def _too_large(most: int) -> Refused:
    return Refused(413, f"the body of this request may have at most {most} bytes", **_CLOSE)


def _replay(body: bytes) -> Receive:
    """A `receive` that gives the body that was read, and then nothing more."""
    parts = [body]

    async def receive() -> Message:
        if parts:
            return {"type": "http.request", "body": parts.pop(), "more_body": False}
        await asyncio.Event().wait()  # ended with the request
        return {"type": "http.disconnect"}

    return receive


async def _disconnect(receive: Receive, exchange: Exchange, end: _End) -> None:
    """End a request whose client has gone before its answer was complete."""
    while (await receive())["type"] != "http.disconnect":
        pass
    if not exchange.complete:  # else the server says so too
        end.now(_GONE)
