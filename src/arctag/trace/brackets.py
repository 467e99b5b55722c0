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
_SHOWN = 4  # brackets of one kind that are written out; more become '/'×9


class _Plane:
    """The two stacks of a plane. An entry is a word and how many of its brackets are still open."""

    def __init__(self, number: int, alone: bool) -> None:
        self.number = number
        self.right: list[list[int]] = []
        self.left: list[list[int]] = []
        self.place = "" if alone else f" of plane {number}"

    def shown(self) -> dict[str, list[int]]:
        """The stacks as lists of words, the root below the right one."""
        right, left = ([word for word, open_ in stack for _ in range(open_)] for stack in (self.right, self.left))
        return {f"plane {self.number} →": [0, *right], f"plane {self.number} ←": left}


def decode(recorder: Recorder) -> None:
    """One pass over the words; planes do not touch each other, so all of them are read at once."""
    k = len(recorder.rows[0]) // 4 if recorder.rows else 0
    used = [p for p in range(k) if any(any(row[4 * p : 4 * p + 4]) for row in recorder.rows)]
    planes = [_Plane(p + 1, alone=k == 1) for p in used]
    recorder.note("The words are read from left to right. The root lies below every right stack and stays there.")
    recorder.end(_stacks(planes))
    for word, row in enumerate(recorder.rows, 1):
        recorder.begin(word)
        for column, act in enumerate((_take_dependents, _take_heads, _open_left, _open_right)):  # as in a row: \></
            for plane in planes:
                if count := row[4 * (plane.number - 1) + column]:
                    act(recorder, plane, word, count)
        if not any(row):
            recorder.note(f"No bracket: {named(word)} has no part in any arc.")
        recorder.end(_stacks(planes))
    _leave(recorder, planes)


def _stacks(planes: list[_Plane]) -> dict[str, list[int]]:
    return {name: stack for plane in planes for name, stack in plane.shown().items()}


def _written(symbol: str, plane: _Plane, count: int) -> str:
    """The brackets as they stand in the label, in quotes: '>*>*'."""
    symbol += "*" * (plane.number - 1)
    return f"'{symbol * count}'" if count <= _SHOWN else f"'{symbol}'×{count}"


def _take_dependents(recorder: Recorder, plane: _Plane, word: int, count: int) -> None:
    while count and plane.left:
        dependent, taken = _pop(plane.left, count)
        count -= taken
        text = f"{_written(_BACK, plane, taken)} takes a dependent from the left stack{plane.place}"
        recorder.note(f"{text}: {named(dependent)} comes off{_times(taken)}, arc {arrow(word, dependent)}.")
        recorder.arc(word, dependent, plane.number, taken)
    if count:
        recorder.repair(f"{_written(_BACK, plane, count)} finds no open '<'{_on(plane)} and is left out", count)


def _take_heads(recorder: Recorder, plane: _Plane, word: int, count: int) -> None:
    while count and plane.right:
        head, taken = _pop(plane.right, count)
        count -= taken
        text = f"{_written('>', plane, taken)} takes a head from the right stack{plane.place}"
        recorder.note(f"{text}: {named(head)} comes off{_times(taken)}, arc {arrow(head, word)}.")
        recorder.arc(head, word, plane.number, taken)
    if count:
        text = f"{_written('>', plane, count)} finds no open '/'{_on(plane)}"
        recorder.note(f"{text}, so the root is the head: arc {arrow(0, word)}.")
        recorder.arc(0, word, plane.number, count)


def _open_left(recorder: Recorder, plane: _Plane, word: int, count: int) -> None:
    plane.left.append([word, count])
    arcs = "an arc whose head is" if count == 1 else f"{count} arcs whose heads are"
    text = f"{_written('<', plane, count)} opens {arcs} to the right"
    recorder.note(f"{text}: {named(word)} waits on the left stack{plane.place}.")


def _open_right(recorder: Recorder, plane: _Plane, word: int, count: int) -> None:
    plane.right.append([word, count])
    arcs = "an arc whose dependent is" if count == 1 else f"{count} arcs whose dependents are"
    text = f"{_written('/', plane, count)} opens {arcs} to the right"
    recorder.note(f"{text}: {named(word)} waits on the right stack{plane.place}.")


def _pop(stack: list[list[int]], wanted: int) -> tuple[int, int]:
    """Take brackets off the topmost word; give the word and how many were taken."""
    word, left = stack[-1]
    taken = min(left, wanted)
    stack[-1][1] -= taken
    if taken == left:
        stack.pop()
    return word, taken


def _times(count: int) -> str:
    return "" if count == 1 else f" {count} times"


def _on(plane: _Plane) -> str:
    return plane.place and f" in plane {plane.number}"


def _leave(recorder: Recorder, planes: list[_Plane]) -> None:
    """What is still open after the last word finds no partner."""
    recorder.begin(None)
    for plane in planes:
        for stack, side, partner in ((plane.right, "right", ">"), (plane.left, "left", _BACK)):
            if stack:
                words = listed([word for word, _ in stack])
                why = f"no '{partner}' came for {words} on the {side} stack{plane.place}"
                recorder.repair(why, sum(left for _, left in stack))
    if any(plane.right or plane.left for plane in planes):
        recorder.end(_stacks(planes))


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
