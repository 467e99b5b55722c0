"""Which encoding is picked: the rule, and what it says of real treebanks."""

from __future__ import annotations

import pytest

from arctag.encodings import Arcs
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.recommendation import best_encoding, choose, oracle_f
from arctag.formats import read
from arctag.graph import Graph
from arctag.transforms import empty_nodes
from tests.places import SHARED

DATA = SHARED / "data"


def test_recommendation_takes_the_first_that_covers_enough() -> None:
    known = {"bits6-2": 99.2, "bits6-4": 99.89, "brackets-3": 99.95, "hierarchical": 100.0}
    assert choose(known.get) == "brackets-3"
    assert choose({**known, "bits6-4": 99.9}.get) == "bits6-4"
    assert choose(known.get, verify=False) == "bits6-2"
    assert choose({**known, "bits6-2": 98.0}.get, verify=False) == "brackets-3"
    assert choose({**known, "brackets-3": 99.0}.get) == "hierarchical"
    assert choose({"hierarchical": 100.0}.get) is None  # it depends on others


def test_recommendation_oracle() -> None:
    assert oracle_f(0, 0) == 100
    assert oracle_f(1, 3) == 50


def test_recommendation_graph_that_only_hierarchical_brackets_take() -> None:
    # every word of the first half has an arc to every word of the second: crossing arcs all over
    arcs = [(head, dependent, "x") for head in range(1, 9) for dependent in range(9, 17)]
    assert best_encoding(EncodedGraphs(Arcs.of([Graph(16, arcs)]))) == "hierarchical"


@pytest.mark.skipif(not DATA.exists(), reason="needs the treebanks in ../shared/data")
@pytest.mark.parametrize(
    ("file", "verified", "plain"),
    [
        ("iwpt_ta/train.conllu", "bits6-4", "bits6-2"),
        ("iwpt_sk/lowres/train.conllu", "bits6-4", "bits6-2"),
        ("deep_sequoia/train.sdp", "bits6-4", "bits6-2"),
        ("dm_wescience/train.sdp", "brackets-3", "brackets-3"),
        ("sentiment_eu/train.conllu", "bits6-4", "bits6-2"),
    ],
)
def test_recommendation_of_real_treebanks(file: str, verified: str, plain: str) -> None:
    graphs = EncodedGraphs(Arcs.of([empty_nodes.drop(sentence).graph for sentence in read(DATA / file)]))
    assert (best_encoding(graphs), best_encoding(graphs, verify=False)) == (verified, plain)
