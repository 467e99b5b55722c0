"""`Guard`: stands before the routes; lets in who may ask, reads bodies up to a limit, ends what takes too long."""

from __future__ import annotations

import asyncio
import sys
from ipaddress import ip_address

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arctag.serve.exchange import Exchange, Refused
from arctag.serve.limits import Busy, Place
from arctag.serve.service import Service, note_size

FAULT = "something went wrong here, and the log says where: look for this answer's X-Request-Id"
GONE = 499
"""The status, in logs and counters, of a request whose client went away before the answer."""
_HERE = frozenset({"localhost", "127.0.0.1", "[::1]"})


class _End:
    """Ends the task that made it, when its time has run out or for another reason, and remembers why."""

    def __init__(self, too_late: Refused, seconds: float) -> None:
        self.too_late = too_late
        """What to answer when the time has run out."""
        self.why: Refused | None = None
        task = asyncio.current_task()
        assert task is not None
        self._task, self._seconds = task, seconds
        self._timer = self._start()

    def _start(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self._seconds, lambda: self.now(self.too_late))

    def later(self) -> None:
        """Something has come of the task: its time begins anew."""
        if self.why is None and not self._timer.cancelled():
            self._timer.cancel()
            self._timer = self._start()

    def now(self, why: Refused) -> None:
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
    """Wraps the application.

    `host` is the address the server listens on. On a loopback address only requests for this very machine are answered:
    a page from elsewhere that points a name of its own at 127.0.0.1 is turned away.
    """

    def __init__(self, app: ASGIApp, service: Service, host: str = "127.0.0.1") -> None:
        self._app, self._service = app, service
        self._hosts = _HERE | {host, f"[{host}]"} if is_loopback(host) else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens, and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(scope, send)
        try:
            await self._let_in(scope, receive, exchange)
        except Refused as why:
            if why.status == GONE:
                exchange.status = GONE
            else:
                await exchange.refuse(why)
        except Exception as error:
            exchange.log_fault(error)
            await exchange.refuse(Refused(500, FAULT))
        finally:
            self._service.metrics.requests.add(exchange.path, str(exchange.status))
            self._service.metrics.seconds.add(exchange.seconds)
            exchange.log()

    async def _let_in(self, scope: Scope, receive: Receive, exchange: Exchange) -> None:
        if self._hosts is not None and _host(scope) not in self._hosts:
            raise Refused(400, f"this service answers requests for {', '.join(sorted(_HERE))} only; see --host")
        if scope["method"] in ("GET", "HEAD") and scope["path"] != "/process":  # answered even when all is busy
            await self._answer(scope, receive, exchange, None)
            return
        try:
            with self._service.gate.place() as place:
                await self._answer(scope, receive, exchange, place)
        except Busy:
            raise Refused(503, "too much to do at the moment; try again soon", retry_after="1") from None

    async def _answer(self, scope: Scope, receive: Receive, exchange: Exchange, place: Place | None) -> None:
        """Read the body and run the routes, as long as the client is there and its time has not run out.

        An answer that has begun is sent however slowly it is read. One that holds a place which others wait for is
        ended when none of it is taken for as long as a request may last.
        """
        seconds = self._service.limits.seconds
        end = _End(Refused(408, f"the request took more than {seconds:g} s to come", connection="close"), seconds)
        try:
            body = await self._body(scope, receive, place)
            note_size(scope, len(body) + len(scope["query_string"]))
            end.too_late = Refused(504, f"no answer within {seconds:g} s; send less at a time")
            exchange.on_piece = end.never if place is None else end.later
            gone = asyncio.ensure_future(_disconnect(receive, exchange, end))
            try:
                await self._app(scope, _replay(body), exchange.send)
            finally:
                gone.cancel()
        except asyncio.CancelledError:
            if not end.caught() or end.why is None:
                raise
            raise end.why from None
        finally:
            end.never()

    async def _body(self, scope: Scope, receive: Receive, place: Place | None) -> bytes:
        """The body of a request. Reading stops where it becomes too large."""
        most = self._service.limits.body if place is not None else 0
        too_large = Refused(413, f"the body of this request may have at most {most} bytes", connection="close")
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and int(declared[:20]) > most:
            raise too_large
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _gone()
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                raise too_large
            if place is not None:
                place.hold(len(part))
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)


def _gone() -> Refused:
    return Refused(GONE, "the client has gone")


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def _host(scope: Scope) -> str:
    """The host that a request is for, without the port."""
    given: bytes = dict(scope["headers"]).get(b"host", b"")
    name = given.decode("latin-1").lower()
    return name[: name.find("]") + 1] if name.startswith("[") else name.split(":")[0]


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
        end.now(_gone())
