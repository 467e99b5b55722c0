r"""Brackets from the definition: `/` and `>` at the ends of a right arc, `<` and `\` of a left one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arctag.encodings.base import SimpleEncoding
from arctag.encodings.brackets import Brackets
from arctag.encodings.labels import LabelRow
from arctag.encodings.rules import Crossing
from arctag.testing.oracles.planes import Arc, bracket_planes, fit, points_right, relaxed_conflict, strict_conflict

_MANY = 1000  # brackets of one kind on one word; more come only from nonsense


@dataclass(frozen=True)
class SlowBrackets(SimpleEncoding):
    r"""A row counts the `\`, `>`, `<` and `/` of its word, plane after plane."""

    k: int = 2
    crossing: Crossing = "relaxed"

    @property
    def name(self) -> str:
        """Not in the registry."""
        return f"oracle-brackets-{self.k}"

    def encode_one(self, n: int, arcs: list[Arc]) -> list[LabelRow]:
        """Write down two brackets for each arc; nothing is written on the root."""
        conflict = strict_conflict if self.crossing == "strict" else relaxed_conflict
        rows = [[0] * (4 * self.k) for _ in range(n + 1)]
        for number, plane in enumerate(bracket_planes(arcs, self.k, conflict)):
            for head, dependent in plane:
                at_head, at_dependent = (3, 1) if points_right((head, dependent)) else (0, 2)
                rows[head][4 * number + at_head] += 1
                rows[dependent][4 * number + at_dependent] += 1
        return [tuple(row) for row in rows[1:]]

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[Arc], int]:
        """Match brackets with two stacks a plane; the root never runs out of `/`."""
        arcs: list[Arc] = []
        repairs = sum(len(row) != 4 * self.k or min(row) < 0 for row in rows)
        for number in range(self.k):
            open_right: list[int] = []
            open_left: list[int] = []
            for word, row in enumerate(rows, 1):
                counts = [min(count, _MANY) for count in fit(row, 4 * self.k)[4 * number : 4 * number + 4]]
                backslashes, greater, less, slashes = counts
                for _ in range(greater):
                    arcs.append((open_right.pop() if open_right else 0, word))
                for _ in range(backslashes):
                    if open_left:
                        arcs.append((word, open_left.pop()))
                    else:
                        repairs += 1
                open_left += [word] * less
                open_right += [word] * slashes
            repairs += len(open_right) + len(open_left)
        return arcs, repairs

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return Brackets(self.k).format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return Brackets(self.k).parse(text)
