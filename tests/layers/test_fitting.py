"""Fitted weights are those of highest likelihood: found by a slow search, too, and true to how examples were made."""

from __future__ import annotations

import numpy as np
import pytest

from arctag.layers.fitting import Examples, fit_choice, fit_each


def made(seed: int, count: int = 4000) -> Examples:
    """Examples whose log-odds are 2 * first - 1 * second + 0.5."""
    random = np.random.default_rng(seed)
    evidence = np.column_stack([random.normal(size=(count, 2)), np.ones(count)])
    right = random.random(count) < 1 / (1 + np.exp(-evidence @ [2, -1, 0.5]))
    return Examples(evidence, right, np.arange(0, count, 4))


def test_fitting_each_finds_the_weights_that_made_the_examples() -> None:
    assert fit_each(made(0), (1.0, 0.0, 0.0)) == pytest.approx((2, -1, 0.5), abs=0.2)


def test_fitting_choice_finds_the_weights_that_made_the_examples() -> None:
    random = np.random.default_rng(1)
    evidence = random.normal(size=(4000, 5, 2))
    scores = evidence @ [1.5, -0.7] + random.gumbel(size=(4000, 5))  # the highest of these is drawn from a softmax
    right = scores == scores.max(1, keepdims=True)
    found = fit_choice(Examples(evidence.reshape(-1, 2), right.ravel(), np.arange(0, 20_000, 5)), (1.0, 0.0))
    assert found == pytest.approx((1.5, -0.7), abs=0.1)


def test_fitting_is_a_maximum() -> None:
    examples = made(2, 400)

    def value(weights: np.ndarray) -> float:
        scores = examples.evidence @ weights
        likely = -np.logaddexp(0, np.where(examples.right, -scores, scores)).sum()
        return float(likely - ((weights - [1, 0, 0]) ** 2).sum() / 2)

    found = np.array(fit_each(examples, (1.0, 0.0, 0.0)))
    for step in 0.01 * np.vstack([np.eye(3), -np.eye(3)]):
        assert value(found + step) < value(found)


def test_fitting_few_examples_change_little() -> None:
    few = Examples(np.array([[3.0, 1.0]]), np.array([True]), np.array([0]))
    assert fit_each(few, (1.0, 0.0)) == pytest.approx((1.0, 0.0), abs=0.2)
    none = Examples(np.zeros((0, 2)), np.zeros(0, np.bool_), np.zeros(0, np.int64))
    assert fit_each(none, (1.0, 0.0)) == (1.0, 0.0)
    assert fit_choice(none, (1.0, 0.0)) == (1.0, 0.0)


def test_fitting_choice_passes_over_words_without_a_right_arc() -> None:
    evidence = np.array([[1.0], [0.0], [5.0], [-5.0]])
    both = Examples(evidence, np.array([True, False, False, False]), np.array([0, 2]))
    one = Examples(evidence[:2], np.array([True, False]), np.array([0]))
    assert fit_choice(both, (1.0,)) == pytest.approx(fit_choice(one, (1.0,)))


def test_fitting_separable_examples_end() -> None:
    evidence = np.array([[100.0], [-100.0]] * 50)
    (weight,) = fit_each(Examples(evidence, np.array([True, False] * 50), np.arange(100)), (0.0,))
    assert 0 < weight < 1


def test_fitting_examples_are_joined_with_their_words() -> None:
    one, other = made(3, 8), made(4, 4)
    joined = Examples.joined([one, other])
    assert joined.starts.tolist() == [0, 4, 8]
    assert np.array_equal(joined.evidence, np.concatenate([one.evidence, other.evidence]))
