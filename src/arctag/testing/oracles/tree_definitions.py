"""Labels of trees from the definition of each encoding."""

from __future__ import annotations

from collections.abc import Callable

from arctag.encodings.conflicts import Arc, one_head_conflict
from arctag.encodings.labels import LabelRow
from arctag.testing.oracles.definitions import Definition
from arctag.testing.oracles.planes import bit_planes

TreeDefinition = Callable[[list[int]], list[LabelRow]]
"""The head of each word of a sentence → one row per word."""


def as_graph(definition: Definition) -> TreeDefinition:
    """The labels of a tree are those of a graph with the same arcs."""
    return lambda heads: definition(len(heads), _arcs(heads))


def _arcs(heads: list[int]) -> list[Arc]:
    return [(head, word) for word, head in enumerate(heads, 1)]


def bits7(heads: list[int]) -> list[LabelRow]:
    """A row is one number, whose seven bits are b0 (the highest) to b6."""
    first, second = bit_planes(_arcs(heads), 2, one_head_conflict)
    left_out = set(_arcs(heads)) - {*first, *second}
    planes = [[*first, *((word - 1, word) for _, word in left_out)], second]
    return [(_seven_bits(word, planes),) for word in range(1, len(heads) + 1)]


def _seven_bits(word: int, planes: list[list[Arc]]) -> int:
    """Head to the left; plane; farthest dependent there; for each plane, dependents to the left, to the right."""
    [(head, number)] = [
        (h, number) for number, plane in enumerate(planes) for h, dependent in plane if dependent == word
    ]
    siblings = [other for h, other in planes[number] if h == head and (other > head) == (word > head)]
    farthest = all(abs(other - head) <= abs(word - head) for other in siblings)
    text = f"{head < word:b}{number}{farthest:b}"
    for plane in planes:
        dependents = [dependent for h, dependent in plane if h == word]
        text += f"{any(other < word for other in dependents):b}{any(other > word for other in dependents):b}"
    return int(text, 2)
