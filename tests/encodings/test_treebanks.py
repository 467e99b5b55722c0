"""Encodings on real treebanks: every sentence comes back, and label counts are the known ones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from arctag import read
from arctag.encodings import Arcs, encoding
from arctag.testing.compare import expect_round_trip
from arctag.transforms import empty_nodes
from tests.encodings.all_encodings import names


@cache
def treebank(path: Path) -> Arcs:
    return Arcs.of(empty_nodes.drop(sentence).graph for sentence in read(path))


@pytest.mark.parametrize(
    ("file", "labels"),
    [
        ("iwpt_sk/test.conllu", 113),
        ("iwpt_fi/test.conllu", 220),
        ("iwpt_ta/train.conllu", 27),
        ("en_ewt/train.conllu", 282),
    ],
)
def test_hierarchical_covers_treebanks_with_few_labels(file: str, labels: int, shared: Path) -> None:
    arcs = treebank(shared / "data" / file)
    enc = encoding("hierarchical")
    assert np.all(enc.covers_all(arcs))
    assert len(set(expect_round_trip(enc, arcs))) == labels


@pytest.mark.parametrize("name", names(1, 2, 4))
@pytest.mark.parametrize("file", ["iwpt_sk/test.conllu", "dm_wescience/dev.sdp", "deep_sequoia/test.sdp"])
def test_treebanks_round_trip(file: str, name: str, shared: Path) -> None:
    expect_round_trip(encoding(name), treebank(shared / "data" / file))


@pytest.mark.parametrize("file", ["iwpt_sk/test.conllu", "dm_wescience/dev.sdp"])
def test_more_planes_cover_more(file: str, shared: Path) -> None:
    arcs = treebank(shared / "data" / file)
    for family in ("brackets", "bits4", "bits6"):
        covered = [int(encoding(f"{family}-{k}").covers_all(arcs).sum()) for k in range(1, 7)]
        assert covered == sorted(covered)


@pytest.mark.parametrize("file", ["iwpt_sk/test.conllu", "dm_wescience/dev.sdp"])
def test_relaxed_crossing_covers_at_least_what_strict_does(file: str, shared: Path) -> None:
    arcs = treebank(shared / "data" / file)
    relaxed, strict = (encoding("brackets-2", crossing=c).covers_all(arcs).sum() for c in ("relaxed", "strict"))
    assert relaxed > strict
