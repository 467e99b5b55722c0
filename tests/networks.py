"""Tiny networks for tests, trained once a session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arctag.layers.graphs import GraphLayer
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.sentence import Sentence
from arctag.training.config import Further, TrainConfig
from arctag.training.events import Evaluated, Event, Finished
from tests.places import SAMPLES

if TYPE_CHECKING:
    from arctag.training.loop import Run

SMALL: dict[str, Any] = {
    "layers": ("graph",), "size": 12, "encoder_layers": 1, "word_size": 12, "char_size": 6, "tag_size": 8,
    "tag_hidden": 16, "relation_hidden": 16, "arc_hidden": 16, "min_word_count": 1, "context_size": 8, "dropout": 0.0,
    "word_dropout": 0.05, "batch_tokens": 60, "learning_rate": 0.02, "device": "cpu", "epochs": 8,
}  # fmt: skip

KINDS: dict[str, dict[str, Any]] = {
    "verified": {"encoding": "bits6-4"},
    "plain": {"encoding": "bits4-2", "verify": False, "relation_head": "concat"},
    "null": {"encoding": "bits4-3"},
    "factored": {"encoding": "bits6-2", "tag_head": "factored", "verify": False},
    "union": {"encoding": "bits6-2,relative,brackets-2", "alternatives": 0},
    "baseline": {"encoding": "biaffine", "calibrate": False},  # its arc scorer decides alone
    "collapsed": {"encoding": "hierarchical", "empty": "collapse", "tags": True},
    "sdp": {"encoding": "bits6-4", "train": (str(SAMPLES / "sample.sdp"),), "dev": (str(SAMPLES / "sample.sdp"),)},
}
LAYERED: dict[str, dict[str, Any]] = {
    "full": {"layers": (), "encoding": "bits6-4"},  # all that the sample fills
    "tags": {"layers": ("upos", "lemma")},
    "further": {
        "layers": ("upos", "tree", "graph"),
        "also": {"dm": Further(train=(str(SAMPLES / "sample.sdp"),))},
        "epochs": 4,
    },
}
"""Models of other layers than the graph."""

Models = Callable[[str], Path]


def small(out: Path, **changes: Any) -> TrainConfig:
    """The config of a tiny network for the sample treebank."""
    sample = (str(SAMPLES / "sample.conllu"),)
    return TrainConfig(**{"train": sample, "dev": sample, "output": str(out), **SMALL, **changes})


def as_options(keys: Mapping[str, Any]) -> list[str]:
    """Keys of a config as options of the command line."""
    texts = {key: ",".join(value) if isinstance(value, tuple) else str(value) for key, value in keys.items()}
    return [part for key, text in texts.items() for part in (f"--{key.replace('_', '-')}", text)]


def events(config: TrainConfig, resume: bool = False, force: bool = False) -> list[Event]:
    """All that a training run tells."""
    from arctag.training.loop import train

    return list(train(config, resume, force))


def fit(config: TrainConfig, resume: bool = False) -> Parser:
    """Train to the end."""
    last = events(config, resume)[-1]
    assert isinstance(last, Finished)
    return last.parser


def prepared(config: TrainConfig) -> Run:
    """A run that has read its files and built its network, and has not begun."""
    from arctag.training.loop import Run

    run = Run(config.resolved())
    list(run.prepare())
    return run


def evaluations(told: Sequence[Event]) -> list[Evaluated]:
    return [event for event in told if isinstance(event, Evaluated)]


def graphs(parser: Parser, what: Any, options: ParseOptions | None = None) -> list[list[tuple[int, int, str]]]:
    """The parsed graphs as plain triples."""
    return [list(sentence.graph.triples()) for sentence in parser.parse(what, options)]


def graph_layer(parser: Parser) -> GraphLayer:
    """The layer of its graphs."""
    layer = parser.config.layer("graph")
    assert isinstance(layer, GraphLayer)
    return layer


def arcs_of(sentences: Sequence[Sentence]) -> list[set[tuple[int, int]]]:
    return [set(sentence.graph.arc_set()) for sentence in sentences]


@pytest.fixture(scope="session")
def one_thread() -> None:
    """One thread for torch: two crawl where cores are shared."""
    pytest.importorskip("torch").set_num_threads(1)


@pytest.fixture(scope="session")
def models(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Models:
    """The folder of a trained model by its name in `KINDS` or `LAYERED`; made when first asked for."""
    root = tmp_path_factory.mktemp("models")

    def folder(name: str) -> Path:
        out = root / name
        if not out.exists():
            fit(small(out, **{**KINDS, **LAYERED}[name]))
        return out

    return folder


@pytest.fixture
def parsers(models: Models) -> Callable[[str], Parser]:
    """A fresh parser of a trained model."""
    return lambda name: load(models(name), "cpu")
