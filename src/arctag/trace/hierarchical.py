"""Hierarchical brackets: one pass with a stack of open words; semi-openers wait beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, counted, first_up, listed, named

_BRACKET = re.compile(r"(?P<symbol>[@\])(\[])(?P<type>[><=]?)(?P<index>\d*)")


@dataclass(frozen=True)
class Bracket:
    """One bracket of a label."""

    text: str
    symbol: str
    type: str
    index: int


def brackets_of(label: str) -> list[Bracket]:
    """']>1)<[' → ']>1', ')<', '['."""
    return [Bracket(m[0], m["symbol"], m["type"], int(m["index"] or 0)) for m in _BRACKET.finditer(label)]


def decode(recorder: Recorder) -> None:
    """Read each word's brackets in the order in which they are written."""
    state = _State(recorder)
    recorder.note("The words are read from left to right. The root is open from the start and stays so.")
    recorder.end(state.stacks())
    for word, label in enumerate(recorder.labels, 1):
        recorder.begin(word)
        for bracket in brackets_of(label):
            state.act(word, bracket)
        if label == ".":
            recorder.note("No bracket: nothing happens.")
        recorder.end(state.stacks())
    state.leave()


@dataclass
class _Waiting:
    """A semi-opener, and how many closers it still lets pass."""

    word: int
    type: str
    passes: int


class _State:
    """The stack of open words, and the semi-openers that wait."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.open = [0]
        self.waiting: list[_Waiting] = []

    def stacks(self) -> dict[str, list[int]]:
        return {"open": self.open, "waiting": [one.word for one in self.waiting]}

    def act(self, word: int, bracket: Bracket) -> None:
        """Do what one bracket says."""
        match bracket.symbol:
            case "@":
                self.recorder.note(f"'@' is an arc from the word to itself: {arrow(word, word)}.")
                self.recorder.arc(word, word)
            case "]":
                self._close(word, bracket)
            case ")":
                self._lean(word, bracket)
            case "(":
                self._wait(word, bracket)
            case _:
                self.open.append(word)
                self.recorder.note(f"'[' opens a span: {named(word)} goes on the stack of open words.")

    def _close(self, word: int, bracket: Bracket) -> None:
        opener = self._opener(bracket)
        self._join(f"'{bracket.text}'{self._skips(bracket)} closes {_span_of(opener)}", opener, word, bracket.type)
        if opener:
            self.open.remove(opener)
        self.recorder.note(f"{first_up(named(opener))} {'comes off the stack' if opener else 'stays open'}.")
        self._serve(opener, word)

    def _serve(self, opener: int, word: int) -> None:
        """Complete the semi-openers inside the span just closed that waited for it; the others let it pass."""
        kept, passed = [], []
        for one in self.waiting:
            if one.word <= opener:
                kept.append(one)
            elif one.passes == 0:
                self._join(f"{first_up(named(one.word))} waited for this closer", one.word, word, one.type)
            else:
                one.passes -= 1
                kept.append(one)
                passed.append(one.word)
        self.waiting = kept
        if passed:
            self.recorder.note(f"Still waiting, for a later closer: {listed(passed)}.")

    def _lean(self, word: int, bracket: Bracket) -> None:
        opener = self._opener(bracket)
        self._join(f"'{bracket.text}'{self._skips(bracket)} leans on {_span_of(opener)}", opener, word, bracket.type)
        self.recorder.note(f"{first_up(named(opener))} stays open.")

    def _wait(self, word: int, bracket: Bracket) -> None:
        self.waiting.append(_Waiting(word, bracket.type, bracket.index))
        passes = f", after letting {counted(bracket.index, 'such closer')} pass" if bracket.index else ""
        self.recorder.note(f"'{bracket.text}': {named(word)} waits for the closer of a span opened before it{passes}.")

    def _opener(self, bracket: Bracket) -> int:
        """The word so many places below the top; the root where there are not so many."""
        missing = bracket.index >= len(self.open)
        opener = 0 if missing else self.open[-1 - bracket.index]
        if missing:
            there = "the root alone is open" if len(self.open) == 1 else f"only {len(self.open)} are open with the root"
            skips = f"'{bracket.text}' skips {counted(bracket.index, 'open word')}"
            self.recorder.repair(f"{skips}, but {there}; it takes the root")
        if opener == 0 and bracket.type in "<=" and (bracket.symbol == "]" or not missing):
            self.recorder.repair(f"'{bracket.text}' finds the root, which cannot have a head")
        return opener

    def _skips(self, bracket: Bracket) -> str:
        return f" skips {counted(bracket.index, 'open word')} and" if 0 < bracket.index < len(self.open) else ""

    def _join(self, text: str, left: int, right: int, type_: str) -> None:
        """Make the arcs of a span; nothing goes into the root."""
        arcs = [(left, right)] if type_ in ">=" else []
        arcs += [(right, left)] if type_ in "<=" and left else []
        names = " and ".join(arrow(*arc) for arc in arcs)
        self.recorder.note(f"{text}: {'arcs' if len(arcs) > 1 else 'arc'} {names}." if arcs else f"{text}: no arc.")
        for arc in arcs:
            self.recorder.arc(*arc)

    def leave(self) -> None:
        """What is open or waits after the last word is never completed."""
        self.recorder.begin(None)
        if len(self.open) > 1:
            self.recorder.repair(f"no ']' came for {listed(self.open[1:])}, still open", len(self.open) - 1)
        if self.waiting:
            words = listed([one.word for one in self.waiting])
            self.recorder.repair(f"no closer came for {words}, still waiting", len(self.waiting))
        if len(self.open) > 1 or self.waiting:
            self.recorder.end(self.stacks())


def _span_of(opener: int) -> str:
    return f"the span that {named(opener)} opened"
