"""`Trace`: the steps of decoding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class PlacedArc(NamedTuple):
    """An arc and its plane, from 1; without planes it is always 1."""

    head: int
    dependent: int
    plane: int

    def to_json(self) -> dict[str, int]:
        """As the service gives it."""
        return {"head": self.head, "dependent": self.dependent, "plane": self.plane}


@dataclass(frozen=True)
class Step:
    """What one word does: in one pass, where the encoding reads the sentence several times."""

    word: int | None
    """None before the first word of a pass, and after the last."""
    label: str
    """The whole label of the word."""
    part: str
    """What this step reads of the label: all of it, or the bits of one plane."""
    sweep: str
    """The pass, named as its stack: 'plane 1 →'. Empty where there is only one."""
    text: str
    """What happens, in plain words."""
    stacks: dict[str, list[int]]
    """Each stack after the step, the top last; 0 is the root."""
    new_arcs: tuple[PlacedArc, ...]
    null_arcs: tuple[PlacedArc, ...]
    repairs: int
    why: str
    """Why there were repairs; empty if there were none."""
    lost_arcs: tuple[PlacedArc, ...] = ()
    """Arcs of earlier steps that go again: what is decoded must be a tree."""

    @property
    def repair(self) -> bool:
        """Whether the step needed repairs."""
        return self.repairs > 0

    def to_json(self) -> dict[str, Any]:
        """As the service gives it."""
        return {
            "word": self.word,
            "label": self.label,
            "part": self.part,
            "pass": self.sweep,
            "text": self.text,
            "stacks": self.stacks,
            "new_arcs": [arc.to_json() for arc in self.new_arcs],
            "null_arcs": [arc.to_json() for arc in self.null_arcs],
            "repair": self.repair,
            "repairs": self.repairs,
            "why": self.why,
            "lost_arcs": [arc.to_json() for arc in self.lost_arcs],
        }


@dataclass(frozen=True)
class Trace:
    """How the labels of a sentence became its graph."""

    encoding: str
    n: int
    labels: tuple[str, ...]
    steps: tuple[Step, ...]

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The (head, dependent) pairs, sorted by dependent, then head: those that `decode` gives."""
        return [(arc.head, arc.dependent) for arc in self.placed]

    @property
    def placed(self) -> list[PlacedArc]:
        """The same arcs with their planes."""
        made = dict[PlacedArc, None]()
        for step in self.steps:
            for arc in step.lost_arcs:
                del made[arc]
            made.update(dict.fromkeys(step.new_arcs))
        return sorted(made, key=lambda arc: (arc.dependent, arc.head))

    @property
    def null_arcs(self) -> list[PlacedArc]:
        """The null arcs, sorted in the same way, then by plane."""
        made = (arc for step in self.steps for arc in step.null_arcs)
        return sorted(made, key=lambda arc: (arc.dependent, arc.head, arc.plane))

    @property
    def repairs(self) -> int:
        """How many repairs the labels needed, as `decode` counts them."""
        return sum(step.repairs for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        """As the service gives it."""
        return {
            "encoding": self.encoding,
            "steps": [step.to_json() for step in self.steps],
            "arcs": [{"head": head, "dependent": dependent} for head, dependent in self.arcs],
            "repairs": self.repairs,
        }
