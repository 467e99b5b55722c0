"""Transition systems: a label is a sequence of transitions, each of which is possible in certain states only."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from arctag.encodings.trees.transitions import EMPTY
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, first_up, named


class Transition(NamedTuple):
    """One transition of a label, and what it does."""

    part: str
    """The letters of the label."""
    text: str
    arc: tuple[int, int] | None = None
    possible: bool = True
    """If it is not, the text says why, and nothing happens."""


class System(ABC):
    """A transition system in the middle of a sentence."""

    INTRODUCTION: ClassVar[str]
    """What the trace says before the first word."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.heads: dict[int, int] = {}

    @abstractmethod
    def read(self, word: int, label: str) -> Iterator[Transition]:
        """Read a word and make the transitions of its label, one after another."""

    @abstractmethod
    def stacks(self) -> dict[str, list[int]]:
        """What the trace shows after each word."""

    def join(self, part: str, head: int, dependent: int, text: str) -> Transition:
        """Make an arc."""
        self.heads[dependent] = head
        return Transition(part, f"{text}: arc {arrow(head, dependent)}", (head, dependent))


def decode(kind: type[System], recorder: Recorder) -> None:
    """One pass over the words."""
    system = kind(len(recorder.labels))
    recorder.note(system.INTRODUCTION)
    recorder.end(system.stacks())
    for word, label in enumerate(recorder.labels, 1):
        recorder.begin(word)
        recorder.note(f"{first_up(named(word))} is read.")
        for transition in system.read(word, label):
            if transition.possible:
                recorder.note(f"{first_up(transition.text)}.")
            else:
                recorder.repair(f"'{transition.part}' is left out, since {transition.text}")
            if transition.arc:
                recorder.arc(*transition.arc)
        recorder.end(system.stacks())


def parts(kind: type[System], labels: Sequence[str], _: Layout) -> list[list[Part]]:
    """What each transition does, arcs of lifted words included: those are in the labels and not in the layout."""
    system = kind(len(labels))
    return [
        [Part(transition.part, transition.text) for transition in system.read(word, label)]
        or [Part(EMPTY, "the word is read, nothing else")]
        for word, label in enumerate(labels, 1)
    ]
