"""ELAS and its companions against the official evaluation, run here as an independent program."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest

from arctag import read, write
from arctag.metrics import score
from arctag.transforms.empty_nodes import collapse
from tests.metrics.material import random_conllu, random_text

udeval = pytest.importorskip("udtools.udeval", reason="udtools is not installed: pip install 'arctag[test]'")
SCORES = ("Tokens", "Sentences", "Words", "UAS", "LAS", "ELAS", "EULAS", "CLAS")


def official(gold: str, system: str) -> dict[str, dict[str, float]]:
    """The official figures, in percent; the enhanced ones have no accuracy on aligned words here."""
    loaded = [udeval.load_conllu(io.StringIO(text), "file", {}) for text in (gold, system)]
    found: dict[str, Any] = udeval.evaluate(*loaded)
    return {name: _rounded(found[name]) for name in SCORES}


def _rounded(found: Any) -> dict[str, float]:
    figures = {"precision": found.precision, "recall": found.recall, "f1": found.f1}
    if found.aligned_accuracy is not None:
        figures["aligned"] = found.aligned_accuracy
    return {name: float(f"{100 * value:.2f}") for name, value in figures.items()}


def ours(
    tmp_path: Path, gold: str, system: str, keys: dict[str, dict[str, float]]
) -> dict[str, dict[str, float | None]]:
    """Our figures, those that `keys` has."""
    paths = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    for path, text in zip(paths, (gold, system), strict=True):
        path.write_text(text)
    figures = score(*paths, metric="elas").figures
    return {name: {key: figures[name][key] for key in inner} for name, inner in keys.items()}


@pytest.mark.parametrize("seed", range(150))
def test_elas_equals_the_official_evaluation_on_random_tokens(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    text = random_text(rng)
    gold, system = random_conllu(rng, text), random_conllu(rng, text)
    wanted = official(gold, system)
    assert ours(tmp_path, gold, system, wanted) == wanted


def test_elas_equals_the_official_evaluation_on_a_noised_treebank(tmp_path: Path, shared: Path) -> None:
    collapsed = tmp_path / "collapsed.conllu"
    write(map(collapse, read(shared / "data/en_ewt/dev.conllu")), collapsed)
    gold = collapsed.read_text().split("\n\n")[:400]
    rng = random.Random(1)
    system = ["\n".join(_noised(line, rng) for line in block.splitlines()) for block in gold]
    texts = ["\n\n".join(blocks) + "\n\n" for blocks in (gold, system)]
    wanted = official(texts[0], texts[1])
    assert ours(tmp_path, texts[0], texts[1], wanted) == wanted
    assert 50 < wanted["ELAS"]["f1"] < 95


def _noised(line: str, rng: random.Random) -> str:
    """Change some relations, drop some arcs; heads of the tree stay, so that it stays a tree."""
    columns = line.split("\t")
    if len(columns) != 10 or "-" in columns[0]:
        return line
    if rng.random() < 0.2:
        columns[7] = rng.choice(("obl", "nmod", "case"))
    if rng.random() < 0.2:
        columns[8] = columns[8].split("|")[0].split(":")[0] + ":obl:in"
    return "\t".join(columns)
