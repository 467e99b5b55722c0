"""Two batches at a time: the second begins when the network has read the first, and nothing gets mixed up."""

from __future__ import annotations

import asyncio
from threading import Event, Thread
from typing import Any

import pytest

import arctag
from arctag.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.serve.batching import BatchedModel
from arctag.serve.lanes import lanes_of
from arctag.serve.metrics import Metrics

PLAIN = ParseOptions()


@pytest.fixture(scope="module")
def english() -> Parser:
    return arctag.load("en")


def test_lanes_torch_takes_one_batch_at_a_time(tiny: Parser) -> None:
    (lane,) = lanes_of(tiny)
    assert lane.parser is tiny


def test_lanes_the_next_batch_begins_when_the_network_has_read_one(english: Parser) -> None:
    first, second = lanes_of(english)
    begun, order = Event(), []

    def other() -> None:
        begun.set()
        second.wait_turn()
        order.append("second")
        second.pass_on()

    first.wait_turn()
    thread = Thread(target=other)
    thread.start()
    assert begun.wait(20)
    (arrays,) = [english.inputs.arrays([english.tokens(Sentence.from_words(["Go"]))])]
    order.append("first")
    first.parser.backend.read(arrays)
    thread.join(20)  # it has had its turn, though the first lane has not ended
    assert order == ["first", "second"]
    first.pass_on()  # once more does nothing
    second.wait_turn()
    second.pass_on()


def test_lanes_pass_on_after_a_fault(english: Parser) -> None:
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


def test_lanes_many_requests_get_their_own_graphs(english: Parser) -> None:
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
