"""`Limits`: how large a request may be, how long it may take, how many there may be at a time."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from arctag.errors import InputError


@dataclass(frozen=True)
class Limits:
    """Bounds on what a client can make the service do; the first three are options of the command line."""

    requests: int = 256
    """Requests that wait or are being processed; further ones are refused and may try again later."""
    body: int = 1 << 20
    """Bytes of a request."""
    seconds: float = 60.0
    """How long a request may take to arrive, and then until its answer begins."""
    idle_seconds: float = 30.0
    """How long the service waits for a client to send the header of a request, or to read more of an answer."""
    linger_seconds: float = 5.0
    """How long a client may go on sending a request that has been refused, so that it can read why."""
    connections: int = 500
    """Connections at a time; a further one replaces the one whose client has kept the service waiting longest."""
    bodies: int = 8
    """How many bodies of full size may be held at a time; small ones are bounded by `requests` alone."""
    words: int = 2_000
    """Words of a sentence, which cannot be parsed in chunks."""
    heads: int = 200
    """Separators in a line of a graph file: the time for the heads of one word grows with their square."""
    arcs: int = 10_000
    """Arcs of a graph to be encoded, written or drawn."""
    trace_words: int = 200
    """Words of a graph whose decoding is explained step by step; each step shows all that is on the stacks."""
    trace_labels: int = 20_000
    """Characters of its labels."""
    planes: int = 10
    """The largest K of an encoding."""
    steps: int = 3_000_000
    """Words that a search may try in the sentences of one request."""
    matches: int = 20_000
    """Matches that it may find there."""
    cells: int = 2_000_000
    """Words times predicates where SDP is written, and pairs of words where multiword tokens are aligned."""

    def __post_init__(self) -> None:
        for name, what in (("requests", "the queue"), ("body", "the largest request"), ("seconds", "the time limit")):
            if not 0 < getattr(self, name) < inf:  # not-a-number fails too
                raise InputError(f"{what} must be a number greater than 0, not {getattr(self, name)}")

    def check_sentence(self, words: int) -> None:
        """`InputError` for a sentence that is too long."""
        if words > self.words:
            raise InputError(f"a sentence of {words} words; this service takes at most {self.words}")

    def check_graph(self, words: int, arcs: int = 0) -> None:
        """`InputError` for a graph that is too large."""
        self.check_sentence(words)
        if arcs > self.arcs:
            raise InputError(f"a graph of {arcs} arcs; this service takes at most {self.arcs}")

    def check_trace(self, labels: list[str]) -> None:
        """`InputError` for labels that are too many, or too long, to be decoded step by step."""
        if len(labels) > self.trace_words or sum(map(len, labels)) > self.trace_labels:
            raise InputError(
                f"{len(labels)} labels of {sum(map(len, labels))} characters; at most {self.trace_words} words and "
                f"{self.trace_labels} characters are explained step by step"
            )
