"""`Lane`: batches on their way through a parser, two at a time where the network allows it.

When the network has read a batch, the other lane may begin the next, while the graphs of the first are put together,
which is Python's work. Nothing is taken from the queue before its turn, so that batches are as large as with one lane.

A batch that is read in several parts (its sentences differ much in length, or its requests in their options) keeps the
turn for the first part only: the others are prepared and read beside the other lane's. Hence each lane has a memory of
words of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from threading import Lock
from typing import Any, cast

from arctag.backends.onnx.backend import OnnxBackend
from arctag.backends.protocol import Backend
from arctag.backends.types import Arrays
from arctag.parsing.parser import Parser


class Lane:
    """A parser for one thread, and whose turn it is."""

    def __init__(self, parser: Parser, turn: Lock) -> None:
        self.parser = parser
        self._turn, self._mine = turn, False

    def wait_turn(self) -> None:
        """Wait until the network is free."""
        self._turn.acquire()
        self._mine = True

    def pass_on(self) -> None:
        """Let the other lane begin, if it has not been let yet."""
        if self._mine:
            self._mine = False
            self._turn.release()


class _Passing:
    """A backend that passes the turn on as soon as a batch has been read."""

    def __init__(self, backend: Backend, pass_on: Callable[[], None]) -> None:
        self._backend, self._pass_on = backend, pass_on

    def read(self, arrays: Arrays) -> Any:
        state = self._backend.read(arrays)
        self._pass_on()
        return state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)


def lanes_of(parser: Parser) -> list[Lane]:
    """Two lanes for an exported network; one for torch, which has a thread of its own that reads ahead on a GPU."""
    turn = Lock()
    if not isinstance(getattr(parser, "backend", None), OnnxBackend):
        return [Lane(parser, turn)]
    lanes = [Lane(copy(parser), turn) for _ in range(2)]
    for lane in lanes:
        lane.parser.inputs = parser.inputs.copy()  # with a cache of its own
        lane.parser.backend = cast(Backend, _Passing(parser.backend, lane.pass_on))
    return lanes
