"""Parsing in tasks: units of one or several sources go to a worker, and text for their outputs comes back.

With several workers each is a process of its own with the model loaded; results keep their order,
and only a few tasks are on their way at a time, so that memory does not grow with the input.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple

from arctag.cores import usable_cores
from arctag.errors import ArctagError, InputError
from arctag.formats import Writer
from arctag.modelfile.bundled import is_exported
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from arctag.parsing.sources import TEXT, Source, Unit, characters, size
from arctag.sentence import Sentence

_AHEAD = 2  # tasks on their way for each worker


@dataclass(frozen=True)
class Settings:
    """What every worker must know."""

    model: str
    device: str | None
    options: ParseOptions
    to: str
    """conllu, sdp or json."""


@dataclass(frozen=True)
class Part:
    """Some units of a source."""

    output: int
    """The number of the output they go to."""
    source: Source
    units: list[Unit]
    mark: int = 0
    """A checksum of all that was read of streams so far, by which a resumed run knows that it reads the same."""


class Rendered(NamedTuple):
    """What to write of a part."""

    output: int
    text: str
    units: int
    mark: int


@dataclass
class Done:
    """What became of a task."""

    texts: list[Rendered] = field(default_factory=list)
    """What to write of each part."""
    messages: list[str] = field(default_factory=list)
    """Sentences that were passed through, and why."""
    sentences: int = 0
    words: int = 0
    characters: int = 0
    changes: int = 0
    """Arcs added or removed by guarantees."""
    lost: Counter[str] = field(default_factory=Counter)


Task = list[Part]
"""Parts that are parsed together: either all from graph files, or none."""


def make_tasks(parts: Iterable[Part], words: int) -> Iterator[Task]:
    """Join small parts into tasks of about so many words; large ones come already cut."""
    task: Task = []
    total = 0
    for part in parts:
        if task and (total >= words or part.source.made_here != task[0].source.made_here):
            yield task
            task, total = [], 0
        task.append(part)
        total += sum(map(size, part.units))
    if task:
        yield task


def cut(units: Iterable[Unit], source: Source, output: int, words: int) -> Iterator[Part]:
    """The units of a source in parts of about so many words."""
    source = source.for_workers()
    some: list[Unit] = []
    total = 0
    failure: Exception | None = None
    try:
        for unit in units:
            some.append(unit)
            total += size(unit)
            if total >= words:
                yield Part(output, source, some)
                some, total = [], 0
    except (ArctagError, OSError) as error:  # what came before it counts
        failure = error
    if some:
        yield Part(output, source, some)
    if failure is not None:
        raise failure


class Worker:
    """A loaded model that does tasks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.parser = load(settings.model, settings.device)

    def __call__(self, task: Task) -> Done:
        """Parse the units of a task and render the sentences."""
        done, writer = Done(), Writer(self.settings.to)
        for part, sentences in self.parsed(task, done.messages.append, done.lost):
            text = "".join([writer.text(with_probabilities(sentence)) for sentence in sentences])
            done.texts.append(Rendered(part.output, text, len(part.units), part.mark))
            done.sentences += len(sentences)
            done.words += sum(sentence.graph.n for sentence in sentences)
            done.characters += sum(map(characters, part.units))
            done.changes += sum(sentence.changes for sentence in sentences)
        done.lost.update(writer.lost)
        return done

    def parsed(
        self, task: Task, report: Callable[[str], None], lost: Counter[str]
    ) -> list[tuple[Part, list[Sentence]]]:
        """The parts of a task with their parsed sentences; all are parsed together."""
        read = [list(self.sentences(part.source, part.units, report)) for part in task]
        stream = self.parse(chain.from_iterable(read), report, lost)
        return [(part, list(islice(stream, len(some)))) for part, some in zip(task, read, strict=True)]

    def sentences(self, source: Source, units: Iterable[Unit], report: Callable[[str], None]) -> Iterator[Sentence]:
        """The sentences of some units of a source, not yet parsed."""
        if source.kind == TEXT:
            self.parser.needed_tokenizer()
        return source.sentences(units, self.parser.tokenizer, report)

    def parse(
        self, sentences: Iterable[Sentence], report: Callable[[str], None], lost: Counter[str]
    ) -> Iterator[Sentence]:
        """Parse sentences; the empty nodes that a parse does not have are counted as lost."""
        counted = map(partial(_count_empty, lost=lost), sentences)
        return self.parser.parse_sentences(counted, self.settings.options, lambda s, why: report(f"{s.id}: {why}"))


