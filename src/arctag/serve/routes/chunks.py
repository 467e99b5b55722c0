"""From the text of a request to parsed sentences, slice by slice."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator

from fastapi import Request

from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.limits import Limits
from arctag.serve.models.batching import BatchedModel, Parsed, Skipped
from arctag.serve.requests.graph_text import read_graphs
from arctag.serve.service import Service, count_words, words_so_far

SLICE_WORDS = 512
"""Words after which a slice is full; others then have their turn."""


def token_sentences(sentences: Iterable[list[str]], limits: Limits) -> Iterator[Sentence]:
    """Sentences that came split into words."""
    for number, words in enumerate(sentences, 1):
        limits.check_sentence(len(words))
        yield Sentence.from_words(words, sent_id=f"s{number}")


def text_sentences(parser: Parser, text: str, layout: str) -> Iterator[Sentence]:
    """The sentences of running text."""
    return parser.needed_tokenizer().sentences(text, layout=layout)


def graph_sentences(text: str, limits: Limits) -> Iterator[Sentence]:
    """The words of a graph file; a sentence that cannot be read is marked as broken."""
    return read_graphs(text, "graphs", limits, words_only=True, on_error=lambda _: None)


async def slices(request: Request, service: Service, sentences: Iterator[Sentence]) -> AsyncIterator[Parsed]:
    """Read sentences in slices; one that cannot be read comes as `Skipped`."""
    more = True
    while more:
        found, more = await service.compute(request, _next_slice, sentences)
        if found:
            count_words(request, sum(sentence.graph.n for sentence in found if isinstance(sentence, Sentence)))
            yield found


async def parsed_slices(
    request: Request, service: Service, model: BatchedModel, sentences: Iterator[Sentence], options: ParseOptions
) -> AsyncIterator[Parsed]:
    """Parse sentences in slices; one that cannot be read or parsed comes as `Skipped`, where it stood."""
    async for found in slices(request, service, sentences):
        good = [sentence for sentence in found if isinstance(sentence, Sentence)]
        parsed = iter(await model.parse(good, options, words_so_far(request)))
        yield [next(parsed) if isinstance(sentence, Sentence) else sentence for sentence in found]


def _next_slice(sentences: Iterator[Sentence]) -> tuple[Parsed, bool]:
    """Read on until there are enough words for a slice; and whether there may be more after it."""
    found: Parsed = []
    words = 0
    for sentence in sentences:
        broken = sentence.extra.get("broken")
        found.append(Skipped(sentence.id, str(broken)) if broken is not None else sentence)
        words += sentence.graph.n or 1  # a broken one has none
        if words >= SLICE_WORDS:
            return found, True
    return found, False
