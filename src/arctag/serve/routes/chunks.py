"""The sentences of a request in chunks, parsed one after another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from fastapi import Request

from arctag.parsing.parser import ParseOptions
from arctag.sentence import Sentence
from arctag.serve.models.batching import BatchedModel, Parsed, Skipped
from arctag.serve.service import Service, count_words, words_so_far

CHUNK_WORDS = 512
"""Words after which a chunk is full, and other requests are parsed."""


async def chunks(request: Request, service: Service, sentences: Iterator[Sentence]) -> AsyncIterator[Parsed]:
    """Read sentences in chunks; one that cannot be read comes as `Skipped`."""
    more = True
    while more:
        found, more = await service.compute(request, _next_chunk, sentences)
        if found:
            count_words(request, sum(sentence.graph.n for sentence in found if isinstance(sentence, Sentence)))
            yield found


async def parsed_chunks(
    request: Request, service: Service, model: BatchedModel, sentences: Iterator[Sentence], options: ParseOptions
) -> AsyncIterator[Parsed]:
    """Parse sentences in chunks; one that cannot be read or parsed comes as `Skipped`, where it stood."""
    async for found in chunks(request, service, sentences):
        good = [sentence for sentence in found if isinstance(sentence, Sentence)]
        parsed = iter(await model.parse(good, options, words_so_far(request)))
        yield [next(parsed) if isinstance(sentence, Sentence) else sentence for sentence in found]


def _next_chunk(sentences: Iterator[Sentence]) -> tuple[Parsed, bool]:
    """Read until a chunk is full; and whether there may be more after it."""
    found: Parsed = []
    words = 0
    for sentence in sentences:
        found.append(Skipped(sentence.id, sentence.error) if sentence.error else sentence)
        words += sentence.graph.n or 1  # a broken one has none
        if words >= CHUNK_WORDS:
            return found, True
    return found, False
