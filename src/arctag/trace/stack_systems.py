"""Arc-standard, arc-hybrid and arc-eager, step by step: what is read goes on a stack, with the root at its bottom."""

from __future__ import annotations

from collections.abc import Iterator

from arctag.encodings.trees.transitions import EMPTY
from arctag.trace.transitions import System, Transition
from arctag.trace.wording import named


class _StackSystem(System):
    """LEFT-ARC and RIGHT-ARC as in arc-hybrid."""

    INTRODUCTION = "The words are read from left to right and go on the stack. The root lies there from the start."

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.stack = [0]
        self.word = 0
        """The word that was read last."""

    def read(self, word: int, label: str) -> Iterator[Transition]:
        """SHIFT goes without saying."""
        self._shift(word)
        for letter in label.replace(EMPTY, ""):
            yield self._left_arc() if letter == "L" else self._right_arc()

    def _shift(self, word: int) -> None:
        self.stack.append(word)
        self.word = word

    def stacks(self) -> dict[str, list[int]]:
        return {"stack": self.stack}

    def _left_arc(self) -> Transition:
        """The next word heads the top."""
        top = self.stack[-1]
        if self.word == self.n:
            return Transition("L", "no word follows", possible=False)
        if top == 0 or top in self.heads:
            why = f"{named(top)} has a head" if top else "the root cannot have a head"
            return Transition("L", why, possible=False)
        self.stack.pop()
        return self.join(
            "L", self.word + 1, top, f"LEFT-ARC: the next word heads {named(top)}, which comes off the stack"
        )

    def _right_arc(self) -> Transition:
        """The word below heads the top."""
        if self.stack[-1] == 0:
            return Transition("R", "the stack holds the root alone", possible=False)
        top = self.stack.pop()
        head = self.stack[-1]
        return self.join("R", head, top, f"RIGHT-ARC: {named(head)} heads {named(top)}, which comes off the stack")


class ArcHybridSystem(_StackSystem):
    """LEFT-ARC from the next word, RIGHT-ARC within the stack."""


class ArcStandardSystem(_StackSystem):
    """Both arcs within the stack."""

    def _left_arc(self) -> Transition:
        """The top heads the word below."""
        if len(self.stack) < 3:
            return Transition("L", "there are no two words on the stack beside the root", possible=False)
        below = self.stack.pop(-2)
        top = self.stack[-1]
        return self.join("L", top, below, f"LEFT-ARC: {named(top)} heads {named(below)}, which comes off the stack")


class ArcEagerSystem(_StackSystem):
    """Both arcs between the stack and the next word."""

    def read(self, word: int, label: str) -> Iterator[Transition]:
        """The first letter says how the word is read."""
        head = self.stack[-1]
        self._shift(word)
        if label[0] == "R":
            yield self.join("R", head, word, f"RIGHT-ARC: {named(head)}, on top of the stack, heads the word")
        else:
            yield Transition("S", "SHIFT: the word has no head to its left")
        for letter in label[1:]:
            yield self._left_arc() if letter == "L" else self._reduce()

    def _reduce(self) -> Transition:
        top = self.stack[-1]
        if top not in self.heads:
            why = f"{named(top)} has no head" if top else "the root stays on the stack"
            return Transition("D", why, possible=False)
        self.stack.pop()
        return Transition("D", f"REDUCE: {named(top)} comes off the stack")
