"""`BatchedModel`: a model whose threads parse the jobs of several requests together.

A request has one job, a chunk of its sentences, in the queue at a time, and large requests alternate with small ones
(`fair_queue`). The graphs do not depend on what else is in a batch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from threading import Condition, Thread

from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.metrics import Metrics
from arctag.serve.models.fair_queue import FairQueue
from arctag.serve.models.workers import Worker, make_workers
from arctag.serve.tracebacks import drop_traceback

BATCH_WORDS = 2_048
"""Words after which no further job is taken into a batch: those that come later wait for all of it."""


@dataclass(frozen=True)
class Skipped:
    """A sentence that could not be parsed, and why."""

    id: str
    why: str


Parsed = list[Sentence | Skipped]


@dataclass(frozen=True, eq=False)
class Job:
    """Sentences of one request that are parsed together."""

    sentences: list[Sentence]
    options: ParseOptions
    words: int
    result: asyncio.Future[Parsed]


class BatchedModel:
    """A model, the threads that parse with it, and the jobs that wait for it."""

    def __init__(self, name: str, parser: Parser, metrics: Metrics) -> None:
        self.name, self.parser = name, parser
        self._metrics = metrics
        self._queue: FairQueue[Job] = FairQueue()
        self._changed = Condition()
        self._stopping = False
        self._threads = [
            Thread(target=self._run, args=(worker,), name=f"arctag-{name}", daemon=True)
            for worker in make_workers(parser)
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish the jobs in the queue, then end the threads."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def queue_length(self) -> int:
        """How many jobs wait."""
        return len(self._queue)

    async def parse(self, sentences: Sequence[Sentence], options: ParseOptions, done: int = 0) -> Parsed:
        """Parse sentences; `done` is how many words of their request are then parsed, which decides when.

        A job that has not begun is dropped if its caller is cancelled.
        """
        words = sum(sentence.graph.n for sentence in sentences)
        job = Job(list(sentences), options, words, asyncio.get_running_loop().create_future())
        with self._changed:
            self._queue.add(job, done)
            self._changed.notify()
        try:
            return await job.result
        finally:
            with self._changed:
                self._queue.discard(job)
            del job  # an exception in it would hold this frame, and so itself

    def _run(self, worker: Worker) -> None:
        while self._parse_next_batch(worker):
            pass

    def _parse_next_batch(self, worker: Worker) -> bool:
        """Parse the next batch, and keep nothing of it; whether there may be more."""
        worker.acquire_network()
        try:
            if not (batch := self._next_batch()):
                return False
            self._parse_batch(worker.parser, batch)
        finally:
            worker.release_network()
        return True

    def _next_batch(self) -> list[Job]:
        """The jobs to parse next; none when the queue is empty and the model stops."""
        batch: list[Job] = []
        words = 0
        with self._changed:
            while not self._queue and not self._stopping:
                self._changed.wait()
            while self._queue and (not batch or words + self._queue.peek().words <= BATCH_WORDS):
                batch.append(self._queue.take())
                words += batch[-1].words
        return batch

    def _parse_batch(self, parser: Parser, batch: list[Job]) -> None:
        groups: dict[ParseOptions, list[Job]] = {}
        for job in batch:
            groups.setdefault(job.options, []).append(job)
        for group in groups.values():
            self._metrics.batch_words.observe(sum(job.words for job in group))
            self._metrics.batch_requests.observe(len(group))
            self._parse_group(parser, group)

    def _parse_group(self, parser: Parser, group: list[Job]) -> None:
        """Parse jobs with the same options; if that fails, each by itself, so that only one request fails."""
        parsed = _parsed_or_error(parser, [sentence for job in group for sentence in job.sentences], group[0].options)
        if not isinstance(parsed, Exception):
            stream = iter(parsed)
            self._metrics.words.labels(self.name).inc(sum(job.words for job in group))
            _deliver(group, [list(islice(stream, len(job.sentences))) for job in group])
        elif len(group) == 1:
            _deliver(group, [parsed])
        else:
            for job in group:
                self._parse_group(parser, [job])


def _parsed_or_error(parser: Parser, sentences: list[Sentence], options: ParseOptions) -> Parsed | Exception:
    """The parsed sentences, or why that failed: the thread must live on, and the request must get an answer."""
    try:
        return _parsed(parser, sentences, options)
    except Exception as error:
        drop_traceback(error)
        return error


def _parsed(parser: Parser, sentences: list[Sentence], options: ParseOptions) -> Parsed:
    failed: dict[int, str] = {}
    parsed = parser.parse_sentences(sentences, options, report=lambda sentence, why: failed.update({id(sentence): why}))
    return [
        Skipped(sentence.id, failed[id(sentence)]) if id(sentence) in failed else done
        for sentence, done in zip(sentences, parsed, strict=True)
    ]


def _deliver(group: list[Job], results: Sequence[Parsed | Exception]) -> None:
    """Hand over the results of jobs, all at once: to wake an event loop costs as much as parsing a word."""

    def deliver() -> None:
        for job, result in zip(group, results, strict=True):
            if job.result.done():  # cancelled
                continue
            if isinstance(result, Exception):
                job.result.set_exception(result)
            else:
                job.result.set_result(result)

    with suppress(RuntimeError):  # the loop is closed
        group[0].result.get_loop().call_soon_threadsafe(deliver)
