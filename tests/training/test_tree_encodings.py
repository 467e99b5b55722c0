"""Models that learn trees with an encoding for trees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arctag import read
from arctag.encodings import Arcs, tree_names
from arctag.encodings.trees.base import are_trees
from arctag.errors import InputError
from arctag.layers.arcs import ArcLayer
from arctag.parsing.loading import load
from arctag.parsing.parser import ParseOptions
from arctag.training.events import Noticed
from tests.conftest import Run
from tests.exported import export
from tests.networks import events, fit, small
from tests.places import SAMPLES

pytestmark = pytest.mark.usefixtures("one_thread")
SAMPLE = SAMPLES / "sample.conllu"


def trees(folder: Path) -> list[Any]:
    """The trees that a model predicts for the words of the sample."""
    words = [list(sentence.words) for sentence in read(SAMPLE)]
    return [s.tree for s in load(folder).parse(words, ParseOptions(layers=("tree",)))]


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize(
    "name", ["hexatag", "arceager", "covington", "treebits7", "treehierarchical", "treebrackets-2"]
)
def test_tree_encodings_give_trees_and_the_same_when_exported(name: str, verify: bool, tmp_path: Path) -> None:
    fit(small(tmp_path / "m", layers=("tree",), encoding=name, verify=verify, epochs=3))
    found = trees(tmp_path / "m")
    assert are_trees(Arcs.of(found))
    assert [tree.arc_set() for tree in trees(export(tmp_path / "m", "fp32"))] == [tree.arc_set() for tree in found]


def test_tree_encodings_are_learned(tmp_path: Path) -> None:
    fit(small(tmp_path / "m", layers=("tree",), encoding="hexatag", epochs=40))
    gold = [sentence.tree for sentence in read(SAMPLE) if not any(sentence.empty)]
    found = [
        tree for tree, sentence in zip(trees(tmp_path / "m"), read(SAMPLE), strict=True) if not any(sentence.empty)
    ]
    right = sum(len(one.arc_set() & other.arc_set()) for one, other in zip(gold, found, strict=True))
    assert right > 0.9 * sum(map(len, gold))


@pytest.mark.parametrize("name", tree_names())
def test_tree_encodings_are_refused_for_graphs(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        fit(small(tmp_path / "m", layers=("tree", "graph"), encoding=name))
    assert str(caught.value) == (
        "layer graph: sample-02: no tree, and this encoding is for trees only: word 1 has 2 heads (2, 4); "
        f"--layer tree.encoding={name} learns HEAD and DEPREL with it"
    )


def test_tree_encodings_beside_another_for_the_graph(tmp_path: Path) -> None:
    own = {"tree": {"encoding": "hexatag"}}
    fit(small(tmp_path / "m", layers=("tree", "graph"), encoding="bits6-2", layer=own, epochs=1))
    layers = {layer.name: layer for layer in load(tmp_path / "m").config.layers}
    assert [layers[name].encoding for name in ("tree", "graph")] == ["hexatag", "bits6-2"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("verify", [True, False])
def test_tree_encodings_seven_bits_are_picked_by_default(verify: bool, tmp_path: Path) -> None:
    fit(small(tmp_path / "m", layers=("tree",), encoding="auto", verify=verify, epochs=1))
    assert load(tmp_path / "m").config.layer("tree").encoding == "treebits7"  # type: ignore[attr-defined]


def circle(folder: Path) -> str:
    """The sample with a cycle in the HEAD column of its first sentence."""
    text = SAMPLE.read_text(encoding="utf-8").replace("3\tnsubj", "1\tnsubj", 1)
    (folder / "circle.conllu").write_text(text, encoding="utf-8")
    return str(folder / "circle.conllu")


@pytest.mark.parametrize("part", ["train", "dev"])
def test_tree_encodings_cycles_are_named_with_what_to_do(part: str, tmp_path: Path) -> None:
    files: dict[str, Any] = {part: (circle(tmp_path),)}
    wrong = r"layer tree: sample-01: no tree.* is on a cycle; correct HEAD, or use an encoding of graphs: --layer tree"
    with pytest.raises(InputError, match=wrong):
        fit(small(tmp_path / "m", layers=("tree",), encoding="auto", epochs=1, **files))
    fit(small(tmp_path / "m", layers=("tree",), encoding="bits6-4", epochs=1, **files))


def test_tree_encodings_half_filled_columns_are_reported(tmp_path: Path) -> None:
    text = SAMPLE.read_text(encoding="utf-8").replace("3\tnsubj", "_\t_", 1)
    (tmp_path / "half.conllu").write_text(text, encoding="utf-8")
    config = small(tmp_path / "m", layers=(), encoding="bits6-2", epochs=1, train=(str(tmp_path / "half.conllu"),))
    told = [event.text for event in events(config) if isinstance(event, Noticed)]
    assert told[0] == (
        "layer tree: sample-01 has a word without HEAD; every word of every sentence needs one: it is left out"
    )
    with pytest.raises(InputError, match="sample-01 has a word without HEAD"):
        fit(replace(config, layer={"tree": {"encoding": "hexatag"}}, output=str(tmp_path / "n")))


def test_tree_encodings_hints_fit_the_file(tmp_path: Path) -> None:
    sdp = str(SAMPLES / "sample.sdp")
    with pytest.raises(
        InputError, match=r"only: word 1 has no head; use an encoding of graphs: --layer graph.encoding="
    ):
        fit(small(tmp_path / "m", train=(sdp,), dev=(sdp,), layers=("graph",), encoding="hexatag"))
    with pytest.raises(InputError, match="sample-01: there is no tree in sdp files"):
        fit(small(tmp_path / "m", dev=(sdp,), layers=("tree",), encoding="hexatag"))


@pytest.mark.parametrize("verify", [True, False])
def test_tree_encodings_the_baseline_may_be_one_of_the_layers(verify: bool, tmp_path: Path) -> None:
    own = {"tree": {"encoding": "biaffine"}}
    fit(small(tmp_path / "m", layers=("tree", "graph"), encoding="bits6-2", layer=own, verify=verify, epochs=1))
    tree, graph = (load(tmp_path / "m").config.layer(name) for name in ("tree", "graph"))
    assert isinstance(tree, ArcLayer)
    assert isinstance(graph, ArcLayer)
    assert (tree.verify, tree.arc_scorer, tree.relation_head) == (False, True, "biaffine")
    assert (graph.verify, graph.relation_head) == (verify, "product")


def test_tree_encodings_labels_may_stand_beside_the_baseline(tmp_path: Path) -> None:
    own = {"tree": {"encoding": "hexatag"}}
    fit(small(tmp_path / "m", layers=("tree", "graph"), encoding="biaffine", layer=own, epochs=1))
    tree = load(tmp_path / "m").config.layer("tree")
    assert isinstance(tree, ArcLayer)
    assert (tree.verify, tree.arc_scorer, tree.relation_head) == (True, True, "product")


def test_tree_encodings_do_not_pass_files_on_that_have_no_room_for_trees(run: Run, tmp_path: Path) -> None:
    fit(small(tmp_path / "m", layers=("tree",), encoding="hexatag", epochs=1))
    result = run("parse", SAMPLES / "sample.sdp", "-m", tmp_path / "m", "--device", "cpu")
    wanted = "arctag: an SDP file holds a graph, and the model predicts tree: write conllu (--to)\n"
    assert (result.code, result.err, result.out) == (2, wanted, b"")
    assert run("parse", SAMPLES / "sample.sdp", "-m", tmp_path / "m", "--device", "cpu", "--to", "conllu").code == 0
