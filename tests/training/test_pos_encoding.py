"""Models whose labels count tags: gold ones in training, those of the layer upos in parsing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arctag import read
from arctag.backends.inputs import Tokens
from arctag.blocks.upos import upos_of
from arctag.encodings import Arcs, Labels, encoding
from arctag.encodings.upos import tag_numbers
from arctag.errors import InputError
from arctag.layers.arcs import ArcLayer
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions, Parser
from arctag.training.config import Further
from arctag.transforms import empty_nodes
from tests.exported import export
from tests.networks import arcs_of, fit, graph_layer, small
from tests.places import SAMPLES

pytestmark = pytest.mark.usefixtures("one_thread")
SAMPLE = SAMPLES / "sample.conllu"
LAYERS: dict[str, Any] = {"layers": ("upos", "tree", "graph"), "epochs": 12}
KINDS: dict[str, dict[str, Any]] = {
    "alone": {"encoding": "pos"},
    "joined": {"encoding": "bits6-2,pos"},
    "plain": {"encoding": "pos", "verify": False},
}


@pytest.fixture(scope="module", params=KINDS)
def folder(request: pytest.FixtureRequest, one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp(request.param) / "model"
    fit(small(out, **LAYERS, **KINDS[request.param]))
    return out


def parsed(parser: Parser, layers: Sequence[str] = ("graph", "tree")) -> list[set[tuple[int, int]]]:
    words = [list(sentence.words) for sentence in read(SAMPLE)]
    return arcs_of(list(parser.parse(words, ParseOptions(layers=tuple(layers)))))


def test_pos_model_parses_the_same_when_exported_and_whatever_is_asked(folder: Path) -> None:
    torch = load(folder)
    assert graph_layer(torch).uses[:1] == ("upos",)
    wanted = parsed(torch, ("upos", "tree", "graph"))
    assert sum(map(len, wanted)) > 100
    exported = load(export(folder, "fp32"))
    for parser in (torch, exported):
        assert parsed(parser) == parsed(parser, ("graph",)) == wanted
    assert all(s.column(3) == ["_"] * s.size for s in torch.parse([["She", "sings"]], ParseOptions(layers=("graph",))))


def test_pos_model_learns_labels_of_gold_tags(folder: Path) -> None:
    layer = graph_layer(load(folder))
    sentences = [empty_nodes.drop(sentence) for sentence in read(SAMPLE)]
    number = layer.encodings.index("pos")
    labels = encoding("pos").encode_all(Arcs.of([s.graph for s in sentences], upos_of(sentences)))
    assert set(layer.spaces[number].rows) == set(labels)
    targets = layer.targets(sentences)
    np.testing.assert_array_equal(targets.tags[number], layer.spaces[number].ids(labels))


def test_pos_model_decodes_by_predicted_tags(one_thread: None, tmp_path: Path) -> None:
    """Without other sources of arcs a graph is what the best labels and the predicted tags stand for."""
    parser = fit(small(tmp_path / "m", **LAYERS, encoding="pos", verify=False))
    words = [list(sentence.words) for sentence in read(SAMPLE)]
    found = parser.predict([Tokens(some) for some in words], layers=["graph"])
    assert list(found) == ["upos", "tree", "graph"]  # a tree completes the graph
    layer = parser.config.learned("graph")
    assert isinstance(layer, ArcLayer)
    tags = tag_numbers(found["upos"].cells)
    labels = layer.spaces[0].labels(found["graph"].tag_ids[0], found["graph"].sizes)
    decoded = encoding("pos").decode_all(Labels(labels.values, labels.offsets, labels.sizes, tags=tags))
    np.testing.assert_array_equal(decoded.repairs, found["graph"].repairs)
    np.testing.assert_array_equal(decoded.arcs.heads, found["graph"].heads)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layers": ("graph",)}, "layer graph: encoding pos needs the layer upos beside it"),
        (
            {"layers": ("upos", "tree", "graph"), "also": {"dm": Further(train=(str(SAMPLES / "sample.sdp"),))}},
            "pos needs the UPOS column: sample-01: files of the format sdp have no UPOS column",
        ),
    ],
)
def test_pos_is_refused_without_tags(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        fit(small(tmp_path / "m", encoding="pos", **changes))


def test_pos_may_be_of_one_layer_alone(tmp_path: Path) -> None:
    layers = {"layers": ("upos", "tree", "graph"), "epochs": 1, "layer": {"tree": {"encoding": "pos"}}}
    parser = fit(small(tmp_path / "m", encoding="bits6-4", **layers))
    uses = {layer.name: layer.uses for layer in parser.config.layers}
    assert uses == {"upos": (), "tree": ("upos",), "graph": ("tree",)}
    assert len(list(parser.parse([["She", "sings", "."]], ParseOptions(layers=("tree",))))) == 1
