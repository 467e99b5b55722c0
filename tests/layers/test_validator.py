"""What a model of all layers writes passes the validator of Universal Dependencies, however bad the model is."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arctag.formats import read, write
from arctag.parsing.parser import ParseOptions, Parser
from tests.networks import LAYERED, prepared, small

udtools = pytest.importorskip("udtools", reason="udtools is not installed: pip install 'arctag[test]'")
ROOTS = {"0-is-not-root", "root-is-not-0", "enhanced-0-is-not-root", "enhanced-root-is-not-0"}
Careless = Callable[..., Parser]
SENTENCES = ["a", "a b", "She wants to leave .", *(f"{'the dog that ' * n}barks ( loudly ) !" for n in range(1, 12))]


@pytest.fixture
def careless(one_thread: None, tmp_path: Path) -> Careless:
    """A model whose weights are chance: what it predicts is as bad as can be."""

    def made(seed: int, **changes: Any) -> Parser:
        import torch

        from arctag.backends.torch.backend import TorchBackend

        parser = prepared(small(tmp_path / str(seed), **{**LAYERED["full"], **changes}, seed=seed)).parser
        assert isinstance(parser.backend, TorchBackend)
        with torch.no_grad():
            for weights in parser.backend.model.parameters():
                weights.copy_(torch.randn(weights.shape) * 2)
        return parser

    return made


def faults(path: Path, level: int) -> set[str]:
    """What the validator finds, apart from what only raw text or a name would have."""
    state = udtools.Validator(lang="ud", level=level, output=io.StringIO()).validate_files([str(path)])
    return {incident.testid for incident in state.error_tracker} - {"missing-text", "missing-sent-id"}


@pytest.mark.parametrize(
    "changes",
    [{}, {"encoding": "biaffine"}, {"encoding": "bits4-3", "verify": False},
     {"encoding": "hierarchical", "empty": "collapse"}],
    ids=["labels", "baseline", "null", "paths"],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_even_chance_is_valid(careless: Careless, seed: int, changes: dict[str, Any], tmp_path: Path) -> None:
    out = tmp_path / "out.conllu"
    options = ParseOptions(ensure=("connected",))  # the sample is too small to show that all graphs are
    write(careless(seed, **changes).parse([words.split() for words in SENTENCES], options), out)
    assert not faults(out, level=2)
    assert not faults(out, level=3) & ROOTS
    for sentence in read(out):
        assert sorted(sentence.column(6)).count("0") == 1
