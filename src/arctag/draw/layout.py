"""Where everything goes: words on lines, arcs on levels above and below them. Knows nothing of SVG or terminals.

x grows to the right, y away from the words: upwards from their top for the arcs above, downwards for those below. An
arc is a flat bridge: two legs and, at its level, a deck with the label. Three rules keep the picture readable:

- every arc has its own attachment points, ordered so that arcs from one word do not cross there;
- a label that is wider than its deck sits on top of it; or words stand far enough apart for every deck to hold its
  label (`Metrics.spread`);
- an arc lies above every shorter arc whose range it shares, with its label if that is wider, so that neither decks nor
  labels on one level ever meet.

A long sentence can be wrapped into lines. An arc between two lines then leaves the one at its border and comes into the
other from there, and passes over those between them; each part has the label.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arctag.draw.attachments import attachments
from arctag.draw.edges import Edge
from arctag.draw.levels import Bools, Floats, label_centres, stack

_HALVINGS = 20  # until lines are as short as they can be, to a thousandth of a pixel


@dataclass(frozen=True)
class Metrics:
    """The sizes a renderer works with, in its own unit."""

    word_width: Callable[[str], float]
    label_width: Callable[[str], float]
    gap: float
    """Between neighbouring words."""
    slot: float
    """Between neighbouring attachment points of a word."""
    pad: float
    """On either side of a label."""
    first: float
    """Height of the lowest deck."""
    step: float
    """From one level to the next."""
    label_height: float
    spread: bool = False
    """Whether labels push words apart; else all gaps between words are the same."""


@dataclass(frozen=True)
class Box:
    """A rectangle around a label."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def centre(self) -> float:
        """The middle of its width."""
        return (self.left + self.right) / 2

    def overlaps(self, other: Box) -> bool:
        """Whether the two share some area."""
        apart = (
            self.right <= other.left or other.right <= self.left or self.top <= other.bottom or other.top <= self.bottom
        )
        return not apart


@dataclass(frozen=True)
class Bridge:
    """An arc, or its part on one line, in its place. A root arc has one leg: both x are the same."""

    edge: Edge
    head_x: float
    dependent_x: float
    level: int
    """1 for the one next to the words."""
    y: float
    """How far from the words the deck is."""
    label: Box
    narrow: bool = False
    """Whether the label is wider than the deck, and sits on top of it."""
    head_away: bool = False
    """Whether the head is on another line: there is no leg, and the deck goes on to the border."""
    dependent_away: bool = False

    def moved(self, place: Callable[[float], float]) -> Bridge:
        """The same bridge with another x for every x."""
        left, right = sorted((place(self.label.left), place(self.label.right)))
        label = replace(self.label, left=left, right=right)
        return replace(self, head_x=place(self.head_x), dependent_x=place(self.dependent_x), label=label)


@dataclass(frozen=True)
class Layout:
    """A line of words: x from 0 to `width`, arcs and labels up to `height` above it and `depth` below it."""

    centres: list[float]
    widths: list[float]
    bridges: list[Bridge]
    width: float
    height: float
    first: int = 0
    """The number of its first word, from 0."""
    below: list[Bridge] = field(default_factory=list)
    depth: float = 0.0

    def mirrored(self) -> Layout:
        """The same line with its first word at the right."""
        return self.moved(lambda x: self.width - x)

    def moved(self, place: Callable[[float], float]) -> Layout:
        """The same line with another x for every x."""
        return replace(
            self,
            centres=list(map(place, self.centres)),
            bridges=[bridge.moved(place) for bridge in self.bridges],
            below=[bridge.moved(place) for bridge in self.below],
        )


@dataclass(frozen=True)
class _Side:
    """The arcs on one side of the words, with what is known of each before words have places."""

    edges: Sequence[Edge]
    labels: Floats
    offsets: tuple[Floats, Floats]
    legs: list[int]

    @classmethod
    def of(cls, n: int, edges: Sequence[Edge], metrics: Metrics) -> _Side:
        labels = np.array([metrics.label_width(edge.label) for edge in edges], dtype=np.float64)
        heads, dependents, legs = attachments(n, edges, metrics.slot)
        return cls(edges, labels, (heads, dependents), legs)


