"""Calibration: a trained model weighs all evidence for arcs, unless there is nothing to fit the weights to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arctag.layers.arcs import ArcLayer
from arctag.layers.evidence import scorer_alone
from arctag.layers.fitting import Examples
from arctag.parsing.loading import load
from arctag.parsing.parser import Parser
from arctag.training import calibration
from arctag.training.dataset import Dataset
from arctag.training.treebanks import read_treebank
from tests.networks import fit, small

pytestmark = pytest.mark.usefixtures("one_thread")


def arc_layers(parser: Parser) -> list[ArcLayer]:
    return [layer for layer in parser.config.networks if isinstance(layer, ArcLayer)]


@pytest.mark.parametrize(
    "options", [{"layers": ("tree", "graph")}, {"encoding": "biaffine"}], ids=["tagger", "biaffine"]
)
def test_calibration_gives_weights_that_fit_the_development_file(
    tmp_path: Path, sample: Path, options: dict[str, Any]
) -> None:
    fit(small(tmp_path / "m", epochs=3, **options))
    parser = load(tmp_path / "m", "cpu")
    data = Dataset.of(arc_layers(parser), read_treebank([str(sample)], "drop"))
    for layer in arc_layers(parser):
        found = Examples.joined(list(calibration._examples(parser, layer, data, 100)))
        assert layer.fitted(found).weights == pytest.approx(layer.weights, abs=1e-2)  # in batches of another size
        assert likelihood(layer, found) > likelihood(replace(layer, weights=scorer_alone(layer.evidence)), found)


def likelihood(layer: ArcLayer, examples: Examples) -> float:
    """Of what is right: of each arc by itself, or among the arcs of its word."""
    scores = examples.evidence @ layer.weights
    if not layer.one_head:
        return float(-np.logaddexp(0, np.where(examples.right, -scores, scores)).sum())
    sizes = np.diff(examples.starts, append=len(scores))
    sums = np.log(np.add.reduceat(np.exp(scores), examples.starts))
    return float((scores - np.repeat(sums, sizes))[examples.right].sum())


@pytest.mark.parametrize(
    "options",
    [{"calibrate": False}, {"dev": ()}, {"verify": False}, {"relation_head": "tuple"}],
    ids=["off", "no development file", "plain", "tuples"],
)
def test_calibration_is_left_out(tmp_path: Path, options: dict[str, Any]) -> None:
    parser = fit(small(tmp_path / "m", epochs=1, **options))
    assert [layer.weights for layer in arc_layers(parser)] == [()]


def test_calibration_uses_a_limited_number_of_words(
    tmp_path: Path, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = fit(small(tmp_path / "m", epochs=1))
    (layer,) = arc_layers(parser)
    data = Dataset.of([layer], read_treebank([str(sample)], "drop"))
    monkeypatch.setattr(calibration, "_MOST_WORDS", 20)
    few = Examples.joined(list(calibration._examples(parser, layer, data, 100)))
    monkeypatch.undo()
    many = Examples.joined(list(calibration._examples(parser, layer, data, 100)))
    assert 0 < len(few.right) < len(many.right) / 4
