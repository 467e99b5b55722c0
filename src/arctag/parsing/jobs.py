"""Jobs: chunks that are read, parsed and rendered together, by any process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

from arctag.formats import Chunk
from arctag.parsing.inputs import OutputChunk
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from arctag.parsing.rendering import Renderer
from arctag.parsing.sources import TEXT, Origin, Report
from arctag.sentence import Sentence

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
    text: str
    chunks: int
    """How many chunks the text stands for."""
    checksum: int


@dataclass
class Result:
    """What became of a job."""

    texts: list[Rendered] = field(default_factory=list)
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


class Worker:
    """A loaded model that does jobs."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.parser = load(settings.model, settings.device)

    def __call__(self, job: Job) -> Result:
        """Read, parse and render the sentences of a job."""
        result, renderer = Result(), Renderer(self.settings.to)
        for section, sentences in self.parsed(job, result.messages.append, result.lost):
            text = "".join(map(renderer.text, sentences))
            result.texts.append(Rendered(section.output, text, len(section.chunks), section.checksum))
            result.sentences += len(sentences)
            result.words += sum(sentence.graph.n for sentence in sentences)
            result.bytes += sum(len(chunk.text.encode(errors="surrogateescape")) + 1 for chunk in section.chunks)
            result.changes += sum(sentence.changes for sentence in sentences)
        result.lost.update(renderer.lost)
        return result

    def parsed(self, job: Job, report: Report, lost: Counter[str]) -> Iterator[tuple[Section, list[Sentence]]]:
        """The sections of a job with their parsed sentences; all are parsed together."""
        read = [list(self.sentences(section.origin, section.chunks, report)) for section in job]
        parsed = self.parse(chain.from_iterable(read), report, lost)
        for section, sentences in zip(job, read, strict=True):
            yield section, list(islice(parsed, len(sentences)))

    def sentences(self, origin: Origin, chunks: Iterable[Chunk], report: Report) -> Iterator[Sentence]:
        """The sentences of chunks, not yet parsed."""
        tokenizer = self.parser.needed_tokenizer() if origin.format == TEXT else None
        return origin.sentences(chunks, tokenizer, report)

    def parse(self, sentences: Iterable[Sentence], report: Report, lost: Counter[str]) -> Iterator[Sentence]:
        """Parse sentences; the empty nodes that a parse does not have are counted as lost."""
        counted = _count_empty_nodes(sentences, lost)
        return self.parser.parse_sentences(counted, self.settings.options, lambda s, why: report(f"{s.id}: {why}"))


def _count_empty_nodes(sentences: Iterable[Sentence], lost: Counter[str]) -> Iterator[Sentence]:
    for sentence in sentences:
        if sentence.has_empty and not sentence.error:
            lost["empty nodes"] += sum(sentence.empty)
        yield sentence