def _count_empty(sentence: Sentence, lost: Counter[str]) -> Sentence:
    if sentence.has_empty and not sentence.error:
        lost["empty nodes"] += sum(sentence.empty)
    return sentence


def with_probabilities(sentence: Sentence) -> Sentence:
    """The probabilities of a parsed sentence as comments."""
    probable = sentence.graph.probabilities
    if probable is None:
        return sentence
    names = ["0", *sentence.ids]
    arcs = " ".join(
        f"{names[arc.head]}>{names[arc.dependent]}={p:.3f}"
        for arc, p in zip(sentence.graph, probable.tolist(), strict=True)
    )
    at = len(sentence.comments)
    if sentence.format == "sdp" and at and not sentence.comments[-1].startswith("#SDP"):
        at -= 1  # the last comment is the sentence's id
    new = (f"# score = {sentence.score or 0.0:.4f}", f"# probabilities = {arcs}")
    return replace(sentence, comments=(*sentence.comments[:at], *new, *sentence.comments[at:]))


def run(tasks: Iterable[Task], settings: Settings, workers: int) -> Iterator[Done]:
    """Do the tasks, with so many workers; what comes of them, in order."""
    stream = iter(tasks)
    first = list(islice(stream, 2))
    everything = chain(first, stream)
    if workers == 1 or len(first) < 2:  # one task is done sooner here than by a process that must start
        yield from map(Worker(settings), everything)
        return
    with Pool(settings, workers) as pool:
        yield from pool.run(everything)


class Pool:
    """Processes with the model loaded; fresh ones, since what runs threads of its own must not be forked."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self.workers = workers
        threads = max(1, usable_cores() // workers)
        context = get_context("spawn")
        # the workers end when the other end of this is closed: by us, or by the system when we die
        watched, self.alive = context.Pipe(duplex=False)
        self.processes = ProcessPoolExecutor(workers, context, _start, (settings, threads, watched))

    def run(self, tasks: Iterable[Task]) -> Iterator[Done]:
        """What comes of the tasks, in order; only a few are on their way at a time."""
        waiting: deque[Future[Done]] = deque()
        try:
            for task in tasks:
                waiting.append(self.processes.submit(_work, task))
                if len(waiting) >= _AHEAD * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise InputError("a worker was killed, most likely for lack of memory: try fewer --workers") from error

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:  # what the workers are busy with is not wanted any more
            self.alive.close()
        self.processes.shutdown(cancel_futures=True)
        self.alive.close()


def usable_workers(settings: Settings) -> int:
    """One for two cores, for an exported model: two threads are as fast as two processes, and take half the memory.

    Torch is left to share cores out itself.
    """
    return max(1, usable_cores() // 2) if is_exported(settings.model) and settings.device in (None, "cpu") else 1


_worker: Callable[[Task], Done]


def _start(settings: Settings, threads: int, watched: Connection) -> None:
    """In a new process: load the model, and take a share of the cores."""
    global _worker
    threading.Thread(target=_end_with, args=(watched,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears it and ends the others
    os.environ["OMP_NUM_THREADS"] = str(threads)
    _worker = Worker(settings)


def _end_with(watched: Connection) -> None:
    """End this process as soon as the first one closes its end of a pipe, or dies."""
    with suppress(EOFError, OSError):
        watched.recv_bytes()
    os._exit(1)


def _work(task: Task) -> Done:
    return _worker(task)
