"""`elas` and `conll` against the official evaluation, run here as an independent program."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arctag import read, write
from arctag.metrics import score
from arctag.metrics.conll import ConllMetric
from arctag.metrics.tags import UNIVERSAL
from arctag.metrics.tree_scores import CONTENT, FUNCTION
from arctag.transforms.empty_nodes import collapse
from tests.metrics.damage import Rows, damaged, rows_of, text_of
from tests.metrics.material import random_conllu, random_text
from tests.places import SAMPLES

udeval = pytest.importorskip("udtools.udeval", reason="udtools is not installed: pip install 'arctag[test]'")
Figures = dict[str, dict[str, float | None]]
TREEBANKS = ("en_ewt/dev.conllu", "en_pud/test.conllu", "iwpt_fi/test.conllu", "iwpt_sk/test.conllu",
             "iwpt_ta/test.conllu")  # fmt: skip


def official(gold: str, system: str) -> Figures:
    """The official figures, in percent; the enhanced ones have no accuracy on aligned words here."""
    loaded = [udeval.load_conllu(io.StringIO(text), "file", {"multiple_roots_okay": True}) for text in (gold, system)]
    found: dict[str, Any] = udeval.evaluate(*loaded)
    return {name: _rounded(value) for name, value in found.items()}


def _rounded(found: Any) -> dict[str, float | None]:
    figures = {"precision": found.precision, "recall": found.recall, "f1": found.f1}
    if found.aligned_accuracy is not None:
        figures["aligned"] = found.aligned_accuracy
    return {name: float(f"{100 * value:.2f}") for name, value in figures.items()}


def check(folder: Path, gold: str, system: str) -> Figures:
    """The figures of `conll` are the official ones, and those of `elas` are some of them."""
    wanted = official(gold, system)
    paths = folder / "gold.conllu", folder / "system.conllu"
    for path, text in zip(paths, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    figures = score(*paths, metric="conll").figures
    assert figures.keys() == wanted.keys()
    assert {name: {key: figures[name][key] for key in inner} for name, inner in wanted.items()} == wanted
    assert score(*paths, metric="elas").figures.items() <= figures.items()
    return wanted


def collapsed(path: Path, folder: Path) -> list[Rows]:
    """The sentences of a treebank, their empty nodes collapsed, as the official evaluation wants them."""
    write(map(collapse, read(path)), folder / "collapsed.conllu")
    return rows_of((folder / "collapsed.conllu").read_text(encoding="utf-8"))


def test_official_names() -> None:
    assert UNIVERSAL == udeval.UNIVERSAL_FEATURES
    assert CONTENT == udeval.CONTENT_DEPRELS
    assert FUNCTION == udeval.FUNCTIONAL_DEPRELS


@pytest.mark.parametrize("seed", range(150))
def test_official_figures_of_random_tokens(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    text = random_text(rng)
    check(tmp_path, random_conllu(rng, text), random_conllu(rng, text))


@pytest.fixture(scope="module")
def sample_rows(tmp_path_factory: pytest.TempPathFactory) -> list[Rows]:
    return collapsed(SAMPLES / "sample.conllu", tmp_path_factory.mktemp("sample"))


@given(st.integers(0, 2**32), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_official_figures_of_a_damaged_sample(
    tmp_path_factory: pytest.TempPathFactory,
    sample_rows: list[Rows],
    seed: int,
    gold: float,
    system: float,
    roots: bool,
) -> None:
    rng = random.Random(seed)
    texts = [text_of(damaged(sample_rows, rng, rate, roots=roots)) for rate in (gold, system)]
    check(tmp_path_factory.mktemp("damaged"), texts[0], texts[1])


@pytest.mark.parametrize("name", TREEBANKS)
def test_official_figures_of_a_damaged_treebank(tmp_path: Path, shared: Path, name: str) -> None:
    gold = collapsed(shared / "data" / name, tmp_path)[:300]
    system = damaged(gold, random.Random(1), 0.4)
    figures = check(tmp_path, text_of(gold), text_of(system))
    for score_name in ConllMetric.scores:  # each fault was there, and none was everywhere
        assert 0 < (figures[score_name]["f1"] or 0) < 100