def lay_out(
    words: Sequence[str],
    edges: Sequence[Edge],
    metrics: Metrics,
    least: Sequence[float] = (),
    below: Sequence[Edge] = (),
) -> Layout:
    """Place the words and arcs of a sentence on one line; each word takes `least` room, for what stands below it."""
    return wrap(words, edges, metrics, None, least, below)[0]


def wrap(
    words: Sequence[str],
    edges: Sequence[Edge],
    metrics: Metrics,
    room: float | None,
    least: Sequence[float] = (),
    below: Sequence[Edge] = (),
) -> list[Layout]:
    """The same on lines that are no wider than `room` where possible; on one line without it."""
    if not words:
        return [Layout([], [], [], 0.0, 0.0)]
    widths = [metrics.word_width(word) for word in words]
    sides = [_Side.of(len(words), side, metrics) for side in (edges, below)]
    halves = _halves(widths, least, sides, metrics.slot)
    border = 2 * metrics.pad
    starts = [0] if room is None else _breaks(halves, metrics.gap, room - 2 * border)
    spans = list(zip(starts, [*starts[1:], len(words)], strict=True))
    placed = (
        [_centres(halves, sides, metrics)] if len(spans) == 1 else [_even(halves[a:b], metrics.gap) for a, b in spans]
    )
    ends = [centres[-1] + halves[last - 1] for centres, (_, last) in zip(placed, spans, strict=True)]
    borders = (-border, max(ends) + border)
    lines = [
        _line(first, np.array(centres), widths[first:last], sides, borders, metrics)
        for (first, last), centres in zip(spans, placed, strict=True)
    ]
    return _from_zero(lines, max(ends))


def _halves(widths: list[float], least: Sequence[float], sides: list[_Side], slot: float) -> list[float]:
    """Half the room of each word: for its letters, for what stands below, for its legs, and the label of a loop."""
    rooms = [max(pair) for pair in zip(widths, least, strict=True)] if least else widths
    halves = [max(room, *((side.legs[i] - 1) * slot for side in sides)) / 2 for i, room in enumerate(rooms)]
    for side in sides:
        for edge, label in zip(side.edges, side.labels.tolist(), strict=True):
            if edge.loop:
                halves[edge.dependent - 1] = max(halves[edge.dependent - 1], label / 2)
    return halves


def _breaks(halves: list[float], gap: float, room: float) -> list[int]:
    """The first word of each line: of as few lines as there can be, which are then made as short as they can be."""
    starts = _filled(halves, gap, room)
    low, high = 0.0, room
    for _ in range(_HALVINGS if len(starts) > 1 else 0):
        middle = (low + high) / 2
        shorter = _filled(halves, gap, middle)
        if len(shorter) > len(starts):
            low = middle
        else:
            starts, high = shorter, middle
    return starts


def _filled(halves: list[float], gap: float, room: float) -> list[int]:
    """The first word of each line if as many words as fit are put on each."""
    starts, used = [0], 2 * halves[0]
    for word, half in enumerate(halves[1:], 1):
        used += gap + 2 * half
        if used > room:
            starts.append(word)
            used = 2 * half
    return starts


def _even(halves: list[float], gap: float) -> list[float]:
    """The middle of each word, with the same gap between all of them."""
    centres = [halves[0]]
    for before, half in zip(halves, halves[1:], strict=False):
        centres.append(centres[-1] + before + gap + half)
    return centres


def _centres(halves: list[float], sides: list[_Side], metrics: Metrics) -> list[float]:
    """The leftmost middle of each word that leaves room for its neighbour and, where words are spread, for labels."""
    if not metrics.spread:
        return _even(halves, metrics.gap)
    ending: list[list[tuple[int, float]]] = [[] for _ in halves]
    for side in sides:
        heads, dependents = side.offsets
        for i, edge in enumerate(side.edges):
            if not edge.root and not edge.loop:
                start, end = sorted((edge.head - 1, edge.dependent - 1))
                inward = float(dependents[i] - heads[i]) * (1 if edge.head < edge.dependent else -1)
                ending[end].append((start, float(side.labels[i]) + 2 * metrics.pad - inward))
    centres = [halves[0]]
    for word in range(1, len(halves)):
        beside = centres[-1] + halves[word - 1] + metrics.gap + halves[word]
        centres.append(max([beside, *(centres[start] + room for start, room in ending[word])]))
    return centres


