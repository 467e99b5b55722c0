"""Figure 1 of the paper: eight arcs over six words, and their labels."""

from __future__ import annotations

import pytest

from arctag.encodings import encoding
from arctag.encodings.planes import assign_planes, count_planes
from arctag.graph import Graph

FIRST = [(2, 1), (2, 3), (3, 5), (4, 5), (6, 3), (5, 6)]
SECOND = [(1, 5), (1, 4)]
FIGURE = Graph(6, [(head, dependent, "_") for head, dependent in FIRST + SECOND])


def labels(name: str, **options: str) -> list[str]:
    enc = encoding(name, **options)
    return [enc.format(row) for row in enc.encode(FIGURE)]


def test_figure_absolute() -> None:
    assert labels("absolute") == ["(2)", "()", "(2,6)", "(1)", "(1,3,4)", "(5)"]


def test_figure_relative() -> None:
    assert labels("relative") == ["(1)", "()", "(-1,3)", "(-3)", "(-4,-2,-1)", "(-1)"]


def test_figure_brackets_under_strict_crossing() -> None:
    """The planes drawn in the figure are those of strict crossing, as in the paper's tables.

    The printed label of word 5 is `>>>*`; the `/` of its arc to word 6, whose `>` is printed, was forgotten.
    """
    assert labels("brackets-2", crossing="strict") == ["</*/*", "\\/", "></", ">*/", ">>>*/", "\\>"]


def test_figure_planes_under_strict_crossing() -> None:
    planes = assign_planes(FIGURE, "strict")
    second = {(arc.head, arc.dependent) for arc, plane in zip(FIGURE, planes.tolist(), strict=True) if plane == 1}
    assert second == set(SECOND)


def test_figure_planes_under_relaxed_crossing() -> None:
    """Relaxed, 6→3 may cross the arcs from word 1, and only 3→5 needs a second plane."""
    assert labels("brackets-2") == ["<//", "\\/", "></*", ">/", ">>>*/", "\\>"]
    planes = assign_planes(FIGURE, "relaxed")
    assert [(arc.head, arc.dependent) for arc, plane in zip(FIGURE, planes.tolist(), strict=True) if plane] == [(3, 5)]


@pytest.mark.parametrize("crossing", ["relaxed", "strict"])
def test_figure_needs_two_planes(crossing: str) -> None:
    assert count_planes(FIGURE, "strict" if crossing == "strict" else "relaxed") == 2


@pytest.mark.parametrize(("name", "covered"), [("bits4-2", 7), ("bits4-3", 8), ("bits6-2", 7), ("bits6-3", 8)])
def test_figure_word_five_needs_a_plane_for_each_of_its_heads(name: str, covered: int) -> None:
    """Word 5 has three heads to its left: three planes for either bit encoding."""
    assert encoding(name).covers(FIGURE).sum() == covered


def test_figure_bits4_arc_from_four_to_five_is_in_the_third_plane() -> None:
    """As the paper's figure 2 has it, although the arc crosses nothing."""
    enc = encoding("bits4-3")
    nulls = enc.encode(FIGURE).artificial
    assert nulls is not None
    assert nulls.reshape(6, 3)[4].tolist() == [False, False, False]
    without = FIGURE.restricted(~((FIGURE.heads == 4) & (FIGURE.dependents == 5)))
    others = enc.encode(without).artificial
    assert others is not None
    assert others.reshape(6, 3)[4].tolist() == [False, False, True]


def test_figure_bits6_lets_both_directions_share_a_pair() -> None:
    """2→3 and 6→3 share a dependent but not a direction: both are in the first pair."""
    word_three = labels("bits6-3")[2].split(".")[0]
    assert word_three[0] == word_three[3] == "1"
