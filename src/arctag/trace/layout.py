"""`Layout`: which plane each arc of an encoded graph is in; `Part`: a part of a label and what it means."""

from __future__ import annotations

from collections import defaultdict
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
        heads = defaultdict[tuple[int, int], list[int]](list)
        for arc in sorted(self.arcs + self.null_arcs):
            heads[arc.dependent, arc.plane].append(arc.head)
        return heads

    @cached_property
    def _dependents(self) -> dict[tuple[int, int], list[int]]:
        dependents = defaultdict[tuple[int, int], list[int]](list)
        for arc in sorted(self.arcs + self.null_arcs):
            dependents[arc.head, arc.plane].append(arc.dependent)
        return dependents

    @cached_property
    def _nulls(self) -> set[tuple[int, int]]:
        return {(arc.dependent, arc.plane) for arc in self.null_arcs}
