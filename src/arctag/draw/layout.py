"""Where everything goes: words on a line, arcs on levels above it. Knows nothing of SVG or terminals.

x grows to the right, y grows upwards from the top of the words. An arc is a flat bridge: two legs
and, at its level, a deck with the label. Three rules keep the picture readable:

- every arc has its own attachment points, ordered so that arcs from one word do not cross there;
- words stand far enough apart for every deck to hold its label;
- an arc lies above every shorter arc whose range it shares, so decks on one level never meet.

From the last two it follows that no two labels overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from arctag.draw.attachments import attachments
from arctag.draw.label_places import label_centres
from arctag.draw.scene import Edge

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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
    """An arc in its place. A root arc has one leg: both x are the same."""

    edge: Edge
    head_x: float
    dependent_x: float
    level: int
    """1 for the lowest."""
    y: float
    """Height of the deck."""
    label: Box


@dataclass(frozen=True)
class Layout:
    """The whole picture: x from 0 to `width`, arcs and labels from 0 up to `height`."""

    centres: list[float]
    widths: list[float]
    bridges: list[Bridge]
    width: float
    height: float

    def mirrored(self) -> Layout:
        """The same picture with the first word at the right."""
        return replace(
            self,
            centres=[self.width - x for x in self.centres],
            bridges=[_mirrored(bridge, self.width) for bridge in self.bridges],
        )


def lay_out(words: Sequence[str], edges: Sequence[Edge], metrics: Metrics, least: Sequence[float] = ()) -> Layout:
    """Place the words and arcs of a sentence; each word takes `least` room, for what stands below it."""
    if not words:
        return Layout([], [], [], 0.0, 0.0)
    widths = [metrics.word_width(word) for word in words]
    labels = np.array([metrics.label_width(edge.label) for edge in edges], dtype=np.float64)
    head_offsets, dependent_offsets, counts = attachments(len(words), edges, metrics.slot)
    rooms = [max(pair) for pair in zip(widths, least, strict=True)] if least else widths
    halves = [max(room, (count - 1) * metrics.slot) / 2 for room, count in zip(rooms, counts, strict=True)]
    for edge, label in zip(edges, labels.tolist(), strict=True):
        if edge.loop:  # its label stands above the word alone
            halves[edge.dependent - 1] = max(halves[edge.dependent - 1], label / 2)
    offsets = [(h, d) for h, d in zip(head_offsets.tolist(), dependent_offsets.tolist(), strict=True)]
    centres = _centres(halves, edges, labels, offsets, metrics)

    dependent_x = centres[[edge.dependent - 1 for edge in edges]] + dependent_offsets
    # for a root the head's index is -1, any word: its place is its dependent's
    head_x = np.where(
        [edge.root for edge in edges], dependent_x, centres[[edge.head - 1 for edge in edges]] + head_offsets
    )
    left, right = _ranges(edges, head_x, dependent_x, labels, metrics.pad)
    levels = stack(left, right, last=[edge.root for edge in edges])
    middles = label_centres(edges, head_x, dependent_x, levels, labels, metrics.pad)
    bridges = [
        _bridge(
            edge, float(head_x[i]), float(dependent_x[i]), int(levels[i]), float(middles[i]), float(labels[i]), metrics
        )
        for i, edge in enumerate(edges)
    ]
    return _from_zero(centres, widths, halves, bridges)


def stack(left: Floats, right: Floats, last: Sequence[bool]) -> Ints:
    """A level from 1 for each closed range: one more than the highest shorter range that it meets.

    Shorter ranges are placed first; those marked `last` after all others.
    """
    levels = np.zeros(len(left), dtype=np.int64)
    points = np.unique(np.concatenate([left, right]))
    starts, ends = np.searchsorted(points, left), np.searchsorted(points, right)
    heights = np.zeros(len(points), dtype=np.int64)
    order = np.lexsort((np.arange(len(left)), right - left, np.asarray(last, dtype=bool)))
    for i in order.tolist():
        inside = heights[starts[i] : ends[i] + 1]
        levels[i] = inside.max() + 1
        inside[:] = levels[i]
    return levels


def _centres(
    halves: list[float], edges: Sequence[Edge], labels: Floats, offsets: list[tuple[float, float]], metrics: Metrics
) -> Floats:
    """The leftmost middle of each word that leaves room for its neighbour and for every label."""
    ending: list[list[tuple[int, float]]] = [[] for _ in halves]
    for edge, label, (head_offset, dependent_offset) in zip(edges, labels.tolist(), offsets, strict=True):
        if edge.root or edge.loop:
            continue
        start, end = sorted((edge.head - 1, edge.dependent - 1))
        inward = dependent_offset - head_offset if edge.head < edge.dependent else head_offset - dependent_offset
        ending[end].append((start, label + 2 * metrics.pad - inward))
    centres = [halves[0]]
    for word in range(1, len(halves)):
        beside = centres[-1] + halves[word - 1] + metrics.gap + halves[word]
        centres.append(max([beside, *(centres[start] + room for start, room in ending[word])]))
    return np.array(centres)


def _ranges(
    edges: Sequence[Edge], head_x: Floats, dependent_x: Floats, labels: Floats, pad: float
) -> tuple[Floats, Floats]:
    """From where to where an arc and its label reach; only roots and loops have labels wider than themselves."""
    middle = (head_x + dependent_x) / 2
    reach = np.array([labels[i] / 2 + pad if edge.loop or edge.root else 0.0 for i, edge in enumerate(edges)])
    left = np.minimum(np.minimum(head_x, dependent_x), middle - reach)
    right = np.maximum(np.maximum(head_x, dependent_x), middle + reach)
    return left, right


def _bridge(
    edge: Edge, head_x: float, dependent_x: float, level: int, middle: float, width: float, metrics: Metrics
) -> Bridge:
    y = metrics.first + (level - 1) * metrics.step
    half = metrics.label_height / 2
    return Bridge(edge, head_x, dependent_x, level, y, Box(middle - width / 2, middle + width / 2, y - half, y + half))


def _from_zero(centres: Floats, widths: list[float], halves: list[float], bridges: list[Bridge]) -> Layout:
    """Shift everything so that the leftmost thing, be it a word or a label, starts at 0."""
    left = min([0.0, *(bridge.label.left for bridge in bridges)])
    right = max([float(centres[-1]) + halves[-1], *(bridge.label.right for bridge in bridges)])
    return Layout(
        centres=(centres - left).tolist(),
        widths=widths,
        bridges=[_shifted(bridge, -left) for bridge in bridges] if left else bridges,
        width=right - left,
        height=max((bridge.label.top for bridge in bridges), default=0.0),
    )


def _shifted(bridge: Bridge, by: float) -> Bridge:
    label = replace(bridge.label, left=bridge.label.left + by, right=bridge.label.right + by)
    return replace(bridge, head_x=bridge.head_x + by, dependent_x=bridge.dependent_x + by, label=label)


def _mirrored(bridge: Bridge, width: float) -> Bridge:
    label = replace(bridge.label, left=width - bridge.label.right, right=width - bridge.label.left)
    return replace(bridge, head_x=width - bridge.head_x, dependent_x=width - bridge.dependent_x, label=label)
