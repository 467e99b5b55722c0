from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from arctag import Sentence
from arctag.errors import AlignmentError, InputError
from arctag.metrics import METRICS, Counts, compare, score
from tests.metrics.material import corpora, sentence

SDP = METRICS["sdp"]


def rows(correct: list[int], size: int = 10) -> Counts:
    """Counts of sentences with so many correct of `size` labelled dependencies."""
    counts = np.zeros((len(correct), len(SDP.columns)), dtype=np.int64)
    counts[:, SDP.headline.columns[0]] = counts[:, SDP.headline.columns[1]] = size
    counts[:, SDP.headline.columns[2]] = correct
    return counts


def test_bootstrap_difference_is_that_of_the_headline_figures() -> None:
    found = compare(SDP, rows([9, 8, 7]), rows([6, 6, 6]), samples=100)
    assert (found.figure, found.system, found.other) == ("LF", 0.8, 0.6)
    assert found.difference == pytest.approx(0.2)
    assert found.low <= found.difference <= found.high


def test_bootstrap_of_a_constant_difference_has_no_spread() -> None:
    found = compare(SDP, rows([6] * 50), rows([5] * 50), samples=200)
    assert (found.low, found.high) == pytest.approx((0.1, 0.1))
    assert found.p_value == pytest.approx(1 / 201)


def test_bootstrap_interval_is_about_the_one_from_theory() -> None:
    rng = np.random.default_rng(5)
    ours, theirs = rng.integers(0, 11, 400), rng.integers(0, 11, 400)
    found = compare(SDP, rows(ours.tolist()), rows(theirs.tolist()), samples=4000)
    error = np.std(ours - theirs) / 10 / np.sqrt(400)
    assert found.high - found.low == pytest.approx(2 * 1.96 * error, rel=0.1)


def test_bootstrap_swapping_systems_turns_the_sign() -> None:
    ours, theirs = rows([9, 3, 7, 5]), rows([4, 6, 6, 2])
    there, back = compare(SDP, ours, theirs, samples=500), compare(SDP, theirs, ours, samples=500)
    assert (there.difference, there.low, there.high) == pytest.approx((-back.difference, -back.high, -back.low))
    assert there.p_value == back.p_value


def test_bootstrap_is_the_same_again_with_the_same_seed() -> None:
    ours, theirs = rows([9, 3, 7, 5]), rows([4, 6, 6, 2])
    assert compare(SDP, ours, theirs, 500, seed=3) == compare(SDP, ours, theirs, 500, seed=3)
    assert compare(SDP, ours, theirs, 500, seed=3) != compare(SDP, ours, theirs, 500, seed=4)


def test_bootstrap_chunks_hold_every_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = rows([9, 3, 7, 5]), rows([4, 6, 6, 2])
    whole = compare(SDP, ours, theirs, samples=103)
    monkeypatch.setattr("arctag.metrics.bootstrap._CHUNK", 40)
    assert compare(SDP, ours, theirs, samples=103) == whole


def test_bootstrap_leaves_the_counts_as_they_were() -> None:
    ours, theirs = rows([9, 3]), rows([4, 6])
    before = ours.copy(), theirs.copy()
    compare(SDP, ours, theirs, samples=10)
    assert np.array_equal(ours, before[0])
    assert np.array_equal(theirs, before[1])


def test_bootstrap_refuses_counts_that_cannot_be_paired() -> None:
    with pytest.raises(AlignmentError, match="2 and of 3 sentences"):
        compare(SDP, rows([1, 2]), rows([1, 2, 3]))


def test_bootstrap_needs_samples() -> None:
    with pytest.raises(InputError, match="at least 1"):
        compare(SDP, rows([1]), rows([1]), samples=0)


@settings(max_examples=20)
@given(corpora(systems=1))
def test_bootstrap_of_a_system_with_itself_finds_nothing(both: tuple[list[Sentence], ...]) -> None:
    for metric in METRICS.values():
        counts = score(both[0], both[1], metric.name).counts
        found = compare(metric, counts, counts, samples=20)
        assert (found.difference, found.low, found.high, found.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_bootstrap_of_elas_is_in_percent() -> None:
    gold = [sentence("a b", (1, 2, "x"))]
    right, wrong = score(gold, gold).counts, score(gold, [sentence("a b", (1, 2, "y"))]).counts
    assert compare(METRICS["elas"], right, wrong, samples=5).difference == 100.0
