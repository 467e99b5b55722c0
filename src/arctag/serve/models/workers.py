"""`Worker`: the parser of one thread; two threads at a time parse with a model whose network allows it.

When the network has read a batch, the other worker may begin the next one, while the graphs of the first are built,
which is Python's work. No worker takes jobs from the queue before the network is free, so that batches are as large as
with a single worker.

A batch that is read in several parts (its sentences differ much in length, or its jobs in their options) holds the
network for the first part only: the others are prepared and read beside the other worker's. Hence each worker has a
word cache of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import copy
from threading import Lock
from typing import Any, cast

from arctag.backends.onnx.backend import OnnxBackend
from arctag.backends.protocol import Backend
from arctag.layers.types import Arrays
from arctag.parsing.parser import Parser


class Worker:
    """A parser for one thread, and whether it holds the network."""

    def __init__(self, parser: Parser, network: Lock) -> None:
        self.parser = parser
        self._network, self._holds_network = network, False

    def acquire_network(self) -> None:
        """Wait until the network is free."""
        self._network.acquire()
        self._holds_network = True

    def release_network(self) -> None:
        """Let the other worker begin, unless it has been let already."""
        if self._holds_network:
            self._holds_network = False
            self._network.release()


class _ReleasingBackend:
    """A backend that releases the network as soon as a batch has been read."""

    def __init__(self, backend: Backend, release: Callable[[], None]) -> None:
        self._backend, self._release = backend, release

    def read(self, arrays: Arrays, layers: Collection[str]) -> Any:
        state = self._backend.read(arrays, layers)
        self._release()
        return state

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)


def make_workers(parser: Parser) -> list[Worker]:
    """Two workers for an exported network; one for torch, which has a thread of its own that reads ahead on a GPU."""
    network = Lock()
    if not isinstance(getattr(parser, "backend", None), OnnxBackend):
        return [Worker(parser, network)]
    workers = [Worker(copy(parser), network) for _ in range(2)]
    for worker in workers:
        worker.parser.inputs = parser.inputs.copy()  # with a cache of its own
        worker.parser.backend = cast(Backend, _ReleasingBackend(parser.backend, worker.release_network))
    return workers
