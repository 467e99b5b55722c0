"""Absolute and relative positions, from the definition: the sorted tuple of a word's heads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arctag.encodings.base import SimpleEncoding
from arctag.encodings.labels import LabelRow
from arctag.encodings.positional import Absolute, Relative


@dataclass(frozen=True)
class SlowAbsolute(SimpleEncoding):
    """The label of word i is the sorted tuple of {h : there is an arc h → i}."""

    @property
    def name(self) -> str:
        """Not in the registry."""
        return "oracle-absolute"

    def encode_one(self, n: int, arcs: list[tuple[int, int]]) -> list[LabelRow]:
        """One tuple a word."""
        return [tuple(sorted(head for head, dependent in arcs if dependent == word)) for word in range(1, n + 1)]

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[tuple[int, int]], int]:
        """Each number is a head; those outside the sentence are dropped by `SimpleEncoding`."""
        return [(head, word) for word, row in enumerate(rows, 1) for head in row], 0

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return Absolute().format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return Absolute().parse(text)


@dataclass(frozen=True)
class SlowRelative(SimpleEncoding):
    """The label of word i is the sorted tuple of {h - i : there is an arc h → i}."""

    @property
    def name(self) -> str:
        """Not in the registry."""
        return "oracle-relative"

    def encode_one(self, n: int, arcs: list[tuple[int, int]]) -> list[LabelRow]:
        """One tuple a word."""
        return [tuple(sorted(head - word for head, dependent in arcs if dependent == word)) for word in range(1, n + 1)]

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[tuple[int, int]], int]:
        """Each number leads from the word to a head; those outside the sentence are dropped."""
        return [(word + step, word) for word, row in enumerate(rows, 1) for step in row], 0

    def format(self, row: Sequence[int]) -> str:
        """As the fast version."""
        return Relative().format(row)

    def parse(self, text: str) -> LabelRow:
        """As the fast version."""
        return Relative().parse(text)
