"""Several treebanks and several layers: what is learned from which, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from arctag import read, write
from arctag.errors import InputError, UnknownName
from arctag.training import loop
from arctag.training.config import Further
from arctag.training.treebanks import read_treebanks
from tests.networks import evaluations, events, prepared, small
from tests.places import SAMPLES

pytestmark = pytest.mark.usefixtures("one_thread")
CONLLU, SDP = str(SAMPLES / "sample.conllu"), str(SAMPLES / "sample.sdp")
ALL = ("upos", "xpos", "feats", "lemma", "tree", "graph")


def further(**changes: Any) -> dict[str, Further]:
    return {"dm": Further(**{"train": (SDP,), "dev": (SDP,), **changes})}


def run_of(out: Path, **changes: Any) -> loop.Run:
    return prepared(small(out, **{"layers": ("upos", "graph"), "also": further(), **changes}))


def test_treebanks_fill_layers(tmp_path: Path) -> None:
    (main,) = read_treebanks(small(tmp_path, layers=()))
    assert tuple(main.layers) == ALL
    (graphs,) = read_treebanks(small(tmp_path, layers=(), train=(SDP,), dev=()))
    assert tuple(graphs.layers) == ("graph",)
    main, other = read_treebanks(small(tmp_path, layers=("upos",), also=further(repeat=3)))
    assert (tuple(main.layers), tuple(other.layers), other.repeat) == (("upos",), ("dm",), 3)


def test_treebanks_batch_trains_only_its_layers(tmp_path: Path) -> None:
    run = run_of(tmp_path / "m")
    names = run.parser.config.names[:3]
    assert names == ("upos", "graph", "dm")
    for part, layers in ((0, {"upos", "graph"}), (1, {"dm"})):
        batch = next(batch for batch in run._batches(1) if batch[0] == part)
        run.optimizer.zero_grad(set_to_none=True)
        run._backward([batch], 1)
        trained = {name for name in names if any(p.grad is not None for p in run.model.head(name).parameters())}
        assert trained == layers
        assert all(p.grad is not None for p in run.model.encoder.parameters() if p.requires_grad)


def test_treebanks_are_mixed_and_repeated(tmp_path: Path) -> None:
    run = run_of(tmp_path / "m", also=further(repeat=2))
    epochs = [run._batches(epoch) for epoch in (1, 2)]
    for batches in epochs:
        seen = [sorted(i for part, chosen in batches if part == number for i in chosen) for number in (0, 1)]
        assert seen == [list(range(34)), sorted([*range(18), *range(18)])]
        order = [part for part, _ in batches]
        assert order != sorted(order)
    assert epochs[0] != epochs[1]
    assert run._batches(1) == epochs[0]


def test_treebanks_each_is_scored_on_its_own_files(tmp_path: Path) -> None:
    told = evaluations(
        events(small(tmp_path / "m", layers=("upos", "graph"), also=further(), epochs=2, tokenizer=False))
    )
    assert {name.split(".")[0] for name in told[-1].scores} == {"upos", "graph", "dm"}
    assert told[0].loss > told[1].loss


@pytest.mark.parametrize(("select", "wanted"), [("", [40.0, 35.0]), ("upos", [50.0, 60.0]), ("graph", [30.0, 10.0])])
def test_treebanks_best_model_by_the_mean_or_by_one_layer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, select: str, wanted: list[float]
) -> None:
    from arctag.training.dev_scores import Scores

    found = iter([(50.0, 30.0), (60.0, 10.0)])

    def scripted(_: loop.Run) -> Scores:
        upos, graph = next(found)
        return Scores({}, {"upos": {"accuracy": upos}, "graph": {"LF": graph, "UF": 99.0}})

    monkeypatch.setattr(loop.Run, "_evaluate", scripted)
    told = evaluations(events(small(tmp_path / "m", layers=("upos", "graph"), select=select, epochs=2)))
    assert [event.best for event in told] == [True, wanted[1] > wanted[0]]
    assert told[0].scores == {"upos.accuracy": 50.0, "graph.LF": 30.0, "graph.UF": 99.0}


def test_treebanks_weights_of_layers(tmp_path: Path) -> None:
    def first(**layer: dict[str, Any]) -> float:
        run = run_of(tmp_path / "m", also={}, layer=layer, word_dropout=0.0)
        return float(run._backward([run._batches(1)[0]], 1))

    nothing = {"weight": 0}
    upos, graph = first(graph=nothing, upos={"weight": 1}), first(upos=nothing, graph={"weight": 1})
    assert min(upos, graph) > 0
    assert first() > graph  # both count by default
    assert first(upos={"weight": 2}, graph={"weight": 3}) == pytest.approx(2 * upos + 3 * graph, rel=1e-5)
    assert first(graph=nothing, upos=nothing) == 0


def test_treebanks_that_share_a_layer(tmp_path: Path) -> None:
    """Tags of both are learned, from both."""
    sentences = list(read(SAMPLES / "sample.conllu"))
    write(sentences[:17], tmp_path / "one.conllu")
    write(sentences[17:], tmp_path / "two.conllu")
    also = {"upos": Further(train=(str(tmp_path / "two.conllu"),))}
    run = run_of(tmp_path / "m", train=(str(tmp_path / "one.conllu"),), also=also, layers=("upos", "graph"))
    whole = run_of(tmp_path / "n", also={})
    assert set(run.parser.config.layer("upos").tags) == set(whole.parser.config.layer("upos").tags)  # type: ignore[attr-defined]
    assert [sorted(part.targets) for part in run.data.parts] == [["graph", "upos"], ["upos"]]
    targets = [part.targets["upos"].tags for part in run.data.parts]  # type: ignore[attr-defined]
    assert [len(tags) for tags in targets] == [int(part.words[-1]) for part in run.data.parts]
    assert torch.isfinite(run._backward(run._batches(1), 1))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"layers": ("ner",)}, InputError, "ner"),
        ({"layers": ("ner=MISC:NER",)}, InputError, "layer ner: column MISC:NER is empty in the training files"),
        (
            {"layers": ("tree",), "train": (SDP,), "dev": ()},
            InputError,
            "layer tree: the training files do not fill HEAD",
        ),
        ({"layers": ("a b",)}, InputError, "a layer cannot be called 'a b'"),
        ({"select": "dm"}, UnknownName, "unknown layer to select by: 'dm'. Known: graph"),
        ({"layer": {"graph": {"hidden": 5}}}, UnknownName, "unknown setting of layer graph: 'hidden'"),
        ({"layer": {"graph": {"encoding": 5}}}, InputError, "layer graph: encoding: found 5; expected str"),
        ({"layer": {"graph": {"weight": -1}}}, InputError, "layer graph: weight: found -1"),
        ({"layers": ("upos",), "layer": {"upos": {"shapes": True}}}, InputError, "shapes are for pretrained encoders"),
        ({"lexical": "lemma"}, InputError, "lexical = 'lemma' needs the layer lemma"),
        ({"also": {"d/m": Further(train=(SDP,))}}, InputError, "a layer cannot be called 'd/m'"),
        ({"also": {"": Further(train=(SDP,))}}, InputError, "a layer cannot be called ''"),
        ({"also": {"Graph": Further(train=(SDP,))}}, InputError, "layers graph and Graph differ in case alone"),
        ({"layer": {"dm": {"encoding": "relative"}}}, UnknownName, "unknown layer that has settings: 'dm'"),
        ({"layer": {"graph": {"encoding": ""}}}, InputError, "encoding must name at least one encoding"),
        ({"layers": ("graph=UPOS",)}, InputError, "layer graph is that of DEPS"),
        ({"layers": ("x=FORM",)}, InputError, "layer x: column FORM cannot be predicted"),
        ({"also": {"upos": Further(train=(SDP,))}}, InputError, "layer upos: the training files do not fill UPOS"),
    ],
    ids=str,
)
def test_treebanks_and_settings_that_do_not_fit(
    tmp_path: Path, changes: dict[str, Any], error: type[InputError], message: str
) -> None:
    with pytest.raises(error) as caught:
        events(small(tmp_path / "m", epochs=1, **changes))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "m").exists()
