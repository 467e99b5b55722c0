"""Covington's system, step by step: a word that is read goes past the words to its left."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.encodings.trees.covington import split
from arctag.trace.transitions import System, Transition
from arctag.trace.wording import counted, named


class CovingtonSystem(System):
    """Any two words can be joined, as long as each has one head and there is no cycle."""

    INTRODUCTION = (
        "The words are read from left to right. Each is held against the words to its left, the nearest first, "
        "the root last."
    )

    def read(self, word: int, label: str) -> Iterator[Transition]:
        """Each arc is with the word to which the NO-ARCs before it lead."""
        left = word - 1
        for skipped, letter, text in split(label):
            left -= skipped
            yield self._arc(word, left, letter, text, f"after {counted(skipped, 'NO-ARC')}, " if skipped else "")
            left -= 1

    def stacks(self) -> dict[str, list[int]]:
        """No stack."""
        return {}

    def _arc(self, word: int, left: int, letter: str, part: str, after: str) -> Transition:
        head, dependent = (left, word) if letter == "R" else (word, left)
        if left < 0:
            return Transition(part, "no word is left", possible=False)
        if dependent == 0:
            return Transition(part, "the root cannot have a head", possible=False)
        if dependent in self.heads:
            return Transition(part, f"{named(dependent)} has a head", possible=False)
        if self._is_above(dependent, head):
            return Transition(part, f"{named(dependent)} is above {named(head)}", possible=False)
        name = "RIGHT-ARC" if letter == "R" else "LEFT-ARC"
        return self.join(part, head, dependent, f"{after}{name}: {named(head)} heads {named(dependent)}")

    def _is_above(self, word: int, other: int) -> bool:
        """Whether the heads of the other word lead to this one."""
        while other in self.heads and other != word:
            other = self.heads[other]
        return other == word
