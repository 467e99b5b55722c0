"""One pass over the bits of a plane, rightwards or leftwards: what the bit encodings share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, first_up, listed, named


@dataclass(frozen=True)
class Turn:
    """What the bits of a word say about arcs of one direction."""

    part: str
    """The bits of the plane."""
    head: bool
    farthest: bool
    has: bool

    @property
    def idle(self) -> bool:
        """Whether the word has no part in this pass."""
        return not (self.head or self.farthest or self.has)


@dataclass(frozen=True)
class Direction:
    """Which way arcs point in a pass, and which bits (from 1) speak of them."""

    rightwards: bool
    head_bit: int
    head_value: int
    """What the first of them is where there is a head."""
    farthest_bit: int
    has_bit: int
    one_head: bool = False
    """Whether a word has one head in all, so that its farthest bit speaks of the direction of that head alone."""
    plane_bit: int = 0
    """The bit that says in which plane the head is; 0 where each plane has bits of its own."""
    plane_value: int = 0

    def turn(self, bits: str) -> Turn:
        """What the bits of a plane say of this direction."""
        head = bits[self.head_bit - 1] == str(self.head_value)
        if self.plane_bit:
            head = head and bits[self.plane_bit - 1] == str(self.plane_value)
        farthest = bits[self.farthest_bit - 1] == "1" and (head or not self.one_head)
        return Turn(bits, head, farthest, bits[self.has_bit - 1] == "1")

    @property
    def heads_are(self) -> str:
        """The side on which heads lie."""
        return "left" if self.rightwards else "right"

    @property
    def dependents_are(self) -> str:
        """The side on which dependents lie."""
        return "right" if self.rightwards else "left"


def read_planes(recorder: Recorder, ways: Sequence[Direction]) -> None:
    """A pass in each direction over each plane."""
    bits = [label.split(".") for label in recorder.labels]
    for plane in range(len(bits[0]) if bits else 0):
        for way in ways:
            read_pass(recorder, plane + 1, way, [way.turn(row[plane]) for row in bits])


def read_pass(recorder: Recorder, plane: int, way: Direction, turns: Sequence[Turn]) -> None:
    """Match each word that has a head with the word on top of the stack; the farthest dependent takes that off."""
    name = f"plane {plane} {'→' if way.rightwards else '←'}"
    stack = [0] if way.rightwards else []
    _introduce(recorder, plane, way, idle=all(turn.idle for turn in turns))
    recorder.end({name: stack})
    if all(turn.idle for turn in turns):
        return
    words = range(1, len(turns) + 1)
    for word in words if way.rightwards else reversed(words):
        turn = turns[word - 1]
        recorder.begin(word, turn.part, name)
        if turn.head:
            _find_head(recorder, plane, way, word, turn, stack)
        elif turn.farthest:
            recorder.repair(
                f"bit {way.farthest_bit} calls {named(word)} the farthest dependent of a head to its {way.heads_are}, "
                f"but bit {way.head_bit} says it has none"
            )
        if turn.has:
            stack.append(word)
            text = f"{named(word)} has dependents to its {way.dependents_are} and goes on the stack"
            recorder.note(f"Bit {way.has_bit} is 1: {text}.")
        if turn.idle:
            recorder.note(
                f"No head to the {way.heads_are}, no dependents to the {way.dependents_are}: nothing happens."
            )
        recorder.end({name: stack})
    if left := [word for word in stack if word]:
        recorder.begin(None, sweep=name)
        recorder.repair(f"no farthest dependent came for {listed(left)}, still on the stack", len(left))
        recorder.end({name: stack})


def _introduce(recorder: Recorder, plane: int, way: Direction, idle: bool) -> None:
    recorder.begin(None, sweep=f"plane {plane} {'→' if way.rightwards else '←'}")
    if idle:
        recorder.note(f"Plane {plane}, arcs to the {way.dependents_are}: the bits of no word speak of any.")
    elif way.rightwards:
        recorder.note(
            f"Plane {plane}, arcs to the right: the words are read from left to right. "
            "The root lies at the bottom of the stack and stays there."
        )
    else:
        recorder.note(f"Plane {plane}, arcs to the left: the words are read from right to left. The stack is empty.")


def _find_head(recorder: Recorder, plane: int, way: Direction, word: int, turn: Turn, stack: list[int]) -> None:
    text = f"bit {way.head_bit} is {way.head_value}: the head of {named(word)} is to the {way.heads_are}"
    if not stack:
        recorder.repair(f"{text}, but no word waits there, so it gets none")
        return
    head = stack[-1]
    recorder.note(f"{first_up(text)}, and {named(head)} is on top of the stack: arc {arrow(head, word)}.")
    recorder.arc(head, word, plane)
    if not turn.farthest:
        recorder.note(
            f"Bit {way.farthest_bit} is 0: {named(head)} has a dependent farther away and stays on the stack."
        )
        return
    text = f"Bit {way.farthest_bit} is 1: {named(word)} is the farthest dependent of {named(head)}, which"
    recorder.note(f"{text} comes off the stack." if head else f"{text} stays, as always.")
    if head:
        stack.pop()
