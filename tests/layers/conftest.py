"""A tiny model with every kind of layer, trained once a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arctag.parsing.loading import load
from arctag.parsing.parser import Parser
from arctag.training.config import Further, TrainConfig
from tests.networks import fit, small
from tests.places import SAMPLES

UNIVERSAL = ("upos", "xpos", "feats", "lemma", "tree", "graph")
SPACES = "spaces=MISC:SpaceAfter"


def many(out: Path, **changes: Any) -> TrainConfig:
    """All layers of the sample, a key of MISC, and the graphs of another treebank."""
    sdp = (str(SAMPLES / "sample.sdp"),)
    more = {"layers": (*UNIVERSAL, SPACES), "also": {"dm": Further(train=sdp, dev=sdp)}, "tokenizer": False}
    return small(out, **{**more, **changes})


@pytest.fixture(scope="session")
def layered(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of that model."""
    out = tmp_path_factory.mktemp("layers") / "model"
    fit(many(out, epochs=16))
    return out


@pytest.fixture
def parser(layered: Path) -> Parser:
    return load(layered, "cpu")
