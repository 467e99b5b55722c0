"""Runs: consecutive sentences that are views of one block, so that its arrays can be taken as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from arctag.blocks.block import Block
from arctag.sentence import Sentence


class Run(NamedTuple):
    """The sentences of a block from `start` to `stop - 1`."""

    block: Block
    start: int
    stop: int
    sentences: list[Sentence]
    """Views of them; none if all are as they were read."""

    def split(self, key: Callable[[Sentence], object]) -> Iterator[Run]:
        """The run cut where a key of its sentences changes."""
        if not self.sentences:
            yield self
            return
        start = self.start
        for _, group in groupby(self.sentences, key):
            some = list(group)
            yield Run(self.block, start, start + len(some), some)
            start += len(some)


def runs(sentences: Iterable[Sentence], fields: frozenset[str]) -> Iterator[Run | Sentence]:
    """Join sentences that have these fields as their block has them; edited and damaged ones come one by one.

    All are in order. A run is as long as can be, and comes as soon as its block ends.
    """
    block: Block | None = None
    end = size = 0
    some: list[Sentence] = []
    for sentence in sentences:
        own = sentence.block
        if own is not None and (sentence.error or not fields.isdisjoint(sentence.replaced)):
            own = None
        if some and (own is not block or sentence.number != end):
            assert block is not None
            yield Run(block, end - len(some), end, some)
            some = []
        if own is None:
            yield sentence
            continue
        if not some:
            block, end, size = own, sentence.number, len(own)
        some.append(sentence)
        end += 1
        if end == size:
            yield Run(own, end - len(some), end, some)
            some = []
    if some:
        assert block is not None
        yield Run(block, end - len(some), end, some)
