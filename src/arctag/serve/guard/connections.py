"""`Connection`: uvicorn's HTTP connection, closed when its client keeps the service waiting.

uvicorn itself waits for ever for the header of a request, and for a client to read its answer. How long the body of a
request may take to arrive, and how long the answer may take to begin, is up to `middleware`.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from arctag.serve.guard.lingering import LingeringTransport
from arctag.serve.limits import Limits
from arctag.serve.metrics import Metrics


class Connection(H11Protocol):
    """A connection to one client; `connection_class` makes a class of them for a service."""

    limits: ClassVar[Limits]
    metrics: ClassVar[Metrics]
    most: ClassVar[int]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Called when a client has connected."""
        patient = LingeringTransport(transport, self.loop, self._is_sending, self.limits.linger_seconds)
        super().connection_made(patient)  # type: ignore[arg-type]
        self._begin_to_wait()
        self._progress = self.since
        self._timer = self.loop.call_later(self.limits.idle_seconds, self._check_progress)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed."""
        self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Called when data has come; the rest of a request that has been answered is dropped."""
        if not self.transport.lingering:  # type: ignore[attr-defined]
            super().data_received(data)

    def handle_events(self) -> None:
        """Called when data has come that may complete a header."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._begin_to_wait()

    def on_response_complete(self) -> None:
        """Called when the whole answer has been passed to the transport."""
        self._begin_to_wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Called when much of an answer waits to be read."""
        self._begin_to_wait()
        super().pause_writing()

    @property
    def idle(self) -> bool:
        """Whether all requests have been answered."""
        return self.cycle is None or self.cycle.response_complete or self.transport.is_closing()

    @property
    def waits_for_client(self) -> bool:
        """Whether the client is to do something: send a request, the rest of a body, or read."""
        return self.idle or self.cycle.more_body or self.flow.write_paused

    def _is_sending(self) -> bool:
        """Whether the client may still be sending the body of a request that has been answered."""
        return self.cycle is not None and self.cycle.response_complete and self.cycle.more_body

    def drop(self, why: str) -> None:
        """Close the connection, without waiting for what the client has not read."""
        self.metrics.dropped.labels(why).inc()
        self.connections.discard(self)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _begin_to_wait(self) -> None:
        """From now on the client may be the one to do something."""
        self.since, self._unsent = self.loop.time(), self.transport.get_write_buffer_size()

    def _check_progress(self) -> None:
        """Drop the connection if there was no progress for too long."""
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        answering = not self.idle and not self.flow.write_paused  # the middleware limits the time of this
        if answering or unsent < self._unsent:
            self._progress = now
        self._unsent = unsent
        until = max(self.since, self._progress) + self.limits.idle_seconds
        if until <= now:
            self.drop("late")
        else:
            self._timer = self.loop.call_at(until, self._check_progress)

    def _make_room(self) -> None:
        """If there are too many connections, drop the one whose client has kept the service waiting longest."""
        if len(self.connections) <= self.most:
            return
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        slow = [one for one in others if one.waits_for_client]
        min(slow, key=lambda one: one.since, default=self).drop("room")


def connection_class(bounds: Limits, counters: Metrics) -> type[Connection]:
    """Connections within these limits."""

    class Bounded(Connection):
        limits, metrics, most = bounds, counters, _allowed(bounds.connections)

    return Bounded


def _allowed(most: int) -> int:
    """So many connections, but no more than half of the files that the system lets this process open."""
    try:
        import resource
    except ImportError:  # Windows
        return most
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most if files == resource.RLIM_INFINITY else max(1, min(most, files // 2))
