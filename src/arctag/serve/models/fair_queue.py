"""`FairQueue`: what is next among waiting items, so that short work does not wait for long work.

Every other item taken belongs to whoever has had least done so far, the rest to whoever has waited longest. So short
work overtakes long work, and long work, which always moves up, is never starved.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Waiting items, each with how much its owner will have had done when it is finished."""

    def __init__(self) -> None:
        self._waiting: dict[T, int] = {}  # in the order in which they came
        self._take_oldest = False

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: T, done: int) -> None:
        """Put an item in the queue."""
        self._waiting[item] = done

    def peek(self) -> T:
        """The next item."""
        return next(iter(self._waiting)) if self._take_oldest else min(self._waiting, key=self._waiting.__getitem__)

    def take(self) -> T:
        """Remove the next item."""
        item = self.peek()
        del self._waiting[item]
        self._take_oldest = not self._take_oldest
        return item

    def discard(self, item: T) -> None:
        """Remove an item that is no longer wanted; it may have been taken already."""
        self._waiting.pop(item, None)


class FairSemaphore:
    """Lets a number of tasks of an event loop run at a time; the others wait in a `FairQueue`."""

    def __init__(self, value: int) -> None:
        self._free = value
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue()

    def __len__(self) -> int:
        """How many tasks wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def acquired(self, done: int) -> AsyncIterator[None]:
        """Wait until the task may run, and hold the semaphore inside the block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(done)
        try:
            yield
        finally:
            self._release()

    async def _wait(self, done: int) -> None:
        released: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(released, done)
        try:
            await released
        except asyncio.CancelledError:
            self._waiting.discard(released)
            if released.done() and not released.cancelled():  # it had just been released for this task
                self._release()
            raise

    def _release(self) -> None:
        while self._waiting:
            if not (released := self._waiting.take()).done():  # else its task was cancelled
                released.set_result(None)
                return
        self._free += 1
