"""`trees.py` and the table of trees."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from harness.grid import read_grid
from harness.pages.trees import paired
from harness.store import read_results

from arctag.analysis.evaluation import evaluate
from arctag.parsing.loading import load
from tests.experiments.tools import call, context_of, section
from tests.networks import fit, small

pytestmark = pytest.mark.usefixtures("one_thread")
MODELS: dict[str, dict[str, Any]] = {
    "hexatag-0": {"layers": ("tree",), "encoding": "hexatag"},
    "biaffine-0": {"layers": ("tree",), "encoding": "biaffine"},
    "graph-0": {"layers": ("graph",), "encoding": "bits6-2"},
    "both-0": {"layers": ("tree", "graph"), "encoding": "bits6-2"},
}


@pytest.fixture(scope="module")
def folder(one_thread: None, sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some models, and the sample in place of the two test files."""
    folder = tmp_path_factory.mktemp("trees")
    for treebank in ("en_ewt", "en_pud"):
        (folder / treebank).mkdir()
        shutil.copy(sample, folder / treebank / "test.conllu")
    for name, options in MODELS.items():
        fit(small(folder / name, epochs=6, **options))
    return folder


def test_trees_are_scored_in_every_way_and_reported(folder: Path, tiny: Path, tmp_path: Path) -> None:
    models = [folder / name for name in MODELS]
    done = call("trees.py", *models, "--data", folder, "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    results = {result["id"].removeprefix("trees--"): result for result in read_results(tmp_path)}
    files = {name: result["files"]["en_ewt/test.conllu"] for name, result in results.items()}
    assert set(files["hexatag-0"]) == {"labels alone", "verified", "all pairs"}
    assert set(files["biaffine-0"]) == {"all pairs"}
    assert set(files["graph-0"]) == {"from the graph", "elas"}
    assert set(files["both-0"]) == {"labels alone", "verified", "all pairs", "elas"}
    for name, way in (("hexatag-0", "verified"), ("biaffine-0", "all pairs"), ("graph-0", "from the graph")):
        official = evaluate(load(folder / name, "cpu"), folder / "en_ewt" / "test.conllu")["conll"]
        assert files[name][way]["LAS"] == pytest.approx(official["LAS"]["f1"], abs=0.01)
        assert files[name][way]["UAS"] == pytest.approx(official["UAS"]["f1"], abs=0.01)
    page = section("trees", context_of(read_grid(tiny), list(results.values()), tmp_path))
    assert f"| `hexatag` | 1 | {files['hexatag-0']['labels alone']['LAS']:.2f} |" in page
    difference = files["hexatag-0"]["verified"]["LAS"] - files["biaffine-0"]["all pairs"]["LAS"]
    assert f"| `hexatag` | 1 | {difference:+.2f} |" in page


def test_trees_names_of_folders_are_checked(folder: Path, tmp_path: Path) -> None:
    done = call("trees.py", folder, "--data", folder, "--results", tmp_path)
    assert done.returncode == 2
    assert "named after its encoding and its seed" in done.stderr


def test_trees_p_values_are_small_where_one_is_always_better() -> None:
    better, same = ([3] * 50, [2] * 50), ([3, 2] * 25, [2, 3] * 25)
    difference, p_value = paired([better], 200, 100)
    assert (difference, round(p_value * 101)) == (25, 1)
    assert paired([same], 200, 100) == (0, 1)
