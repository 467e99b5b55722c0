"""What the hierarchical brackets of an encoded graph stand for: which spans are structural, which lean on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from arctag.trace.hierarchical import Piece, pieces
from arctag.trace.layout import Layout, Part
from arctag.trace.steps import PlacedArc
from arctag.trace.wording import arrow, counted


class Span(NamedTuple):
    """The words from one end of an arc to the other."""

    left: int
    right: int


class _Roles:
    """The spans of a graph: structural ones, by their ends, and those that lean on them."""

    def __init__(self, arcs: Iterable[PlacedArc]) -> None:
        """Take spans by left end, longer ones first."""
        self.arcs = defaultdict[Span, list[str]](list)
        for arc in arcs:
            span = Span(min(arc.head, arc.dependent), max(arc.head, arc.dependent))
            self.arcs[span].append(arrow(arc.head, arc.dependent))
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

    def at(self, word: int, bracket: str) -> list[Span]:
        """The spans that a word's brackets of one kind stand for, in the order of these."""
        match bracket:
            case "(":
                return self.semi_opened[word]
            case ")":
                return self.semi_closed[word]
            case "@":
                return [Span(word, word)]
            case _:
                return [(self.opened if bracket == "[" else self.closed)[word]]


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each bracket stands for, in the order in which they are written."""
    roles = _Roles(layout.arcs)
    return [_parts(word, label, roles) for word, label in enumerate(labels, 1)]


def _parts(word: int, label: str, roles: _Roles) -> list[Part]:
    if label == ".":
        return [Part(label, "no bracket: what arcs it has are written on other words")]
    found = []
    for bracket, run in groupby(pieces(label), key=lambda piece: piece.bracket):
        found += [
            Part(piece.text, _meaning(piece, span, roles))
            for piece, span in zip(run, roles.at(word, bracket), strict=True)
        ]
    return found


def _meaning(piece: Piece, span: Span, roles: _Roles) -> str:
    """What one bracket says of its span."""
    arcs = " and ".join(roles.arcs[span])
    match piece.bracket:
        case "@":
            return f"{arcs}, an arc from the word to itself"
        case "[":
            return f"{arcs}: opens the structural span {_name(span)}"
        case "]":
            return f"{arcs}: closes the structural span {_name(span)}{_later(piece)}"
        case ")":
            held = _name(roles.opened[span.left])
            return f"{arcs}: leans on the span {held}, which starts at {span.left} too{_later(piece)}"
        case _:
            held = _name(roles.closed[span.right])
            return f"{arcs}: leans on the span {held}, which ends at {span.right} too{_before(piece)}"


def _name(span: Span) -> str:
    return f"{span.left}–{span.right}"


def _later(piece: Piece) -> str:
    """What a closer's index counts."""
    return f"; {counted(piece.index, 'span')} opened later still open" if piece.index else ""


def _before(piece: Piece) -> str:
    """What a semi-opener's index counts."""
    return f"; {counted(piece.index, 'span')} around it closed before" if piece.index else ""
