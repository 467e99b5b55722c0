"""`Connection`: uvicorn's HTTP connection, closed when its client keeps the service waiting.

uvicorn itself waits for ever for the header of a request, and for a client to read its answer. How long the body of a
request may take to come, and how long the answer may take to begin, is the guard's business (`guard`).
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from arctag.serve.limits import Limits
from arctag.serve.metrics import Metrics


class Connection(H11Protocol):
    """A connection to one client; `connection_class` makes one for a service."""

    limits: ClassVar[Limits]
    metrics: ClassVar[Metrics]
    most: ClassVar[int]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Called when a client has connected."""
        super().connection_made(transport)
        self._begin_to_wait()
        self._progress = self.since
        self._timer = self.loop.call_later(self.limits.patience, self._look)
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called when the connection is closed."""
        self._timer.cancel()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        """Called when data has come that may complete a header."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._begin_to_wait()

    def on_response_complete(self) -> None:
        """Called when the whole answer has been given to the transport."""
        self._begin_to_wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Called when much of an answer waits to be read."""
        self._begin_to_wait()
        super().pause_writing()

    @property
    def idle(self) -> bool:
        """Whether there is no request that has not been answered."""
        return self.cycle is None or self.cycle.response_complete or self.transport.is_closing()

    @property
    def keeps_waiting(self) -> bool:
        """Whether it is for the client to do something: to send a request, the rest of a body, or to read."""
        return self.idle or self.cycle.more_body or self.flow.write_paused

    def drop(self, why: str) -> None:
        """Close the connection, without waiting for what the client has not read."""
        self.metrics.dropped.labels(why).inc()
        self.connections.discard(self)
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _begin_to_wait(self) -> None:
        """From now on it may be for the client to do something."""
        self.since, self._unsent = self.loop.time(), self.transport.get_write_buffer_size()

    def _look(self) -> None:
        """Drop the connection if nothing has come of it for too long."""
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        answering = not self.idle and not self.flow.write_paused  # here the guard looks at the time
        if answering or unsent < self._unsent:
            self._progress = now
        self._unsent = unsent
        until = max(self.since, self._progress) + self.limits.patience
        if until <= now:
            self.drop("late")
        else:
            self._timer = self.loop.call_at(until, self._look)

    def _make_room(self) -> None:
        """If there are too many connections, drop the one whose client has kept us waiting longest."""
        if len(self.connections) <= self.most:
            return
        others = [one for one in self.connections if isinstance(one, Connection) and one is not self]
        slow = [one for one in others if one.keeps_waiting]
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
