"""`Turns`: who is next among those that wait, so that a little work need not wait for a lot of it.

Every other turn goes to whoever has had least so far, the rest to whoever has waited longest. So short work passes long
work, and long work, which always moves up, is never kept waiting for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class Turns(Generic[T]):
    """Things that wait, each with what its owner will have had when it is done."""

    def __init__(self) -> None:
        self._waiting: dict[T, int] = {}  # in the order in which they came
        self._oldest = False

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, item: T, had: int) -> None:
        """Let something wait."""
        self._waiting[item] = had

    def peek(self) -> T:
        """What is next."""
        return next(iter(self._waiting)) if self._oldest else min(self._waiting, key=self._waiting.__getitem__)

    def take(self) -> T:
        """Take what is next."""
        item = self.peek()
        del self._waiting[item]
        self._oldest = not self._oldest
        return item

    def drop(self, item: T) -> None:
        """Something is no longer wanted; it may have been taken already."""
        self._waiting.pop(item, None)


class Turnstile:
    """Lets so many tasks of an event loop through at a time; the others take turns."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._turns: Turns[asyncio.Future[None]] = Turns()

    def __len__(self) -> int:
        return len(self._turns)

    @asynccontextmanager
    async def turn(self, had: int) -> AsyncIterator[None]:
        """Wait for a place, and keep it for the block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(had)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, had: int) -> None:
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.add(mine, had)
        try:
            await mine
        except asyncio.CancelledError:
            self._turns.drop(mine)
            if mine.done() and not mine.cancelled():  # the place had just been given to it
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        while self._turns:
            if not (next_one := self._turns.take()).done():  # else its task is about to hear that it was cancelled
                next_one.set_result(None)
                return
        self._free += 1
