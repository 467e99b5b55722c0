"""`planes="best"` leaves out as few arcs as can be."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest

from arctag.encodings import Arcs, Encoding, conflicts
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.graph import Graph
from arctag.testing import every_graph, most_covered, random_graph
from tests.encodings.all_encodings import ALL, label

CASES: dict[str, tuple[Callable[[int], Encoding], conflicts.Conflict]] = {
    "brackets-strict": (lambda k: Brackets(k, "strict", "best"), conflicts.strict_conflict),
    "brackets-relaxed": (lambda k: Brackets(k, "relaxed", "best"), conflicts.relaxed_conflict),
    "bits4": (lambda k: Bits4(k, "best"), conflicts.one_head_conflict),
    "bits6": (lambda k: Bits6(k, "best"), conflicts.one_head_each_way_conflict),
}
BEST = [enc for enc in ALL if getattr(enc, "planes", "") == "best"]


def covered_arcs(enc: Encoding, arcs: Arcs) -> npt.NDArray[np.int64]:
    """How many arcs of each sentence an encoding covers."""
    owner = np.repeat(np.arange(len(arcs)), np.diff(arcs.starts))
    return np.bincount(owner[enc.covers_all(arcs)], minlength=len(arcs))


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("case", CASES)
def test_best_planes_are_optimal_on_every_graph_of_four_words(case: str, k: int) -> None:
    make, conflict = CASES[case]
    covered = covered_arcs(make(k), every_graph(4))
    np.testing.assert_array_equal(covered, most_covered(4, k, conflict))


@pytest.mark.parametrize("enc", BEST, ids=label)
def test_best_planes_never_cover_less_than_greedy(enc: Encoding) -> None:
    random = np.random.default_rng(0)
    arcs = Arcs.of(random_graph(random, int(n), 2.5 / n) for n in random.integers(2, 30, 60))
    greedy = type(enc)(**{**enc.__dict__, "planes": "greedy"})
    assert np.all(covered_arcs(enc, arcs) >= covered_arcs(greedy, arcs))


def test_best_planes_beat_greedy_somewhere() -> None:
    """Otherwise the two tests above would say little."""
    arcs = every_graph(4)
    better = covered_arcs(Bits4(2, "best"), arcs) - covered_arcs(Bits4(2), arcs)
    assert better.max() > 0


def test_best_planes_give_up_on_huge_tangles_without_harm() -> None:
    """Past its budget the search keeps greedy's answer, so a full graph of 25 words ends soon."""
    full = Graph(25, [(head, word, "_") for word in range(1, 26) for head in range(26) if head != word])
    enc = Bits6(2, "best")
    assert enc.covers(full).sum() >= Bits6(2).covers(full).sum()
    assert enc.decode(enc.encode(full)).graph.same_arcs(full.restricted(enc.covers(full)))


def test_most_covered_is_what_a_person_finds() -> None:
    """Of 1→3 and 2→4, which cross, one plane holds one and two hold both."""
    arcs = [(head, word) for word in range(1, 5) for head in range(5) if head != word]
    both = sum(1 << arcs.index(arc) for arc in [(1, 3), (2, 4)])
    assert most_covered(4, 1, conflicts.relaxed_conflict)[both] == 1
    assert most_covered(4, 2, conflicts.relaxed_conflict)[both] == 2
