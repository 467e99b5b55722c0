"""`Forms`: the words of a sentence as numbers into the distinct words of its block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from arctag.cells import Numbers


class Forms(Sequence[str]):
    """A sequence of words. What is done for each distinct word of a block need not be done for each word."""

    __slots__ = ("names", "numbers")

    def __init__(self, numbers: Numbers, names: list[str]) -> None:
        self.numbers = numbers
        self.names = names

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Forms: ...
    def __getitem__(self, place: int | slice) -> str | Forms:
        if isinstance(place, slice):
            return Forms(self.numbers[place], self.names)
        return self.names[int(self.numbers[place])]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.numbers.tolist())
