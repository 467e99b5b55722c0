"""One thread a model: fairness, faults, and work that nobody wants any more."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.metrics import Metrics
from arctag.serve.models.batching import BATCH_WORDS, BatchedModel, Skipped
from tests.serve.servers import PausedParser

PLAIN = ParseOptions()


def sentence(text: str) -> Sentence:
    return Sentence.from_words(text.split())


class Stub:
    """A parser that gives sentences back as they are, and fails where it is told to."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def parse_sentences(self, sentences: list[Sentence], options: Any, report: Any) -> Iterator[Sentence]:
        self.batches.append([s.text for s in sentences])
        if any("bug" in s.words for s in sentences):
            raise KeyError("a bug")
        for s in sentences:
            if "bad" in s.words:
                report(s, "too bad")
            yield s


def run(parser: Any, *requests: tuple[list[Sentence], ParseOptions]) -> list[Any]:
    """Parse what several requests want, all of it waiting before the thread starts."""
    model = BatchedModel("m", parser, Metrics())

    async def everything() -> list[Any]:
        asked = [asyncio.ensure_future(model.parse(some, options)) for some, options in requests]
        await asyncio.sleep(0)
        model.start()
        return await asyncio.gather(*asked, return_exceptions=True)

    try:
        return asyncio.run(everything())
    finally:
        model.stop()


def test_batching_gives_each_request_its_own() -> None:
    parser = Stub()
    first, second = [sentence("a b"), sentence("c")], [sentence("d")]
    assert run(parser, (first, PLAIN), (second, PLAIN)) == [first, second]
    assert parser.batches == [["a b", "c", "d"]]


def test_batching_groups_by_options() -> None:
    parser = Stub()
    other = ParseOptions(probabilities=True)
    run(parser, ([sentence("a")], PLAIN), ([sentence("b")], other), ([sentence("c")], ParseOptions()))
    assert parser.batches == [["a", "c"], ["b"]]


def test_batching_bounds_a_batch() -> None:
    parser = Stub()
    half = sentence("w " * (BATCH_WORDS // 2))
    huge = sentence("w " * (2 * BATCH_WORDS))
    run(parser, ([half], PLAIN), ([half], PLAIN), ([half], PLAIN), ([huge], PLAIN), ([half], PLAIN))
    assert [len(batch) for batch in parser.batches] == [2, 1, 1, 1]


def test_batching_a_bad_sentence_is_skipped_and_the_rest_parsed() -> None:
    good, bad = sentence("good"), Sentence.from_words(["bad"], sent_id="b7")
    assert run(Stub(), ([good, bad], PLAIN), ([good], PLAIN)) == [[good, Skipped("b7", "too bad")], [good]]


def test_batching_a_fault_stays_with_its_request() -> None:
    parser = Stub()
    good = sentence("good")
    found = run(parser, ([good], PLAIN), ([sentence("bug")], PLAIN), ([good], PLAIN))
    assert found[0] == found[2] == [good]
    assert isinstance(found[1], KeyError)
    assert parser.batches == [["good", "bug", "good"], ["good"], ["bug"], ["good"]]


def test_batching_drops_what_is_cancelled() -> None:
    parser = Stub()
    model = BatchedModel("m", parser, Metrics())  # type: ignore[arg-type]

    async def everything() -> None:
        dropped = asyncio.ensure_future(model.parse([sentence("dropped")], PLAIN))
        wanted = asyncio.ensure_future(model.parse([sentence("wanted")], PLAIN))
        await asyncio.sleep(0)
        dropped.cancel()
        await asyncio.sleep(0)
        model.start()
        await wanted

    asyncio.run(everything())
    model.stop()
    assert parser.batches == [["wanted"]]


def test_batching_stops_though_all_is_cancelled() -> None:
    model = BatchedModel("m", Stub(), Metrics())  # type: ignore[arg-type]

    async def everything() -> None:
        dropped = asyncio.ensure_future(model.parse([sentence("dropped")], PLAIN))
        await asyncio.sleep(0)
        dropped.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dropped

    asyncio.run(everything())
    model.start()
    model.stop()
    assert model.queue_length() == 0


def test_batching_survives_a_client_that_leaves_meanwhile(paused: PausedParser) -> None:
    model = BatchedModel("m", paused, Metrics())  # type: ignore[arg-type]
    model.start()

    async def everything() -> list[Any]:
        leaving = asyncio.ensure_future(model.parse([sentence("leaving")], PLAIN))
        await asyncio.get_running_loop().run_in_executor(None, paused.begun.acquire)
        leaving.cancel()
        paused.resume()
        return await model.parse([sentence("staying")], PLAIN)

    assert [s.text for s in asyncio.run(everything())] == ["staying"]
    model.stop()


def test_batching_parses_as_the_parser_does(tiny: Parser) -> None:
    sentences = [sentence("She left"), sentence("The dog barked .")]
    (found,) = run(tiny, (sentences, PLAIN))
    assert [s.graph for s in found] == [s.graph for s in tiny.parse_sentences(sentences)]
