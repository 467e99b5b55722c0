"""Jobs: chunks that are read, parsed and rendered together, by any process."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

from arctag.formats import Chunk
from arctag.parsing.batches import ahead
from arctag.parsing.inputs import OutputChunk
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from arctag.parsing.proposals import untimed
from arctag.parsing.rendering import Renderer
from arctag.parsing.sources import TEXT, Origin, Report
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

WORDS = 16_384
"""Of a job, about."""


@dataclass
class Section:
    """Consecutive chunks of one source."""

    output: int
    """The number of the output that their sentences go to."""
    origin: Origin
    chunks: list[Chunk] = field(default_factory=list)
    checksum: int = 0
    """Of all that was read of streams so far."""


Job = list[Section]


def make_jobs(chunks: Iterable[OutputChunk], words: int | None = None) -> Iterator[Job]:
    """Join chunks into jobs of about so many words."""
    words = words or WORDS
    job: Job = []
    total = 0
    for output, origin, chunk, checksum in chunks:
        if not job or job[-1].origin is not origin:
            job.append(Section(output, origin))
        job[-1].chunks.append(chunk)
        job[-1].checksum = checksum
        total += chunk.words
        if total >= words:
            yield job
            job, total = [], 0
    if job:
        yield job


class Rendered(NamedTuple):
    """What to write of a section."""

    output: int
    data: bytes
    chunks: int
    """How many chunks it stands for."""
    checksum: int


@dataclass
class Result:
    """What became of a job."""

    rendered: list[Rendered] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    """Sentences that were passed through, and why."""
    sentences: int = 0
    words: int = 0
    bytes: int = 0
    """How much of the sources was read, about."""
    changes: int = 0
    """Arcs added or removed by guarantees."""
    lost: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Settings:
    """What every worker must know."""

    model: str
    device: str | None
    options: ParseOptions
    to: str
    """The format to write."""


class _Begun(NamedTuple):
    """A job whose chunks are read."""

    job: Job
    sentences: list[list[Sentence]]
    """Of each section."""
    result: Result


class Worker:
    """A loaded model that does jobs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.parser = load(settings.model, settings.device)

    def __call__(self, job: Job) -> Result:
        """Read, parse and render the sentences of a job."""
        return next(self._results([job], 0))

    def results(self, jobs: Iterable[Job]) -> Iterator[Result]:
        """The results of jobs, in order.

        While a device parses some of them others are read and rendered, each in a thread of its own.
        """
        if self.parser.timer is None and (count := min(1, self.parser.backend.ahead)):
            yield from self._results(jobs, count)
        else:
            yield from map(self, jobs)

    def _results(self, jobs: Iterable[Job], count: int) -> Iterator[Result]:
        """The results of jobs that are read and rendered so many ahead."""
        begun: deque[_Begun] = deque()
        messages: list[str] = []

        def sentences() -> Iterator[Sentence]:
            for one in ahead(self._begin, jobs, count):
                begun.append(one)
                yield from chain.from_iterable(one.sentences)

        def parsed() -> Iterator[tuple[_Begun, list[Sentence]]]:
            stream = self.parse(sentences(), messages.append)
            for first in chain(stream, [None]):
                while begun and (first is None or not any(begun[0].sentences)):
                    yield begun.popleft(), []  # a job without sentences
                if first is None:
                    break
                one = begun.popleft()
                some = [first, *islice(stream, sum(map(len, one.sentences)) - 1)]
                one.result.messages.extend(messages)
                messages.clear()
                yield one, some

        return ahead(self._finish, parsed(), count)

    def _begin(self, job: Job) -> _Begun:
        """Read the sentences of a job."""
        result = Result()
        with (self.parser.timer or untimed)("reading"):
            read = [list(self.sentences(section.origin, section.chunks, result.messages.append)) for section in job]
        for sentence in chain.from_iterable(read):
            if lost := empty_nodes.count(sentence):
                result.lost["empty nodes"] += lost  # a parse does not have them
        result.bytes = sum(len(chunk.data) for section in job for chunk in section.chunks)
        return _Begun(job, read, result)

    def _finish(self, parsed: tuple[_Begun, list[Sentence]]) -> Result:
        """Render the parsed sentences of a job."""
        (job, read, result), sentences = parsed
        renderer, stream = Renderer(self.settings.to), iter(sentences)
        for section, before in zip(job, read, strict=True):
            with (self.parser.timer or untimed)("writing"):
                data = b"".join(renderer.data(islice(stream, len(before))))
            result.rendered.append(Rendered(section.output, data, len(section.chunks), section.checksum))
        result.sentences = len(sentences)
        result.words = sum(sentence.size for sentence in sentences)
        result.changes = sum(sentence.changes for sentence in sentences)
        result.lost.update(renderer.lost)
        return result

    def sentences(self, origin: Origin, chunks: Iterable[Chunk], report: Report) -> Iterator[Sentence]:
        """The sentences of chunks, not yet parsed."""
        tokenizer = self.parser.needed_tokenizer() if origin.format == TEXT else None
        return origin.sentences(chunks, tokenizer, report)

    def parse(self, sentences: Iterable[Sentence], report: Report) -> Iterator[Sentence]:
        """Parse sentences."""
        return self.parser.parse_sentences(sentences, self.settings.options, lambda s, why: report(f"{s.id}: {why}"))
