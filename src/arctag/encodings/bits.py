"""`Bits`: what bits4 and bits6 share. A label is so many bits for each plane: '0110.1001', a dot between planes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from arctag.encodings.base import Encoding, bad_label
from arctag.encodings.labels import Arcs, LabelRow
from arctag.encodings.planes import assign
from arctag.encodings.rules import BY_LEFT_END, Planes, Rule, check_options
from arctag.graph import BoolArray, IntArray


@dataclass(frozen=True)
class Bits(Encoding):
    """An encoding whose labels have a fixed number of bits for each of K planes."""

    k: int = 2
    planes: Planes = "greedy"

    example: ClassVar[str]
    """The bits of a word in one plane."""
    heads: ClassVar[int]
    """How many heads a word may have in a plane: `ONE_HEAD` or `ONE_HEAD_EACH_WAY`."""

    def __post_init__(self) -> None:
        check_options(self.k, self.planes)

    @property
    def name(self) -> str:
        return f"bits{len(self.example)}-{self.k}"

    @property
    def factors(self) -> tuple[int, ...]:
        return (1 << len(self.example),) * self.k

    def _assign(self, arcs: Arcs) -> IntArray:
        """The plane of every arc; -1 for those that no plane has room for.

        Each direction is decoded in a pass of its own, so only arcs that point the same way may not cross.
        """
        return assign(arcs, Rule(BY_LEFT_END, self.heads, "relaxed", self.planes, first_stays=True), self.k)

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return self._assign(arcs) >= 0

    def format(self, row: Sequence[int]) -> str:
        width = len(self.example)
        return ".".join(f"{value % 2**width:0{width}b}" for value in row)

    def parse(self, text: str) -> LabelRow:
        plane = rf"[01]{{{len(self.example)}}}"
        if not re.fullmatch(rf"{plane}(\.{plane}){{{self.k - 1}}}", text):
            raise bad_label(self.name, text, ".".join([self.example] * self.k))
        return tuple(int(bits, 2) for bits in text.split("."))
