"""What the hierarchical brackets of an encoded graph stand for: which spans are structural, which lean on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from arctag.trace.hierarchical import Bracket, brackets_of
from arctag.trace.layout import Layout, Part
from arctag.trace.wording import arrow, counted


class Span(NamedTuple):
    """The words from one end of an arc to the other."""

    left: int
    right: int


class Spans:
    """The spans of a graph: structural ones, by their ends, and those that lean on them."""

    def __init__(self, arcs: Iterable[tuple[int, int]]) -> None:
        """Take spans by left end, longer ones first."""
        self.arcs = defaultdict[Span, list[tuple[int, int]]](list)
        for arc in arcs:
            self.arcs[Span(min(arc), max(arc))].append(arc)
        self.opened: dict[int, Span] = {}
        self.closed: dict[int, Span] = {}
        self.semi_closed = defaultdict[int, list[Span]](list)
        self.semi_opened = defaultdict[int, list[Span]](list)
        for span in sorted(self.arcs, key=lambda span: (span.left, -span.right)):
            if span.left == span.right:
                continue
            if span.left in self.opened:
                self.semi_closed[span.right].insert(0, span)  # at one word, the nearest left end comes first
            elif span.right in self.closed:
                self.semi_opened[span.left].insert(0, span)  # and the nearest right end
            else:
                self.opened[span.left] = self.closed[span.right] = span

    def at(self, word: int, symbol: str) -> list[Span]:
        """The spans that a word's brackets of one kind stand for, in the order of these."""
        match symbol:
            case "(":
                return self.semi_opened[word]
            case ")":
                return self.semi_closed[word]
            case "@":
                return [Span(word, word)]
            case _:
                return [(self.opened if symbol == "[" else self.closed)[word]]


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bracket stands for, in the order in which they are written."""
    spans = Spans((arc.head, arc.dependent) for arc in layout.arcs)
    return [_parts(word, label, spans) for word, label in enumerate(labels, 1)]


def _parts(word: int, label: str, spans: Spans) -> list[Part]:
    if label == ".":
        return [Part(label, "no bracket: what arcs it has are written on other words")]
    parts = []
    for symbol, run in groupby(brackets_of(label), key=lambda bracket: bracket.symbol):
        parts += [
            Part(bracket.text, _meaning(bracket, span, spans))
            for bracket, span in zip(run, spans.at(word, symbol), strict=True)
        ]
    return parts


def _meaning(bracket: Bracket, span: Span, spans: Spans) -> str:
    """What one bracket says of its span."""
    arcs = " and ".join(arrow(*arc) for arc in spans.arcs[span])
    match bracket.symbol:
        case "@":
            return f"{arcs}, an arc from the word to itself"
        case "[":
            return f"{arcs}: opens the structural span {_name(span)}"
        case "]":
            return f"{arcs}: closes the structural span {_name(span)}{_later(bracket)}"
        case ")":
            held = _name(spans.opened[span.left])
            return f"{arcs}: leans on the span {held}, which starts at {span.left} too{_later(bracket)}"
        case _:
            held = _name(spans.closed[span.right])
            return f"{arcs}: leans on the span {held}, which ends at {span.right} too{_before(bracket)}"


def _name(span: Span) -> str:
    return f"{span.left}–{span.right}"


def _later(bracket: Bracket) -> str:
    """What a closer's index counts."""
    return f"; {counted(bracket.index, 'span')} opened later still open" if bracket.index else ""


def _before(bracket: Bracket) -> str:
    """What a semi-opener's index counts."""
    return f"; {counted(bracket.index, 'span')} around it closed before" if bracket.index else ""
