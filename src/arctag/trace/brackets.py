r"""Brackets: `>` takes the nearest open `/`, `\` the nearest open `<`, in each plane for itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder
from arctag.trace.wording import arrow, counted, listed, named

_BRACKET = re.compile(r"[\\></]\**")
_BACK = "\\"
# side → what opens, what closes, what the closer takes off the stack, what waits for it
_KINDS = {"right": ("/", ">", "head", "dependent"), "left": ("<", _BACK, "dependent", "head")}
_SHOWN = 4  # brackets of one kind that are written out; more become '/'×9


class _Stack:
    """One of the two stacks of a plane; the root lies below the right one, unseen, and is never taken off."""

    def __init__(self, side: str, plane: int, alone: bool) -> None:
        self.side, self.plane = side, plane
        self.opener, self.closer, self.takes, self.awaits = _KINDS[side]
        self.open: list[list[int]] = []
        """Words, each with how many of its brackets are still open."""
        self.of_plane, self.in_plane = ("", "") if alone else (f" of plane {plane}", f" in plane {plane}")

    @property
    def name(self) -> str:
        return f"plane {self.plane} {'→' if self.side == 'right' else '←'}"

    def shown(self) -> list[int]:
        """The words on the stack, as often as they have open brackets."""
        root = [0] if self.side == "right" else []
        return root + [word for word, count in self.open for _ in range(count)]

    def written(self, symbol: str, count: int) -> str:
        """The brackets as they stand in the label, in quotes: '>*>*'."""
        symbol += "*" * (self.plane - 1)
        return f"'{symbol * count}'" if count <= _SHOWN else f"'{symbol}'×{count}"

    def pop(self, wanted: int) -> tuple[int, int]:
        """Take brackets off the topmost word; give the word and how many were taken."""
        word, count = self.open[-1]
        taken = min(count, wanted)
        self.open[-1][1] -= taken
        if taken == count:
            self.open.pop()
        return word, taken


def decode(recorder: Recorder) -> None:
    """One pass over the words; planes do not touch each other, so all of them are read at once."""
    k = len(recorder.rows[0]) // 4 if recorder.rows else 0
    used = [p for p in range(k) if any(any(row[4 * p : 4 * p + 4]) for row in recorder.rows)]
    stacks = [_Stack(side, p + 1, alone=k == 1) for p in used for side in ("right", "left")]
    recorder.note("The words are read from left to right. The root lies below every right stack and stays there.")
    recorder.end(_shown(stacks))
    for word, row in enumerate(recorder.rows, 1):
        recorder.begin(word)
        for column, (side, act) in enumerate(_ACTIONS):
            for stack in stacks:
                if stack.side == side and (count := row[4 * (stack.plane - 1) + column]):
                    act(recorder, stack, word, count)
        if not any(row):
            recorder.note(f"No bracket: {named(word)} has no part in any arc.")
        recorder.end(_shown(stacks))
    _leave(recorder, stacks)


def _shown(stacks: list[_Stack]) -> dict[str, list[int]]:
    return {stack.name: stack.shown() for stack in stacks}


def _take(recorder: Recorder, stack: _Stack, word: int, count: int) -> None:
    """Match brackets that close with the nearest open ones; the root is the head where there are none."""
    while count and stack.open:
        other, taken = stack.pop(count)
        count -= taken
        arc = (other, word) if stack.side == "right" else (word, other)
        text = f"{stack.written(stack.closer, taken)} takes a {stack.takes} from the {stack.side} stack{stack.of_plane}"
        times = "" if taken == 1 else f" {taken} times"
        recorder.note(f"{text}: {named(other)} comes off{times}, arc {arrow(*arc)}.")
        recorder.arc(*arc, stack.plane, taken)
    if not count:
        return
    text = f"{stack.written(stack.closer, count)} finds no open '{stack.opener}'{stack.in_plane}"
    if stack.side == "right":
        recorder.note(f"{text}, so the root is the head: arc {arrow(0, word)}.")
        recorder.arc(0, word, stack.plane, count)
    else:
        recorder.repair(f"{text} and is left out", count)


def _open(recorder: Recorder, stack: _Stack, word: int, count: int) -> None:
    """Put a word on the stack."""
    stack.open.append([word, count])
    arcs = f"an arc whose {stack.awaits} is" if count == 1 else f"{count} arcs whose {stack.awaits}s are"
    text = f"{stack.written(stack.opener, count)} opens {arcs} to the right"
    recorder.note(f"{text}: {named(word)} waits on the {stack.side} stack{stack.of_plane}.")


_ACTIONS = (("left", _take), ("right", _take), ("left", _open), ("right", _open))  # as in a row: \></


def _leave(recorder: Recorder, stacks: list[_Stack]) -> None:
    """What is still open after the last word finds no partner."""
    recorder.begin(None)
    for stack in stacks:
        if stack.open:
            words = listed([word for word, _ in stack.open])
            why = f"no '{stack.closer}' came for {words} on the {stack.side} stack{stack.of_plane}"
            recorder.repair(why, sum(count for _, count in stack.open))
    if any(stack.open for stack in stacks):
        recorder.end(_shown(stacks))


def parts(labels: Sequence[str], layout: Layout) -> list[list[Part]]:
    """What each kind of bracket stands for, in the order in which they are written."""
    return [_parts(word, label, layout) for word, label in enumerate(labels, 1)]


def _parts(word: int, label: str, layout: Layout) -> list[Part]:
    if label == ".":
        return [Part(label, "no bracket: it has no part in any arc")]
    return [Part("".join(run), _meaning(kind, word, layout)) for kind, run in groupby(_BRACKET.findall(label))]


def _meaning(bracket: str, word: int, layout: Layout) -> str:
    kind, plane = bracket[0], len(bracket)
    thing = "head" if kind in "><" else "dependent"
    side = "left" if kind in _BACK + ">" else "right"
    words = layout.heads(word, plane) if thing == "head" else layout.dependents(word, plane)
    others = [other for other in words if (other < word) == (side == "left")]
    some = f"a {thing}" if len(others) == 1 else counted(len(others), thing)
    return f"plane {plane}: {some} to the {side}, {listed(others)}"
