"""Which plane each arc of an encoded graph is in, by decoding one plane at a time."""

from __future__ import annotations

import numpy as np

from arctag.encodings import Encoding, Labels
from arctag.graph import Graph
from arctag.trace.conflicts import Planar, PlanarTree
from arctag.trace.decoding import trace
from arctag.trace.layout import Layout
from arctag.trace.steps import PlacedArc
from arctag.trace.tree_repair import TREE


def layout_of(encoding: Encoding, graph: Graph, labels: Labels) -> Layout:
    """The planes of arcs and null arcs, given the labels that a graph was encoded to."""
    if isinstance(encoding, PlanarTree):
        return Layout(_arcs_of_labels(encoding, labels), [])
    if not isinstance(encoding, Planar):
        return Layout([PlacedArc(arc.head, arc.dependent, 1) for arc in graph.restricted(encoding.covers(graph))], [])
    null = {(word, plane) for word, planes in enumerate(null_planes(labels), 1) for plane in planes}
    arcs = [
        PlacedArc(arc.head, arc.dependent, plane)
        for plane in range(1, encoding.k + 1)
        for arc in encoding.decode(_alone(labels, plane - 1, encoding.k)).graph
    ]
    arcs.sort(key=lambda arc: (arc.dependent, arc.head, arc.plane))
    return Layout(
        [arc for arc in arcs if (arc.dependent, arc.plane) not in null],
        [arc for arc in arcs if (arc.dependent, arc.plane) in null],
    )


def _arcs_of_labels(encoding: PlanarTree, labels: Labels) -> list[PlacedArc]:
    """What the labels of a tree stand for: a word whose arc is not covered may have another head in them, or none."""
    steps = trace(encoding, [encoding.format(row) for row in labels], stacks=False).steps
    return [arc for step in steps if step.sweep != TREE for arc in step.new_arcs]


def _alone(labels: Labels, plane: int, k: int) -> Labels:
    """The same labels with zeros in every other plane; zeros make no arc."""
    rows = labels.values.reshape(len(labels), k, len(labels.values) // max(len(labels) * k, 1))
    alone = np.zeros_like(rows)
    alone[:, plane] = rows[:, plane]
    return Labels(alone.reshape(-1), labels.offsets, labels.sizes)


def null_planes(labels: Labels) -> list[tuple[int, ...]]:
    """For each word, the planes (from 1) that the labels mark as holding a null arc."""
    if labels.artificial is None:
        return [()] * len(labels)
    marks, ends = labels.artificial.tolist(), labels.offsets.tolist()
    return [tuple(i for i, null in enumerate(marks[a:b], 1) if null) for a, b in zip(ends, ends[1:], strict=False)]
