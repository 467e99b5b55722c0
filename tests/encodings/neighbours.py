"""A small encoding of one's own, as a user would write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from arctag.encodings import ENCODINGS, LabelRow, SimpleEncoding, register
from arctag.errors import InputError


@dataclass(frozen=True)
class Neighbours(SimpleEncoding):
    """Whether the word before, and the word after, is a head: '10'. Longer arcs are left out."""

    @property
    def name(self) -> str:
        return "toy"

    def encode_one(self, n: int, arcs: list[tuple[int, int]]) -> list[LabelRow]:
        return [(int((word - 1, word) in arcs), int((word + 1, word) in arcs)) for word in range(1, n + 1)]

    def decode_one(self, rows: list[LabelRow]) -> tuple[Iterable[tuple[int, int]], int]:
        arcs = []
        for word, row in enumerate(rows, 1):
            arcs += [(head, word) for head, there in zip((word - 1, word + 1), row, strict=False) if there]
        return arcs, sum(len(row) != 2 for row in rows)

    def format(self, row: Sequence[int]) -> str:
        return "".join(map(str, row))

    def parse(self, text: str) -> LabelRow:
        if text not in ("00", "01", "10", "11"):
            raise InputError(f"{text!r} is not a label of toy; one looks like '10'")
        return int(text[0]), int(text[1])


@contextmanager
def registered() -> Iterator[None]:
    """The toy is in the registry inside the block, and gone after it."""
    register("toy", Neighbours, paper="T")
    try:
        yield
    finally:
        del ENCODINGS["toy"]
