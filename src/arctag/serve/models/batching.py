"""Each model has threads of its own, which parse what several requests want together.

A request has one slice of its sentences in the queue at a time, and large requests take turns with small ones
(`turns`). The graphs do not depend on what else is in a batch.
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
from arctag.serve.models.fair_queue import Turns
from arctag.serve.models.workers import Lane, lanes_of
from arctag.serve.tracebacks import keep_places

BATCH_WORDS = 2_048
"""Words after which no further slice is taken into a batch: what comes next waits for all of it."""


@dataclass(frozen=True)
class Skipped:
    """A sentence that could not be parsed, and why."""

    id: str
    why: str


Parsed = list[Sentence | Skipped]


@dataclass(frozen=True, eq=False)
class Slice:
    """Sentences of one request that are parsed in one go."""

    sentences: list[Sentence]
    options: ParseOptions
    words: int
    answer: asyncio.Future[Parsed]


class BatchedModel:
    """A model, the threads that parse with it, and the slices that wait for it."""

    def __init__(self, name: str, parser: Parser, metrics: Metrics) -> None:
        self.name, self.parser = name, parser
        self._metrics = metrics
        self._waiting: Turns[Slice] = Turns()
        self._changed = Condition()
        self._stopping = False
        self._threads = [
            Thread(target=self._run, args=(lane,), name=f"arctag-{name}", daemon=True) for lane in lanes_of(parser)
        ]

    def start(self) -> None:
        """Begin to parse."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Finish what waits, then end."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def queue_length(self) -> int:
        """How many slices are in the queue."""
        return len(self._waiting)

    async def parse(self, sentences: Sequence[Sentence], options: ParseOptions, had: int = 0) -> Parsed:
        """Parse sentences when it is their turn; their request will then have `had` so many words parsed.

        Work that has not begun is dropped if whoever asked is cancelled.
        """
        words = sum(sentence.graph.n for sentence in sentences)
        some = Slice(list(sentences), options, words, asyncio.get_running_loop().create_future())
        with self._changed:
            self._waiting.add(some, had)
            self._changed.notify()
        try:
            return await some.answer
        finally:
            with self._changed:
                self._waiting.drop(some)
            del some  # an exception that it holds would hold this frame, and so itself

    def _run(self, lane: Lane) -> None:
        while self._take_and_parse(lane):
            pass

    def _take_and_parse(self, lane: Lane) -> bool:
        """Parse the next batch, and keep nothing of it; whether there may be more."""
        lane.wait_turn()
        try:
            if not (batch := self._next_batch()):
                return False
            self._parse_batch(lane.parser, batch)
        finally:
            lane.pass_on()
        return True

    def _parse_batch(self, parser: Parser, batch: list[Slice]) -> None:
        groups: dict[ParseOptions, list[Slice]] = {}
        for some in batch:
            groups.setdefault(some.options, []).append(some)
        for group in groups.values():
            self._metrics.batch_words.observe(sum(some.words for some in group))
            self._metrics.batch_requests.observe(len(group))
            self._parse_group(parser, group)

    def _next_batch(self) -> list[Slice]:
        """The slices that are parsed next; none when all is done and nothing more will come."""
        batch: list[Slice] = []
        words = 0
        with self._changed:
            while not self._waiting and not self._stopping:
                self._changed.wait()
            while self._waiting and (not batch or words + self._waiting.peek().words <= BATCH_WORDS):
                batch.append(self._waiting.take())
                words += batch[-1].words
        return batch

    def _parse_group(self, parser: Parser, group: list[Slice]) -> None:
        """Parse slices with the same options; if that fails, each by itself, so that only one request is at fault."""
        parsed = _outcome(parser, [sentence for some in group for sentence in some.sentences], group[0].options)
        if not isinstance(parsed, Exception):
            stream = iter(parsed)
            self._metrics.words.labels(self.name).inc(sum(some.words for some in group))
            _tell(group, [list(islice(stream, len(some.sentences))) for some in group])
        elif len(group) == 1:
            _tell(group, [parsed])
        else:
            for some in group:
                self._parse_group(parser, [some])


def _outcome(parser: Parser, sentences: list[Sentence], options: ParseOptions) -> Parsed | Exception:
    """What parsing gives, or why it failed: the thread must live, and the request must get its answer."""
    try:
        return _parsed(parser, sentences, options)
    except Exception as error:
        keep_places(error)
        return error


def _parsed(parser: Parser, sentences: list[Sentence], options: ParseOptions) -> Parsed:
    failed: dict[int, str] = {}
    parsed = parser.parse_sentences(sentences, options, report=lambda sentence, why: failed.update({id(sentence): why}))
    return [
        Skipped(given.id, failed[id(given)]) if id(given) in failed else done
        for given, done in zip(sentences, parsed, strict=True)
    ]


def _tell(group: list[Slice], outcomes: Sequence[Parsed | Exception]) -> None:
    """Hand over what became of slices, all at once: each time a loop is woken costs as much as parsing a word."""

    def tell() -> None:
        for some, outcome in zip(group, outcomes, strict=True):
            if some.answer.done():  # whoever asked has gone
                continue
            if isinstance(outcome, Exception):
                some.answer.set_exception(outcome)
            else:
                some.answer.set_result(outcome)

    with suppress(RuntimeError):  # the loop is closed: nobody is left
        group[0].answer.get_loop().call_soon_threadsafe(tell)
