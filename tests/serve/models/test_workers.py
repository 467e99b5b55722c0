"""Two batches at a time: the second begins when the network has read the first, and nothing gets mixed up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from threading import Event, Thread
from typing import Any

import pytest

import arctag
from arctag.backends.inputs import WordInputs
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.metrics import Metrics
from arctag.serve.models.batching import BatchedModel, Parsed, Skipped
from arctag.serve.models.workers import make_workers
from tests.exported import Export
from tests.serve.servers import WAIT

PLAIN = ParseOptions()
SURE = ParseOptions(ensure=("attached",))
Request = tuple[list[list[str]], ParseOptions]
"""Sentences, and how to parse them."""


@pytest.fixture(scope="module")
def english() -> Parser:
    return arctag.load("en")


class Stalling(dict[str, int]):
    """A table in which the first look at one key takes until `go`."""

    def __init__(self, table: dict[str, int], key: str) -> None:
        super().__init__(table)
        self._key = key
        self.asked, self.go = Event(), Event()

    def get(self, key: str, default: Any = None) -> Any:
        if key == self._key and not self.asked.is_set():
            self.asked.set()
            assert self.go.wait(WAIT)
        return super().get(key, default)


def test_workers_of_torch_take_one_batch_at_a_time(tiny: Parser) -> None:
    (worker,) = make_workers(tiny)
    assert worker.parser is tiny


def test_workers_the_next_batch_begins_when_the_network_has_read_one(english: Parser) -> None:
    first, second = make_workers(english)
    begun, order = Event(), []

    def other() -> None:
        begun.set()
        second.acquire_network()
        order.append("second")
        second.release_network()

    first.acquire_network()
    thread = Thread(target=other)
    thread.start()
    assert begun.wait(WAIT)
    (arrays,) = [english.inputs.arrays([english.tokens(Sentence.from_words(["Go"]))])]
    order.append("first")
    first.parser.backend.read(arrays, ["graph"])
    thread.join(WAIT)  # it has had the network, though the first worker has not ended
    assert order == ["first", "second"]
    first.release_network()  # once more does nothing
    second.acquire_network()
    second.release_network()


def test_workers_release_the_network_after_an_error(english: Parser) -> None:
    model = BatchedModel("m", english, Metrics())
    model.start()

    async def everything() -> list[Any]:
        broken: Any = [None]
        found = []
        for sentences in ([Sentence.from_words(["Go"])], broken, [Sentence.from_words(["Go"])]) * 2:
            try:
                found.append(len(await model.parse(sentences, PLAIN)))
            except AttributeError:
                found.append(-1)
        return found

    assert asyncio.run(everything()) == [1, -1, 1, 1, -1, 1]
    model.stop()


def test_workers_many_requests_get_their_own_graphs(english: Parser) -> None:
    texts = [f"The {'very ' * (i % 7)}old dog number {i} saw {i % 3} cats and barked ." for i in range(120)]
    sentences = [Sentence.from_words(text.split()) for text in texts]
    alone = [next(english.parse_sentences([sentence])).graph for sentence in sentences]
    model = BatchedModel("m", english, Metrics())
    model.start()

    async def client(numbers: range) -> list[bool]:
        return [(await model.parse([sentences[i]], PLAIN))[0].graph == alone[i] for i in numbers]  # type: ignore[union-attr]

    async def everything() -> list[list[bool]]:
        return await asyncio.gather(*(client(range(i, 120, 24)) for i in range(24)))

    assert all(all(found) for found in asyncio.run(everything()))
    model.stop()


@pytest.mark.parametrize(
    "first",
    [
        [([["the"] * 350, *[["the", "kettle", "sings", "."]] * 25, ["§ings"]], PLAIN)],  # too long if it were padded
        [([["the", "kettle"]], PLAIN), ([["§ings"]], ParseOptions(probabilities=True))],
        [([["the", "kettle"]], PLAIN), ([["sings"]], ParseOptions(threshold=0.4)), ([["§ings"]], SURE)],
    ],
    ids=["lengths", "options", "three options"],
)
def test_workers_batches_in_several_parts_get_their_own_graphs(
    exports: Export,
    first: list[Request],
) -> None:
    """While a worker prepares a later part, the other parses the same words, which it has not seen."""
    pytest.importorskip("onnx", reason="the network is exported by onnx: pip install 'arctag[train]'")
    parser = load(exports("verified", "int8"))
    assert isinstance(parser.inputs, WordInputs)
    table = parser.inputs.chars = Stalling(parser.inputs.chars, "§")
    second: Request = ([["the", "§ings", "kettle"], ["§ings"], ["."]], PLAIN)
    model = BatchedModel("m", parser, Metrics())

    async def everything() -> list[Parsed]:
        one_batch = [asyncio.ensure_future(model.parse(*_given(request))) for request in first]
        await asyncio.sleep(0)  # all of them are in the queue
        model.start()
        assert await asyncio.to_thread(table.asked.wait, WAIT)
        beside = await model.parse(*_given(second))
        table.go.set()
        return [*await asyncio.gather(*one_batch), beside]

    try:
        found = asyncio.run(everything())
    finally:
        table.go.set()
        model.stop()
    assert [_outcomes(some) for some in found] == [
        _outcomes(parser.parse_sentences(*_given(request))) for request in [*first, second]
    ]


def _given(request: Request) -> tuple[list[Sentence], ParseOptions]:
    return [Sentence.from_words(words) for words in request[0]], request[1]


def _outcomes(parsed: Iterable[Sentence | Skipped]) -> list[Any]:
    """What became of sentences: a graph with its probabilities, or why there is none."""
    return [
        one if isinstance(one, Skipped) else (one.graph, _listed(one.graph.probabilities), one.score) for one in parsed
    ]


def _listed(probabilities: Any) -> list[float] | None:
    return None if probabilities is None else list(probabilities)
