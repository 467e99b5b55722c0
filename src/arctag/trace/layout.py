"""`Layout`: which plane each arc of an encoded graph is in; `Part`: a part of a label and what it means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from arctag.trace.steps import PlacedArc


class Part(NamedTuple):
    """A part of a label as it is written, and what it stands for."""

    text: str
    meaning: str


@dataclass(frozen=True)
class Layout:
    """The arcs that an encoding covers and its null arcs, each with its plane."""

    arcs: list[PlacedArc]
    null_arcs: list[PlacedArc]

    def heads(self, word: int, plane: int) -> list[int]:
        """The heads of a word in a plane, that of a null arc included, in order."""
        return self._heads.get((word, plane), [])

    def dependents(self, word: int, plane: int) -> list[int]:
        """The dependents of a word in a plane, those of null arcs included, in order."""
        return self._dependents.get((word, plane), [])

    def is_null(self, word: int, plane: int) -> bool:
        """Whether the word's head in this plane is that of a null arc."""
        return (word, plane) in self._nulls

    @cached_property
    def _heads(self) -> dict[tuple[int, int], list[int]]:
        return _grouped((arc.dependent, arc.plane, arc.head) for arc in self.arcs + self.null_arcs)

    @cached_property
    def _dependents(self) -> dict[tuple[int, int], list[int]]:
        return _grouped((arc.head, arc.plane, arc.dependent) for arc in self.arcs + self.null_arcs)

    @cached_property
    def _nulls(self) -> set[tuple[int, int]]:
        return {(arc.dependent, arc.plane) for arc in self.null_arcs}


def _grouped(ends: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], list[int]]:
    """(word, plane, other word) → the other words of each word and plane, in order."""
    groups = defaultdict[tuple[int, int], list[int]](list)
    for word, plane, other in sorted(ends):
        groups[word, plane].append(other)
    return groups
