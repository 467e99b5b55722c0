"""`Recorder`: collects the steps of a decoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arctag.encodings.labels import LabelRow
from arctag.errors import InputError
from arctag.trace.steps import PlacedArc, Step
from arctag.trace.wording import arrow, counted

MOST_CELLS = 1_000_000
"""Words on stacks, over all steps: a sentence that people look at has some thousands."""


class Recorder:
    """Holds the labels and collects the steps. Each step begins, is described, and ends with its stacks."""

    def __init__(
        self,
        rows: Sequence[LabelRow],
        labels: Sequence[str],
        nulls: Sequence[frozenset[int]],
        once: bool,
        tags: Sequence[int],
        stacks: bool = True,
    ) -> None:
        """`nulls`: for each word, the planes with a null arc; `once`: whether an arc added again is a repair.

        `stacks`: whether to keep them.
        """
        self._keeps_stacks = stacks
        self.rows, self.labels, self.tags, self.steps = rows, labels, tags, list[Step]()
        self._nulls, self._once = nulls, once
        self._planes: dict[tuple[int, int], int] = {}
        self.heads: dict[int, int] = {}
        """The head of each word, the last that was added."""
        self._cells = 0
        self.begin(None)

    def begin(self, word: int | None, part: str | None = None, sweep: str = "") -> None:
        """Start a step; it reads the whole label unless a part is given."""
        label = self.labels[word - 1] if word else ""
        self._word, self._label, self._part, self._sweep = word, label, label if part is None else part, sweep
        self._text: list[str] = []
        self._why: list[str] = []
        self._arcs: list[PlacedArc] = []
        self._null_arcs: list[PlacedArc] = []
        self._lost_arcs: list[PlacedArc] = []
        self._repairs = 0

    def note(self, sentence: str) -> None:
        """Describe one thing that happens."""
        self._text.append(sentence)

    def repair(self, why: str, count: int = 1) -> None:
        """Describe and count what does not fit."""
        self.note(f"{'Repair' if count == 1 else counted(count, 'repair')}: {why}.")
        self._why.append(why)
        self._repairs += count

    def arc(self, head: int, dependent: int, plane: int = 1, times: int = 1) -> None:
        """Add an arc that was just described; however often it is added, it is there once."""
        if plane in self._nulls[dependent - 1]:
            self._null_arcs.append(PlacedArc(head, dependent, plane))
            self.note(
                f"{arrow(head, dependent)} is marked as a null arc: it fills the place, the graph goes without it."
            )
            return
        if (head, dependent) not in self._planes:
            self._planes[head, dependent] = plane
            self.heads[dependent] = head
            self._arcs.append(PlacedArc(head, dependent, plane))
            times -= 1
        if times and self._once:
            self.repair(f"{arrow(head, dependent)} is there already and counts once", times)
        elif times:
            self.note(f"{arrow(head, dependent)} is there already, from plane {self._planes[head, dependent]}.")

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The (head, dependent) pairs that there are now."""
        return list(self._planes)

    @property
    def repaired(self) -> bool:
        """Whether this step needed repairs."""
        return self._repairs > 0

    def lose(self, head: int, dependent: int) -> None:
        """Take away an arc of an earlier step, as is being described."""
        self._lost_arcs.append(PlacedArc(head, dependent, self._planes.pop((head, dependent))))
        left = [other for other, word in self._planes if word == dependent]
        if left:
            self.heads[dependent] = left[-1]
        else:
            del self.heads[dependent]

    def end(self, stacks: Mapping[str, Sequence[int]]) -> None:
        """Finish the step, whose stacks now look so."""
        if not self._keeps_stacks:
            stacks = {}
        self._cells += sum(map(len, stacks.values()))
        if self._cells > MOST_CELLS:
            raise InputError(f"too long to show step by step: the stacks of {len(self.labels)} words fill pages")
        self.steps.append(
            Step(
                self._word, self._label, self._part, self._sweep, " ".join(self._text),
                {name: list(stack) for name, stack in stacks.items()},
                tuple(self._arcs), tuple(self._null_arcs), self._repairs, "; ".join(self._why),
                tuple(self._lost_arcs),
            )
        )  # fmt: skip
