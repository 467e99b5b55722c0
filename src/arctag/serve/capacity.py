"""`Capacity`: how many requests are in the service, and how many bytes they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arctag.serve.limits import Limits

_FREE_SHARE = 32  # this part of the largest body is free: a small request need not wait for large ones to finish


class Busy(Exception):
    """There is no room for another request now."""


class Capacity:
    """Counts the requests in the service and the bytes that they hold.

    When it is full, requests that wait for their client (to send or to read) are dropped, the one that has waited
    longest first: no client keeps others out by doing nothing.
    """

    def __init__(self, limits: Limits) -> None:
        self._max_requests, self._max_bytes = limits.requests, limits.bodies * limits.body
        self._free_bytes = limits.body // _FREE_SHARE
        self.requests = 0
        """Requests that wait or are being processed."""
        self.bytes = 0
        """Bytes held by them and by requests that are still being received."""
        self._waiting: dict[Slot, None] = {}  # those that wait for their client, in the order in which they began to

    @contextmanager
    def slot(self, drop: Callable[[], None]) -> Iterator[Slot]:
        """Room for one request inside this block; `drop` is called if others need it more."""
        slot = Slot(self, drop)
        try:
            yield slot
        finally:
            slot.release()

    def _make_room(self, full: Callable[[], bool], helps: Callable[[Slot], bool]) -> None:
        while full():
            slow = next(filter(helps, self._waiting), None)
            if slow is None:
                raise Busy
            slow.release()
            slow.drop()


class Slot:
    """The room that one request takes up."""

    def __init__(self, capacity: Capacity, drop: Callable[[], None]) -> None:
        self._capacity, self.drop = capacity, drop
        self.size = 0
        """Bytes of the request so far."""
        self._admitted = False
        self._bytes = 0

    def receive(self, size: int) -> None:
        """Hold more bytes, of which the first few are free; `Busy` if all requests together hold too much."""
        capacity = self._capacity
        self.size += size
        more = max(0, self.size - capacity._free_bytes) - self._bytes
        capacity._make_room(lambda: capacity.bytes + more > capacity._max_bytes, lambda slot: slot._bytes > 0)
        capacity.bytes += more
        self._bytes += more

    def admit(self) -> None:
        """Count as one of the requests in the service; `Busy` if there are too many."""
        capacity = self._capacity
        capacity._make_room(lambda: capacity.requests >= capacity._max_requests, lambda slot: slot._admitted)
        capacity.requests += 1
        self._admitted = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The block waits for the client."""
        self._capacity._waiting[self] = None
        try:
            yield
        finally:
            self._capacity._waiting.pop(self, None)

    def release(self) -> None:
        """Give everything back."""
        self._capacity._waiting.pop(self, None)
        self._capacity.requests -= self._admitted
        self._capacity.bytes -= self._bytes
        self._admitted, self._bytes = False, 0
