"""Small networks with fresh weights, and their exported twins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arctag import read
from arctag.backends.inputs import Tokens
from arctag.cli import main
from arctag.layers.predicted import Predicted
from arctag.parsing.parser import Parser
from tests.networks import small
from tests.places import SAMPLES

SENTENCES = [["She", "sings", "."], ["."], ["the", "kettle", "that", "sings", "Unheard-of", "ß" * 90], ["No", "."]]
FRESH: dict[str, dict[str, Any]] = {
    "verified": {"encoding": "bits6-4"},
    "plain": {"encoding": "bits4-2", "verify": False, "relation_head": "concat"},
    "factored": {"encoding": "bits6-2", "tag_head": "factored", "verify": False, "relation_head": "biaffine"},
    "union": {"encoding": "bits6-2,relative,brackets-2", "encoder_layers": 2},
    "baseline": {"encoding": "biaffine"},
    "tuples": {"encoding": "bits4-2", "relation_head": "tuple", "verify": False},
    "lookup": {"encoder": "lookup", "tags": True, "context_layers": 2},
    "words alone": {"encoder": "lookup", "chars": False},
    "no characters": {"chars": False, "tags": True, "arc_scorer": True, "verify": False},
}
"""Every kind of encoder that reads words, of label space and of head."""

Export = Callable[..., Path]


def fresh(out: Path, **changes: Any) -> Path:
    """The folder of a network that has learned nothing."""
    from arctag.training.build import build
    from arctag.training.treebanks import read_treebanks

    config = small(out, **changes).resolved()
    build(config, read_treebanks(config)).parser.save(out)
    return out


def export(folder: Path, precision: str) -> Path:
    """The exported twin of a model folder, beside it."""
    out = folder.with_name(f"{folder.name}-{precision}")
    if not out.exists():
        main(["export", "-m", str(folder), "-o", str(out), "--precision", precision])
    return out


@pytest.fixture(scope="session")
def exports(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Export:
    """The folder of a network of `FRESH` by name: as torch has it, or in a precision."""
    root = tmp_path_factory.mktemp("exports")

    def folder(name: str, precision: str = "") -> Path:
        if not (root / name).exists():
            fresh(root / name, **FRESH[name])
        return export(root / name, precision) if precision else root / name

    return folder


def tokens(sentences: list[list[str]]) -> list[Tokens]:
    return [Tokens(words, ["NOUN"] * len(words)) for words in sentences]


def sample_words() -> list[list[str]]:
    return [list(sentence.words) for sentence in read(SAMPLES / "sample.conllu")]


def predicted(parser: Parser, sentences: list[list[str]], threshold: float = 0.0) -> Predicted:
    found: Predicted = parser.predict(tokens(sentences), threshold)["graph"]
    return found


def assert_alike(one: Predicted, other: Predicted) -> None:
    """The same labelled arcs, and probabilities that differ by rounding alone."""
    for name in ("sizes", "starts", "heads", "dependents", "repairs"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert relations(one) == relations(other)
    for name in ("probabilities", "arc_probabilities", "scores"):
        assert np.allclose(getattr(one, name), getattr(other, name), atol=1e-5), name
    for mine, its in zip(one.tag_ids, other.tag_ids, strict=True):
        assert np.array_equal(mine, its)


def relations(found: Predicted) -> list[tuple[str, ...]]:
    """The relations of each arc by name; their numbers are those of one batch."""
    return [tuple(found.names[number]) for number in found.relations.tolist()]


def each_alone(parser: Parser, sentences: list[list[str]], threshold: float = 0.0) -> list[list[Any]]:
    """The arcs of every sentence parsed for itself, with their exact probabilities."""
    return [arcs(predicted(parser, [words], threshold), 0) for words in sentences]


def arcs(found: Predicted, i: int) -> list[Any]:
    part = slice(found.starts[i], found.starts[i + 1])
    columns = (found.heads, found.dependents, found.probabilities, found.arc_probabilities)
    return list(zip(*(column[part].tolist() for column in columns), relations(found)[part], strict=True))
