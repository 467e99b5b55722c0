"""Jobs: chunks that are read, parsed and rendered together, by any process."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from typing import NamedTuple

from arctag.errors import InputError
from arctag.formats import COLUMNAR, Chunk
from arctag.formats.conllu_plus import CONLLUP
from arctag.formats.json_lines import JSON
from arctag.layers import Layer, LearnedLayer
from arctag.layers.answers import untimed
from arctag.layers.graphs import MAIN, GraphLayer
from arctag.parsing.asked import graph_names
from arctag.parsing.batches import ahead
from arctag.parsing.inputs import OutputChunk
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from arctag.parsing.rendering import Renderer, TableRenderer
from arctag.parsing.sources import Origin, Report
from arctag.sentence import Sentence
from arctag.sentence.layers import TREE
from arctag.transforms import empty_nodes
from arctag.transforms.basic_tree import has_tree
from arctag.transforms.main_graph import with_main

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
    document: str | None = None
    """The document that the first chunk continues, in a graph file."""


Job = list[Section]


def make_jobs(chunks: Iterable[OutputChunk], words: int | None = None) -> Iterator[Job]:
    """Join chunks into jobs of about so many words."""
    words = words or WORDS
    job: Job = []
    total = 0
    for output, origin, chunk, checksum, document in chunks:
        if not job or job[-1].origin is not origin:
            job.append(Section(output, origin, document=document))
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
    header: bytes
    """What a file begins with that begins with it."""


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
    main: str = ""
    """The layer that is written as the graph of each sentence, if it is another one."""
    further: tuple[str, ...] = ()
    """The further layers that CoNLL-U Plus has columns for; by default those of the first sentence."""


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
        main, known = settings.main or MAIN, self.parser.config.names
        if settings.to == "sdp" and main not in known:
            raise InputError(
                f"an SDP file holds a graph, and the model predicts {', '.join(known)}: write conllu (--to)"
            )
        left_out = _left_out(self.parser.config.layers, settings.to, main)
        self.options = replace(settings.options, left_out=left_out)
        self._failed: dict[int, str] = {}  # why sentences could not be parsed, by their identity

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
        stream = map(self.chosen, sentences)
        for section, before in zip(job, read, strict=True):
            renderer = self._renderer(section, before)
            with (self.parser.timer or untimed)("writing"):
                data = b"".join(renderer.data(islice(stream, len(before))))
            result.rendered.append(
                Rendered(section.output, data, len(section.chunks), section.checksum, renderer.start)
            )
            result.lost.update(renderer.lost)
            result.messages.extend(renderer.faults)
        for sentence in sentences:
            self._failed.pop(id(sentence), None)
        result.sentences = len(sentences)
        result.words = sum(sentence.size for sentence in sentences)
        result.changes = sum(sentence.changes for sentence in sentences)
        return result

    def _renderer(self, section: Section, sentences: list[Sentence]) -> Renderer | TableRenderer:
        """What writes a section: each file has columns of its own."""
        fresh = any(sentence.fresh for sentence in sentences[:1])
        # what is filled in, whether the first sentence could be parsed or not
        columns = self.settings.further or self.parser.columns(fresh, self.options)
        if self.settings.to not in COLUMNAR:
            return Renderer(self.settings.to, columns)
        names = tuple(name for name in columns if name != self.settings.main)
        return TableRenderer(names, graph_names(self.parser.config), section.document, self._failed)

    def sentences(self, origin: Origin, chunks: Iterable[Chunk], report: Report) -> Iterator[Sentence]:
        """The sentences of chunks, not yet parsed."""
        tokenizer = self.parser.needed_tokenizer() if origin.is_text else None
        return origin.sentences(chunks, tokenizer, report)

    def chosen(self, sentence: Sentence) -> Sentence:
        """A parsed sentence with the graph that is to be written."""
        main = self.settings.main
        there = main in sentence.further_graphs or (main == TREE and has_tree(sentence))
        return with_main(sentence, main) if there else sentence

    def parse(self, sentences: Iterable[Sentence], report: Report) -> Iterator[Sentence]:
        """Parse sentences."""

        def failed(sentence: Sentence, why: str) -> None:
            self._failed[id(sentence)] = why
            report(f"{sentence.id}: {why}")

        return self.parser.parse_sentences(sentences, self.options, failed)


def _left_out(layers: Iterable[Layer], to: str, main: str) -> tuple[str, ...]:
    """The layers that a format has no room for: predicting them would take time for nothing."""
    layers = list(layers)
    derived = {name for layer in layers if not isinstance(layer, LearnedLayer) for name in layer.uses}
    others = [layer for layer in layers if layer.name != main]
    if to == "sdp":
        return tuple(layer.name for layer in others if not {"LEMMA", "XPOS"}.issuperset(layer.written))
    if to in (CONLLUP.name, JSON.name, *COLUMNAR):
        return ()
    return tuple(layer.name for layer in others if isinstance(layer, GraphLayer) and layer.name not in derived)
