"""Bits6 from the definition: three bits for the arcs of each direction, in each pair of planes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arctag.encodings.base import SimpleEncoding
from arctag.encodings.bits6 import Bits6
from arctag.encodings.labels import LabelRow
from arctag.testing.oracles.planes import Arc, bit_planes, fit, one_head_each_way_conflict, points_right


@dataclass(frozen=True)
class SlowBits6(SimpleEncoding):
    """A row has one number a pair of planes, whose six bits are b0 (the highest) to b5."""

    k: int = 2

    @property
    def name(self) -> str:
        """Not in the registry."""
        return f"oracle-bits6-{self.k}"

    def encode_one(self, n: int, arcs: list[Arc]) -> list[LabelRow]:
        """Three bits from the right arcs of a pair, three from its left arcs."""
        pairs = bit_planes(arcs, self.k, one_head_each_way_conflict)
        return [tuple(_bits(word, pair) for pair in pairs) for word in range(1, n + 1)]

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[Arc], int]:
        """Two passes a pair: rightwards for the right arcs, leftwards for the left ones."""
        arcs: list[Arc] = []
        repairs = sum(len(row) != self.k or min(row) < 0 for row in rows)
        words = range(1, len(rows) + 1)
        for number in range(self.k):
            bits = {word: f"{fit(rows[word - 1], self.k)[number] & 63:06b}" for word in words}
            for order, first_bit, bottom in ((words, 0, [0]), (words[::-1], 3, [])):
                found, left_over = _one_pass(order, {w: bits[w][first_bit : first_bit + 3] for w in words}, bottom)
                arcs += found
                repairs += left_over
        return arcs, repairs

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return Bits6(self.k).format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return Bits6(self.k).parse(text)


def _bits(word: int, pair: list[Arc]) -> int:
    """The six bits of a word in a pair of planes, as a number."""
    right = [arc for arc in pair if points_right(arc)]
    left = [arc for arc in pair if not points_right(arc)]
    return int(_three_bits(word, right) + _three_bits(word, left), 2)


def _three_bits(word: int, arcs: list[Arc]) -> str:
    """Has a head; is the farthest dependent of that head; has dependents."""
    heads = [head for head, dependent in arcs if dependent == word]
    siblings = [dependent for head, dependent in arcs if head in heads]
    farthest = bool(heads) and abs(word - heads[0]) == max(abs(other - heads[0]) for other in siblings)
    return f"{len(heads) > 0:b}{farthest:b}{any(head == word for head, _ in arcs):b}"


def _one_pass(order: Iterable[int], bits: dict[int, str], bottom: list[int]) -> tuple[list[Arc], int]:
    """Match words with the nearest open head; the farthest dependent closes it, the bottom never closes."""
    arcs: list[Arc] = []
    stack: list[int] = list(bottom)
    repairs = 0
    for word in order:
        has_head, farthest, has_dependents = (bit == "1" for bit in bits[word])
        if has_head and stack:
            arcs.append((stack[-1], word))
            if farthest and len(stack) > len(bottom):
                stack.pop()
        elif has_head or farthest:
            repairs += 1
        if has_dependents:
            stack.append(word)
    return arcs, repairs + len(stack) - len(bottom)
