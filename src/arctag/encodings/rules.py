"""`Rule`: which arcs may share a plane, and in which order arcs are assigned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from arctag.errors import InputError, UnknownName

Crossing = Literal["relaxed", "strict"]
Planes = Literal["greedy", "best"]

BY_DEPENDENT, BY_LEFT_END = 0, 1  # the order in which arcs are taken
MANY_HEADS, ONE_HEAD, ONE_HEAD_EACH_WAY = 0, 1, 2  # heads a word may have in a plane


@dataclass(frozen=True)
class Rule:
    """Which arcs may share a plane, in which order they are taken, and which planes come first."""

    order: int
    heads: int
    crossing: Crossing = "relaxed"
    planes: Planes = "greedy"
    first_stays: bool = False
    """Planes are sorted by size; with this the first plane stays first whatever its size."""

    def __post_init__(self) -> None:
        if self.crossing not in ("relaxed", "strict"):
            raise UnknownName("crossing", self.crossing, ("relaxed", "strict"))
        if self.planes not in ("greedy", "best"):
            raise UnknownName("plane assignment", self.planes, ("greedy", "best"))


def check_options(k: int, planes: str, crossing: str = "relaxed") -> None:
    """Refuse parameters that no plane assignment has, when an encoding is created and not when it is used."""
    if k < 1:
        raise InputError(f"number of planes {k}: it must be 1 or more")
    Rule(BY_DEPENDENT, MANY_HEADS, crossing, planes)  # type: ignore[arg-type]  # it checks both names