def _line(
    first: int,
    centres: Floats,
    widths: list[float],
    sides: list[_Side],
    borders: tuple[float, float],
    metrics: Metrics,
) -> Layout:
    above, below = (_bridges(first, centres, side, borders, metrics) for side in sides)
    top, bottom = (max((bridge.label.top for bridge in bridges), default=0.0) for bridges in (above, below))
    return Layout(centres.tolist(), widths, above, 0.0, top, first, below, bottom)


def _bridges(first: int, centres: Floats, side: _Side, borders: tuple[float, float], metrics: Metrics) -> list[Bridge]:
    """The arcs, or parts of arcs, on the line that begins with the word `first`."""
    last = first + len(centres)
    chosen = [i for i, edge in enumerate(side.edges) if _is_on(edge, first, last)]
    edges = [side.edges[i] for i in chosen]
    labels = side.labels[chosen]
    root, loop = (np.array([getattr(edge, name) for edge in edges], dtype=bool) for name in ("root", "loop"))
    dependent_x, dependent_here = _ends(
        [edge.dependent for edge in edges], side.offsets[1][chosen], first, centres, borders
    )
    head_x, head_here = _ends([edge.head for edge in edges], side.offsets[0][chosen], first, centres, borders)
    head_x, head_here = np.where(root, dependent_x, head_x), head_here & ~root
    narrow = loop | (~root & (labels + metrics.pad > np.abs(head_x - dependent_x)))
    reach = np.where(narrow | root, labels / 2 + metrics.pad, 0.0)
    middle = (head_x + dependent_x) / 2
    parted = narrow & ~(head_here & dependent_here)  # whose label stays inside of the border
    middle = np.where(parted, np.clip(middle, borders[0] + labels / 2, borders[1] - labels / 2), middle)
    left = np.minimum(np.minimum(head_x, dependent_x), middle - reach)
    right = np.maximum(np.maximum(head_x, dependent_x), middle + reach)
    levels = stack(left, right, np.abs(head_x - dependent_x), last=root.tolist())
    middles = label_centres(
        middle, (head_x, dependent_x), (head_here, dependent_here), narrow | root, levels, labels, metrics.pad
    )
    made = zip(edges, head_x.tolist(), dependent_x.tolist(), levels.tolist(), middles.tolist(), labels.tolist(),
               narrow.tolist(), (~head_here & ~root).tolist(), (~dependent_here).tolist(), strict=True)  # fmt: skip
    return [
        Bridge(edge, head, dependent, level, metrics.first + (level - 1) * metrics.step,
               _box(middle, label, level, metrics), is_narrow, head_away, dependent_away)
        for edge, head, dependent, level, middle, label, is_narrow, head_away, dependent_away in made
    ]  # fmt: skip


def _is_on(edge: Edge, first: int, last: int) -> bool:
    """Whether an arc, or a part of it, is on the line of the words from `first` to before `last`."""
    start, end = (edge.dependent,) * 2 if edge.root else sorted((edge.head, edge.dependent))
    return start <= last and end > first


def _ends(
    words: list[int], offsets: Floats, first: int, centres: Floats, borders: tuple[float, float]
) -> tuple[Floats, Bools]:
    """Where the ends of arcs at these words are: on the word or, if that is on another line, at a border."""
    places = np.array(words, dtype=np.int64) - 1 - first
    here = (places >= 0) & (places < len(centres))
    inside = centres[np.where(here, places, 0)] + offsets
    return np.where(here, inside, np.where(places < 0, borders[0], borders[1])), here


def _box(middle: float, width: float, level: int, metrics: Metrics) -> Box:
    y, half = metrics.first + (level - 1) * metrics.step, metrics.label_height / 2
    return Box(middle - width / 2, middle + width / 2, y - half, y + half)


def _from_zero(lines: list[Layout], end: float) -> list[Layout]:
    """Shift everything so that the leftmost thing, be it a word, a label or a deck, starts at 0."""
    bridges = [bridge for line in lines for bridge in (*line.bridges, *line.below)]
    places = [x for one in bridges for x in (one.label.left, one.label.right, one.head_x, one.dependent_x)]
    left, right = min([0.0, *places]), max([end, *places])
    return [replace(line.moved(lambda x: x - left) if left else line, width=right - left) for line in lines]
