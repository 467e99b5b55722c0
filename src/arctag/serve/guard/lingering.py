"""`LingeringTransport`: lets a client read an answer that came before its request was through.

A server that closes a connection while a client is still sending makes the client's system throw away what it has
received: the client sees a broken connection, not the 413 that explains it. So the answer is sent and ended, and
what still comes is read and dropped for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any


class LingeringTransport:
    """A transport whose first `close` only ends the answer, if `sending` says that the client has not finished.

    It is then closed when the client is done, after `seconds`, or by a second `close`.
    """

    def __init__(
        self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop, sending: Callable[[], bool], seconds: float
    ) -> None:
        self._transport, self._loop, self._sending, self._seconds = transport, loop, sending, seconds
        self.lingering = False
        """Whether the answer has been ended and what comes is to be dropped."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self.lingering or self._transport.is_closing()

    def close(self) -> None:
        """End the answer; close the connection if the client is done."""
        if self.lingering or not self._sending() or not self._transport.can_write_eof():
            self._transport.close()
            return
        self.lingering = True
        try:
            self._transport.write_eof()
        except OSError:  # the client is gone: nobody reads the answer
            self._transport.close()
            return
        self._transport.resume_reading()
        self._loop.call_later(self._seconds, self._transport.close)
