"""What the service takes on: how large a request may be, how long it may take, how many there may be at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from arctag.errors import InputError


@dataclass(frozen=True)
class Limits:
    """Bounds on what a client can make the service do; the first three are options of the command line."""

    requests: int = 256
    """Requests that wait or are being worked on; the next one is told to come back later."""
    body: int = 1 << 20
    """Bytes of a request."""
    seconds: float = 60.0
    """How long a request may take, from its first byte to the last one of the answer."""
    bodies: int = 8
    """How many bodies of full size may be held at a time; small ones are bounded by `requests` alone."""
    words: int = 2_000
    """Words of a sentence: one sentence cannot be done in slices."""
    heads: int = 200
    """Separators in a line of a graph file: the time for the heads of one word grows with their square."""
    arcs: int = 10_000
    """Arcs of a graph to be encoded, written or drawn."""
    trace_words: int = 200
    """Words of a graph whose decoding is told step by step; each step shows all that is on the stacks."""
    trace_labels: int = 20_000
    """Characters of its labels."""
    planes: int = 10
    """The largest K of an encoding."""
    cells: int = 2_000_000
    """Words times predicates where SDP is written, and pairs of words where multiword tokens are aligned."""

    def __post_init__(self) -> None:
        for name, what in (("requests", "the queue"), ("body", "the largest request"), ("seconds", "the time limit")):
            if not 0 < getattr(self, name) < inf:  # nor is "not a number" one
                raise InputError(f"{what} must be a number more than 0, not {getattr(self, name)}")

    def check_sentence(self, words: int) -> None:
        """`InputError` for a sentence that is too long."""
        if words > self.words:
            raise InputError(f"a sentence of {words} words; this service takes sentences of at most {self.words}")

    def check_graph(self, words: int, arcs: int = 0) -> None:
        """`InputError` for a graph that is too large."""
        self.check_sentence(words)
        if arcs > self.arcs:
            raise InputError(f"a graph of {arcs} arcs; this service takes graphs of at most {self.arcs}")

    def check_trace(self, labels: list[str]) -> None:
        """`InputError` for labels that are too many to be explained one by one."""
        if len(labels) > self.trace_words or sum(map(len, labels)) > self.trace_labels:
            raise InputError(
                f"{len(labels)} labels of {sum(map(len, labels))} characters; at most {self.trace_words} words and "
                f"{self.trace_labels} characters are explained step by step"
            )


class Busy(Exception):
    """There is no room for another request now."""


class Gate:
    """Counts the requests inside and the bytes that they hold."""

    def __init__(self, limits: Limits) -> None:
        self._most, self._most_bytes = limits.requests, limits.bodies * limits.body
        self.inside = 0
        """Requests that wait or are being worked on."""
        self._held = 0

    @contextmanager
    def place(self) -> Iterator[Place]:
        """Room for one request, as long as it is here; `Busy` if there is none."""
        if self.inside >= self._most:
            raise Busy
        self.inside += 1
        place = Place(self)
        try:
            yield place
        finally:
            self.inside -= 1
            self._held -= place.held

    def _hold(self, more: int) -> None:
        if self._held + more > self._most_bytes:
            raise Busy
        self._held += more


class Place:
    """The room that one request takes up."""

    def __init__(self, gate: Gate) -> None:
        self._gate, self.held = gate, 0

    def hold(self, more: int) -> None:
        """Take up more bytes; `Busy` if all requests together hold too much."""
        self._gate._hold(more)
        self.held += more
