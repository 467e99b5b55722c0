"""Guarantees on random arcs: they hold, and nothing is changed without need."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag.errors import UnknownName
from arctag.graph import Graph
from arctag.transforms import acyclic
from arctag.transforms.acyclic import Acyclic
from arctag.transforms.guarantees import GUARANTEES, Weighted, check_names, ensure, entries, without_cycles
from tests.steps import steps

CHOICES = [names for size in range(len(GUARANTEES) + 1) for names in itertools.combinations(GUARANTEES, size)]


@st.composite
def weighted(draw: st.DrawFn, most: int = 7) -> tuple[int, list[Weighted]]:
    n = draw(st.integers(0, most))
    pairs = st.tuples(st.integers(0, n), st.integers(1, n)) if n else st.nothing()
    chosen = draw(st.lists(pairs, unique=True, max_size=14)) if n else []
    return n, [Weighted(h, d, draw(st.sampled_from([0.1, 0.5, 0.9]))) for h, d in chosen]


def is_acyclic(n: int, arcs: list[Weighted]) -> bool:
    """Words without heads left are taken away until none is left; a cycle never goes."""
    left = {(arc.head, arc.dependent) for arc in arcs if arc.head}
    words = set(range(1, n + 1))
    while free := words - {dependent for _, dependent in left}:
        words -= free
        left = {(head, dependent) for head, dependent in left if head in words}
    return not words


def below_the_root(pairs: set[tuple[int, int]]) -> set[int]:
    """The words that a way leads to from the root."""
    found = {0}
    while new := {dependent for head, dependent in pairs if head in found} - found:
        found |= new
    return found - {0}


def reaches(pairs: set[tuple[int, int]], start: int, goal: int) -> bool:
    found = {start}
    while new := {dependent for head, dependent in pairs if head in found} - found:
        found |= new
    return goal in found


@given(weighted(), st.sampled_from(CHOICES))
def test_ensure_guarantees_hold(given: tuple[int, list[Weighted]], names: tuple[str, ...]) -> None:
    n, arcs = given
    kept, added = ensure(n, arcs, names)
    together = [*kept, *added]
    assert set(kept) <= set(arcs)
    assert len({(arc.head, arc.dependent) for arc in together}) == len(together)
    assert all(0 <= arc.head <= n and 1 <= arc.dependent <= n for arc in together)
    if "acyclic" in names:
        assert is_acyclic(n, together)
    if n and set(names) - {"acyclic"}:
        assert any(arc.head == 0 for arc in together)
    if "connected" in names:
        assert below_the_root({(arc.head, arc.dependent) for arc in together}) == set(range(1, n + 1))
    if "attached" in names:
        assert {arc.dependent for arc in together} == set(range(1, n + 1))


@given(weighted(), st.sampled_from(CHOICES))
def test_ensure_leaves_alone_what_already_holds(given: tuple[int, list[Weighted]], names: tuple[str, ...]) -> None:
    n, arcs = given
    kept, added = ensure(n, arcs, names)
    assert ensure(n, [*kept, *added], names) == ([*kept, *added], [])
    if "acyclic" not in names or is_acyclic(n, arcs):
        assert kept == arcs


@given(weighted(), st.sampled_from(["attached", "connected"]))
def test_ensure_added_arcs_close_no_new_cycle(given: tuple[int, list[Weighted]], name: str) -> None:
    n, arcs = given
    if is_acyclic(n, arcs):
        kept, added = ensure(n, arcs, (name,))
        assert is_acyclic(n, [*kept, *added])


@given(weighted(most=4))
def test_ensure_connected_adds_the_fewest_arcs(given: tuple[int, list[Weighted]]) -> None:
    n, arcs = given
    added = ensure(n, arcs, ("connected",))[1]
    pairs = {(arc.head, arc.dependent) for arc in arcs}
    possible = {(head, dependent) for head in range(n + 1) for dependent in range(1, n + 1)} - pairs
    for fewer in itertools.combinations(sorted(possible), len(added) - 1) if added else ():
        assert len(below_the_root(pairs | set(fewer))) < n


@given(weighted())
def test_ensure_cycles_lose_the_same_arcs_as_by_looking_for_each_way(given: tuple[int, list[Weighted]]) -> None:
    n, arcs = given
    kept: set[tuple[int, int]] = set()
    for arc in sorted(arcs, key=lambda arc: (arc.probability, arc.dependent, arc.head), reverse=True):
        if not reaches(kept, arc.dependent, arc.head):
            kept.add((arc.head, arc.dependent))
    assert without_cycles(n, arcs) == [arc for arc in arcs if (arc.head, arc.dependent) in kept]


@given(weighted(), st.integers(1, 3))
def test_ensure_cycles_are_found_where_places_run_out(given: tuple[int, list[Weighted]], gap: int) -> None:
    n, arcs = given
    wide = Acyclic(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(acyclic, "_GAP", gap)
        narrow = Acyclic(n)
        taken = [narrow.add(arc.head, arc.dependent) for arc in arcs]
    assert taken == [wide.add(arc.head, arc.dependent) for arc in arcs]


def test_ensure_word_above_the_top_is_attached_to_the_root() -> None:
    arcs = [Weighted(0, 1, 0.9), Weighted(2, 1, 0.8)]
    assert ensure(2, arcs, ("attached", "acyclic")) == (arcs, [Weighted(0, 2, 0.0)])


def test_ensure_cycle_loses_its_least_probable_arc() -> None:
    arcs = [Weighted(1, 2, 0.9), Weighted(2, 3, 0.2), Weighted(3, 1, 0.8), Weighted(0, 3, 0.1)]
    assert without_cycles(3, arcs) == [arcs[0], arcs[2], arcs[3]]


def test_ensure_self_loops_are_cycles() -> None:
    assert without_cycles(1, [Weighted(1, 1, 0.9)]) == []


def test_ensure_top_prefers_a_headless_word_with_dependents() -> None:
    arcs = [Weighted(3, 1, 0.9), Weighted(3, 2, 0.9), Weighted(1, 4, 0.9)]
    assert ensure(4, arcs, ("top",))[1] == [Weighted(0, 3, 0.0)]


def test_ensure_connected_enters_a_cycle_at_its_centre() -> None:
    arcs = [Weighted(0, 1, 0.9), Weighted(2, 3, 0.9), Weighted(3, 2, 0.9), Weighted(3, 4, 0.9), Weighted(4, 5, 0.9)]
    assert ensure(5, arcs, ("connected",)) == (arcs, [Weighted(1, 3, 0.0)])


def test_ensure_connected_attaches_to_the_likeliest_top() -> None:
    arcs = [Weighted(0, 1, 0.3), Weighted(0, 2, 0.8)]
    assert ensure(4, arcs, ("connected",)) == (arcs, [Weighted(2, 3, 0.0), Weighted(2, 4, 0.0)])


def test_ensure_entries_come_with_the_likeliest_top_first() -> None:
    assert entries([[], [], [], [1, 2], [2]]) == [3, 4]
    assert entries([[3, 4], [], [], [1, 2], [2]]) == []


def test_ensure_large_graphs_are_little_work() -> None:
    n, chance = 5_000, random.Random(1)
    pairs = {(chance.randrange(n + 1), chance.randrange(1, n + 1)) for _ in range(3 * n)}
    arcs = [Weighted(head, dependent, chance.random()) for head, dependent in sorted(pairs)]
    assert steps(lambda: ensure(n, arcs, tuple(GUARANTEES))) < 5_000 * n  # a look at all words per arc would be more
    kept, added = ensure(n, arcs, tuple(GUARANTEES))
    together = [(arc.head, arc.dependent) for arc in (*kept, *added)]
    assert not Graph(n, ((head, dependent, "_") for head, dependent in together)).cyclic
    assert len(below_the_root(set(together))) == n


def test_ensure_long_cycles_are_no_recursion() -> None:
    n = 20_000
    arcs = [Weighted(i, i % n + 1, 0.5) for i in range(1, n + 1)]
    assert len(without_cycles(n, arcs)) == n - 1


def test_ensure_every_possible_arc_takes_no_ages() -> None:
    n = 100
    arcs = [Weighted(h, d, (7 * h + 3 * d) % 11 / 11) for h in range(n + 1) for d in range(1, n + 1)]
    kept = without_cycles(n, arcs)
    assert len(kept) == n + n * (n - 1) // 2  # one arc of each pair
    assert is_acyclic(n, kept)


def test_ensure_unknown_guarantee_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="Known: acyclic, attached, connected, top"):
        check_names(("top", "projective"))
