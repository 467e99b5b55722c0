"""What the service takes on: how large a request may be, how long it may take, how many there may be at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

from arctag.errors import InputError

_SMALL = 32  # such a part of the largest body is free: a small request need not wait for large ones to leave


@dataclass(frozen=True)
class Limits:
    """Bounds on what a client can make the service do; the first three are options of the command line."""

    requests: int = 256
    """Requests that wait or are being worked on; the next one is told to come back later."""
    body: int = 1 << 20
    """Bytes of a request."""
    seconds: float = 60.0
    """How long a request may take to come, and then until its answer begins."""
    patience: float = 30.0
    """How long the service waits for a client: for the header of a request, or to take the next piece of an answer."""
    connections: int = 500
    """Connections at a time; a further one replaces that whose client has kept the service waiting longest."""
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
    """Counts the requests inside and the bytes that they hold.

    Where there is no room, requests that wait for their client (to send or to read on) make room, the one that has
    waited longest first: nobody keeps others out by doing nothing.
    """

    def __init__(self, limits: Limits) -> None:
        self._most, self._most_bytes = limits.requests, limits.bodies * limits.body
        self._free_bytes = limits.body // _SMALL
        self.inside = 0
        """Requests that wait or are being worked on."""
        self.held = 0
        """Bytes that they and those still to come take up."""
        self._slow: dict[Place, None] = {}  # those that wait for their client, in the order in which that began

    @contextmanager
    def place(self, drop: Callable[[], None]) -> Iterator[Place]:
        """Room for one request, as long as it is here; `drop` is called if others need it more."""
        place = Place(self, drop)
        try:
            yield place
        finally:
            place.leave()

    def _make_room(self, full: Callable[[], bool], helps: Callable[[Place], bool]) -> None:
        while full():
            slow = next(filter(helps, self._slow), None)
            if slow is None:
                raise Busy
            slow.leave()
            slow.drop()


class Place:
    """The room that one request takes up."""

    def __init__(self, gate: Gate, drop: Callable[[], None]) -> None:
        self._gate, self.drop = gate, drop
        self.inside = False
        self.size, self.held = 0, 0

    def hold(self, more: int) -> None:
        """Take up more bytes, of which the first few are free; `Busy` if all requests together hold too much."""
        gate = self._gate
        self.size += more
        more = max(0, self.size - gate._free_bytes) - self.held
        gate._make_room(lambda: gate.held + more > gate._most_bytes, lambda place: place.held > 0)
        gate.held += more
        self.held += more

    def enter(self) -> None:
        """Be one of the requests inside; `Busy` if there are too many."""
        gate = self._gate
        gate._make_room(lambda: gate.inside >= gate._most, lambda place: place.inside)
        gate.inside += 1
        self.inside = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The block waits for the client."""
        self._gate._slow[self] = None
        try:
            yield
        finally:
            self._gate._slow.pop(self, None)

    def leave(self) -> None:
        """Give everything back."""
        self._gate._slow.pop(self, None)
        self._gate.inside -= self.inside
        self._gate.held -= self.held
        self.inside, self.held = False, 0
