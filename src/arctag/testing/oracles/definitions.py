"""Labels from the definition of each encoding: every word and arc is compared with every other."""

from __future__ import annotations

from collections.abc import Callable

from arctag.encodings.conflicts import Arc, Conflict, one_head_conflict, one_head_each_way_conflict, points_right
from arctag.encodings.labels import LabelRow
from arctag.testing.oracles.planes import bit_planes, bracket_planes
from arctag.trace.spans import Span, Spans

Definition = Callable[[int, list[Arc]], list[LabelRow]]
"""The number of words and the (head, dependent) arcs of a sentence → one row per word."""
RIGHT, LEFT = 1, 2  # the types of a span; 3 is both


def absolute(n: int, arcs: list[Arc]) -> list[LabelRow]:
    """The label of word i is the sorted tuple of {h : there is an arc h → i}."""
    return [tuple(sorted(head for head, dependent in arcs if dependent == word)) for word in range(1, n + 1)]


def relative(n: int, arcs: list[Arc]) -> list[LabelRow]:
    """The label of word i is the sorted tuple of {h - i : there is an arc h → i}."""
    return [tuple(head - word for head in heads) for word, heads in enumerate(absolute(n, arcs), 1)]


def brackets(n: int, arcs: list[Arc], k: int, conflict: Conflict) -> list[LabelRow]:
    r"""A row counts the `\`, `>`, `<` and `/` of its word, plane after plane; nothing is written on the root."""
    rows = [[0] * (4 * k) for _ in range(n + 1)]
    for number, plane in enumerate(bracket_planes(arcs, k, conflict)):
        for head, dependent in plane:
            at_head, at_dependent = (3, 1) if points_right((head, dependent)) else (0, 2)
            rows[head][4 * number + at_head] += 1
            rows[dependent][4 * number + at_dependent] += 1
    return [tuple(row) for row in rows[1:]]


def bits4(n: int, arcs: list[Arc], k: int, first_null: str) -> list[LabelRow]:
    """A row has one number for each plane, whose four bits are b0 (the highest) to b3."""
    heads = [_heads(n, plane, first_null) for plane in bits4_planes(arcs, k)]
    return [tuple(_four_bits(word, head_of) for head_of in heads) for word in range(1, n + 1)]


def bits4_planes(arcs: list[Arc], k: int) -> list[list[Arc]]:
    """The arcs of each plane, null arcs left out."""
    return bit_planes(arcs, k, one_head_conflict)


def _heads(n: int, plane: list[Arc], first_null: str) -> dict[int, int]:
    """The head of every word: in the plane, else the word before it (for word 1: see `first_null`)."""
    heads = {word: word - 1 for word in range(1, n + 1)}
    if first_null == "next" and n > 1:
        heads[1] = 2
    heads.update({dependent: head for head, dependent in plane})
    return heads


def _four_bits(word: int, head_of: dict[int, int]) -> int:
    """The head is on the left; the word is its farthest dependent; has dependents to the left; to the right."""
    head = head_of[word]
    siblings = [other for other in head_of if head_of[other] == head and (other > head) == (word > head)]
    farthest = all(abs(other - head) <= abs(word - head) for other in siblings)
    left = any(head_of[other] == word for other in head_of if other < word)
    right = any(head_of[other] == word for other in head_of if other > word)
    return int(f"{head < word:b}{farthest:b}{left:b}{right:b}", 2)


def bits6(n: int, arcs: list[Arc], k: int) -> list[LabelRow]:
    """A row has one number for each pair of planes, whose six bits are b0 (the highest) to b5."""
    pairs = bit_planes(arcs, k, one_head_each_way_conflict)
    return [tuple(_six_bits(word, pair) for pair in pairs) for word in range(1, n + 1)]


def _six_bits(word: int, pair: list[Arc]) -> int:
    """Three bits from the right arcs of a pair of planes, three from its left arcs."""
    right = [arc for arc in pair if points_right(arc)]
    left = [arc for arc in pair if not points_right(arc)]
    return int(_three_bits(word, right) + _three_bits(word, left), 2)


def _three_bits(word: int, arcs: list[Arc]) -> str:
    """Has a head; is the farthest dependent of that head; has dependents."""
    heads = [head for head, dependent in arcs if dependent == word]
    siblings = [dependent for head, dependent in arcs if head in heads]
    farthest = bool(heads) and abs(word - heads[0]) == max(abs(other - heads[0]) for other in siblings)
    return f"{len(heads) > 0:b}{farthest:b}{any(head == word for head, _ in arcs):b}"


def hierarchical(n: int, arcs: list[Arc]) -> list[LabelRow]:
    """A row: loop, closer's type and index, whether it opens, number of semi-closers, (type, index) of each semi."""
    spans = Spans(arcs)
    structural = list(spans.opened.values())
    rows = []
    for word in range(1, n + 1):
        closed, closers = spans.closed.get(word), spans.semi_closed[word]
        row = [int((word, word) in arcs)]
        row += [_type(spans.arcs[closed]), _open_above(closed.left, word, structural)] if closed else [0, 0]
        row += [int(word in spans.opened), len(closers)]
        for span in closers:
            row += [_type(spans.arcs[span]), _open_above(span.left, word, structural)]
        for span in spans.semi_opened[word]:
            row += [_type(spans.arcs[span]), _closing_before(span, structural)]
        rows.append(tuple(row))
    return rows


def _type(arcs: list[Arc]) -> int:
    """The type of a span, from its arcs."""
    return sum(RIGHT if points_right(arc) else LEFT for arc in arcs)


def _open_above(opener: int, word: int, structural: list[Span]) -> int:
    """How many structural spans were opened after `opener` and are still open at `word`."""
    return sum(opener < left < word < right for left, right in structural)


def _closing_before(span: Span, structural: list[Span]) -> int:
    """How many structural spans around the span's left end close before its right end."""
    return sum(left < span.left < right < span.right for left, right in structural)
