"""Connections whose clients send nothing, or read nothing: they end, and they keep nobody out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from arctag.parser import Parser
from arctag.serve.connections import Connection, connection_class
from arctag.serve.limits import Limits
from arctag.serve.metrics import Metrics
from tests.serve.servers import Running, posting, running, wait_until

HALF = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nX-More:"
ASK = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
ONE = {"tokens": [["one"]]}
IMPATIENT = Limits(patience=0.2)


class Loop:
    """A loop whose time passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[tuple[float, asyncio.Event, Callable[[], None]]] = []
        self.tasks: list[Any] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, work: Callable[[], None]) -> Any:
        timer = _Timer(when, work)
        self._timers.append(timer)  # type: ignore[arg-type]
        return timer

    def call_later(self, seconds: float, work: Callable[[], None]) -> Any:
        return self.call_at(self.now + seconds, work)

    def create_task(self, work: Any, **_: Any) -> Any:
        work.close()  # requests are never answered unless a test does it
        self.tasks.append(work)
        return _Task()

    def run(self, until: float) -> None:
        """Let time pass."""
        timers: Any = self._timers
        while due := sorted((timer for timer in timers if timer.when <= until), key=lambda timer: timer.when):
            timers.remove(due[0])
            self.now = due[0].when
            due[0].run()
        self.now = until
