"""Models of format 2, from Arctag 0.1, load and parse as they did."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
from safetensors.torch import load_file, save_file

from arctag.errors import InputError
from arctag.modelfile.bundled import place
from arctag.modelfile.config import FORMAT_VERSION, ModelConfig
from arctag.parsing.loading import load
from tests.networks import Models, graphs

NEW = ("name", "column", "kind", "lexical", "ensure")
"""Keys of a layer that format 2 did not have."""


def as_format_2(folder: Path, out: Path) -> Path:
    """The same model as Arctag 0.1 would have saved it."""
    shutil.copytree(folder, out)
    (out / "checksums.json").unlink()
    config, labels = (json.loads((out / name).read_text(encoding="utf-8")) for name in ("config.json", "labels.json"))
    (graph,) = (layer for layer in config.pop("layers") if layer["name"] == "graph")
    old: dict[str, Any] = {
        **config,
        **{key: value for key, value in graph.items() if key not in NEW},
        "format_version": 2,
    }
    if "tree" in labels:
        old["basic_relations"] = labels["tree"]["relations"]
    (out / "config.json").write_text(json.dumps(old), encoding="utf-8")
    long = {key: value for key, value in labels["graph"].items() if key != "rules"}
    (out / "labels.json").write_text(json.dumps(long), encoding="utf-8")
    weights = load_file(out / "model.safetensors")
    save_file({name.removeprefix("heads.0."): value for name, value in weights.items()}, out / "model.safetensors")
    return out


@pytest.mark.parametrize("kind", ["verified", "plain", "factored", "union", "baseline", "collapsed", "sdp"])
def test_format_2_weights_of_torch_say_the_same(
    models: Models, tmp_path: Path, sample: Path, sample_sdp: Path, kind: str
) -> None:
    old, new = load(as_format_2(models(kind), tmp_path / "old"), "cpu"), load(models(kind), "cpu")
    assert old.config.names == new.config.names
    file = sample_sdp if kind == "sdp" else sample
    batch = [new.tokens(sentence) for sentence in new.parse(file)]
    one, other = (parser.predict(batch, 0.2)["graph"] for parser in (old, new))
    for name in ("starts", "heads", "dependents", "probabilities", "repairs"):
        assert (getattr(one, name) == getattr(other, name)).all()


def test_format_2_is_saved_as_the_format_of_today(models: Models, tmp_path: Path, sample: Path) -> None:
    old = load(as_format_2(models("verified"), tmp_path / "old"), "cpu")
    old.save(tmp_path / "new")
    assert (
        json.loads((tmp_path / "new" / "config.json").read_text(encoding="utf-8"))["format_version"] == FORMAT_VERSION
    )
    assert graphs(load(tmp_path / "new", "cpu"), sample) == graphs(old, sample)
    assert [s.rows for s in load(tmp_path / "new", "cpu").parse([["She", "sings"]])] == [
        s.rows for s in old.parse([["She", "sings"]])
    ]


@pytest.mark.parametrize("key", ["spaces", "relations"])
def test_format_2_with_labels_missing_is_refused(models: Models, tmp_path: Path, key: str) -> None:
    folder = as_format_2(models("verified"), tmp_path / "old")
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    del labels[key]
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    with pytest.raises(InputError, match=rf"is damaged: .*{key}"):
        load(folder, "cpu")


def test_format_2_layers_of_a_model_of_that_time() -> None:
    folder = place("en")
    if json.loads((folder / "config.json").read_text(encoding="utf-8"))["format_version"] != 2:
        pytest.skip("the bundled model is of a later format")
    config = ModelConfig.load(folder)
    assert [(layer.name, layer.kind) for layer in config.layers] == [("graph", "graph"), ("tree", "derived-tree")]
