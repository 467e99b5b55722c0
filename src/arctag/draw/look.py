"""`Look`: how a picture is drawn, apart from what is in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from arctag.errors import InputError, UnknownName

Crossing = Literal["relaxed", "strict"]
Direction = Literal["ltr", "rtl"]
Colours = Literal["planes", "tree"]
_LEAST_WRAP = 200


@dataclass(frozen=True)
class Look:
    """The options of pictures."""

    crossing: Crossing = "relaxed"
    """Which arcs may not share a plane."""
    direction: Direction = "ltr"
    """Where the first word stands: at the left or at the right."""
    tags: bool = True
    """Whether tags and lemmas are shown."""
    colours: Colours = "planes"
    """What colours stand for: planes, or whether an arc is in the tree, too."""
    below: str | None = None
    """The layer whose arcs are drawn below the words."""
    punctuation: bool = True
    """Whether punctuation marks are shown."""
    compact: bool = False
    """Less space between words and between arcs."""
    wrap: float | None = None
    """The width of the lines that a long sentence is broken into, in pixels; one line if there is none."""
    vertical: bool = False
    """One word on each line, indented by its depth, with the arcs at the left."""

    def __post_init__(self) -> None:
        _check("crossing", self.crossing, get_args(Crossing))
        _check("direction", self.direction, get_args(Direction))
        _check("colours", self.colours, get_args(Colours))
        if self.wrap is not None and not self.wrap >= _LEAST_WRAP:  # not-a-number fails too
            raise InputError(f"lines must be at least {_LEAST_WRAP} pixels wide, not {self.wrap}")

    @property
    def rtl(self) -> bool:
        """Whether the first word stands at the right."""
        return self.direction == "rtl"


def _check(kind: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise UnknownName(kind, name, known)
