"""`Service`: the models, the threads for other work, and the limits, which all routes share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ParamSpec, TypeVar

from fastapi import Request, Response
from starlette.types import Scope

from arctag.errors import UnknownName
from arctag.parsing.parser import Parser
from arctag.serve.capacity import Capacity
from arctag.serve.limits import Limits
from arctag.serve.metrics import Metrics
from arctag.serve.models.batching import BatchedModel
from arctag.serve.models.fair_queue import FairSemaphore

P = ParamSpec("P")
T = TypeVar("T")
Body = TypeVar("Body")
_SMALL = 1_024  # bytes, a few sentences: up to 5 ms
_SHORT = 16_384  # bytes of other work that does not wait for longer work
_THREADS = 2  # Python runs one at a time; the other is for what works outside of it


class Service:
    """The loaded models by name, the first of which is the default; started and stopped with the server."""

    def __init__(self, parsers: Mapping[str, Parser], limits: Limits | None = None, files: Sequence[Path] = ()) -> None:
        self.files = files
        """Treebanks that the page offers."""
        self.limits = limits or Limits()
        self.capacity = Capacity(self.limits)
        self.metrics = Metrics()
        self.metrics.inside.set_function(lambda: self.capacity.requests)
        self.models = {name: BatchedModel(name, parser, self.metrics) for name, parser in parsers.items()}
        for name, model in self.models.items():
            self.metrics.queued.labels(name).set_function(model.queue_length)
        self.default = next(iter(self.models))
        self._parsing = ThreadPoolExecutor(_THREADS, "arctag-parsing")
        self._parsing_turns = FairSemaphore(_THREADS)
        self._short = ThreadPoolExecutor(1, "arctag-short")
        self._long = ThreadPoolExecutor(1, "arctag-long")

    def start(self) -> None:
        """Start the models."""
        for model in self.models.values():
            model.start()

    def stop(self) -> None:
        """Finish the jobs that wait, then end all threads."""
        for model in self.models.values():
            model.stop()
        for pool in (self._parsing, self._short, self._long):
            pool.shutdown(cancel_futures=True)

    def model(self, name: str | None) -> BatchedModel:
        """The model of that name, or the default one; `UnknownName` for any but those loaded at the start."""
        if name is None:
            return self.models[self.default]
        if name not in self.models:
            raise UnknownName("model", name, self.models)
        return self.models[name]

    async def compute(self, request: Request, work: Callable[P, T], *args: P.args, **keys: P.kwargs) -> T:
        """Do what comes before and after parsing while other requests go on; dropped if its request ends before.

        Small work is done at once: to hand it to another thread and back would take longer.
        """
        if _size(request) <= _SMALL:
            return work(*args, **keys)
        return await self.compute_in_thread(request, work, *args, **keys)

    async def compute_in_thread(self, request: Request, work: Callable[P, T], *args: P.args, **keys: P.kwargs) -> T:
        """The same for what takes long though the request is small."""
        async with self._parsing_turns.acquired(words_so_far(request)):
            return await asyncio.get_running_loop().run_in_executor(self._parsing, lambda: work(*args, **keys))

    async def compute_json(self, request: Request, work: Callable[[], object]) -> str:
        """The result of other work, as JSON; it may take long, and neither parsing nor shorter work waits for it."""

        def text() -> str:
            return json.dumps(work(), ensure_ascii=False, allow_nan=False)

        pool = self._short if _size(request) <= _SHORT else self._long
        return await asyncio.get_running_loop().run_in_executor(pool, text)


async def answer(request: Request, work: Callable[[Body, Limits], object], body: Body) -> Response:
    """The response of a route whose work needs the body of the request and the limits, but no model."""
    service = service_of(request)
    text = await service.compute_json(request, lambda: work(body, service.limits))
    return Response(text, media_type="application/json")


def known_layers(model: BatchedModel, names: Sequence[str] | None) -> tuple[str, ...] | None:
    """The layers that a request names; `UnknownName` for one that the model does not have."""
    for name in names or ():
        model.parser.config.layer(name)
    return None if names is None else tuple(names)


def service_of(request: Request) -> Service:
    """The service that a request is for."""
    service = request.app.state.service
    assert isinstance(service, Service)
    return service


def count_words(request: Request, words: int) -> None:
    """Note the words of a request, for the log and for the order of jobs."""
    request.scope["state"]["words"] = words_so_far(request) + words


def words_so_far(request: Request) -> int:
    """The words of a request that have been read."""
    return int(request.scope["state"].get("words", 0))


def note_size(scope: Scope, size: int) -> None:
    """Note how many bytes a request has."""
    scope.setdefault("state", {})["bytes"] = size


def _size(request: Request) -> int:
    return int(request.scope["state"]["bytes"])
