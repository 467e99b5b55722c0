"""Hierarchical brackets from the definition: every index is counted anew from the list of spans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arctag.encodings.base import SimpleEncoding
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.labels import LabelRow
from arctag.testing.oracles.planes import Arc

Span = tuple[int, int]  # (left, right)
RIGHT, LEFT = 1, 2  # the types of a span; 3 is both


@dataclass(frozen=True)
class SlowHierarchical(SimpleEncoding):
    """A row: loop, closer's type and index, whether it opens, number of semi-closers, (type, index) of each semi."""

    @property
    def name(self) -> str:
        """Not in the registry."""
        return "oracle-hierarchical"

    def encode_one(self, n: int, arcs: list[Arc]) -> list[LabelRow]:
        """Sort spans into structural and auxiliary ones, then describe each word."""
        types: dict[Span, int] = {}
        for head, dependent in arcs:
            if head != dependent:
                span = (min(head, dependent), max(head, dependent))
                types[span] = types.get(span, 0) | (RIGHT if head < dependent else LEFT)
        structural, leans_left, leans_right = _sort_out(types)
        rows = []
        for word in range(1, n + 1):
            kind = index = 0
            for span in structural:
                if span[1] == word:
                    kind, index = types[span], _open_above(span[0], word, structural)
            closers = sorted((span for span in leans_left if span[1] == word), reverse=True)  # nearest first
            openers = sorted(span for span in leans_right if span[0] == word)
            row = [
                int((word, word) in arcs),
                kind,
                index,
                int(any(left == word for left, _ in structural)),
                len(closers),
            ]
            for span in closers:
                row += [types[span], _open_above(span[0], word, structural)]
            for span in openers:
                row += [types[span], _closing_before(span, structural)]
            rows.append(tuple(row))
        return rows

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[Arc], int]:
        """Left to right with one stack of open words; the root lies at the bottom and stays."""
        arcs: list[Arc] = []
        stack = [0]
        waiting: list[list[int]] = []  # word, type, how many closers to let pass
        repairs = 0
        for word, row in enumerate(rows, 1):
            if len(row) < 5:
                repairs += 1
                continue
            loop, kind, index, opens, count = row[:5]
            pairs = [(row[i], row[i + 1]) for i in range(5, len(row) - 1, 2)]
            if loop:
                arcs.append((word, word))
            if 1 <= kind <= 3:
                opener = _pick(stack, index)
                arcs += _arcs(opener, word, kind)
                if opener > 0:
                    stack.remove(opener)
                served = [entry for entry in waiting if entry[0] > opener and entry[2] == 0]
                arcs += [arc for entry in served for arc in _arcs(entry[0], word, entry[1])]
                waiting = [entry for entry in waiting if entry not in served]
                for entry in waiting:
                    entry[2] -= entry[0] > opener
            for place, (kind, index) in enumerate(pairs):
                if not 1 <= kind <= 3 or index < 0:
                    repairs += 1
                elif place < count:
                    arcs += _arcs(_pick(stack, index), word, kind)
                else:
                    waiting.append([word, kind, index])
            if opens:
                stack.append(word)
        return arcs, repairs + len(stack) - 1 + len(waiting)

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return Hierarchical().format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return Hierarchical().parse(text)


def _sort_out(spans: Iterable[Span]) -> tuple[list[Span], list[Span], list[Span]]:
    """Structural spans; auxiliary ones that lean on one with the same left end; and with the same right end."""
    structural: list[Span] = []
    leans_left: list[Span] = []
    leans_right: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if any(span[0] == left for left, _ in structural):
            leans_left.append(span)
        elif any(span[1] == right for _, right in structural):
            leans_right.append(span)
        else:
            structural.append(span)
    return structural, leans_left, leans_right


def _open_above(opener: int, word: int, structural: list[Span]) -> int:
    """How many structural spans were opened after `opener` and are still open at `word`."""
    return sum(opener < left < word < right for left, right in structural)


def _closing_before(span: Span, structural: list[Span]) -> int:
    """How many structural spans around the span's left end close before its right end."""
    return sum(left < span[0] < right < span[1] for left, right in structural)


def _pick(stack: list[int], index: int) -> int:
    """The word at this place from the top; the root if there is none."""
    return stack[-1 - index] if 0 <= index < len(stack) else 0


def _arcs(left: int, right: int, kind: int) -> list[Arc]:
    """The arcs of a span; nothing goes into the root."""
    found = [(left, right)] if kind & RIGHT else []
    return found + ([(right, left)] if kind & LEFT and left > 0 else [])
