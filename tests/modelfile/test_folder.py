"""Model folders: what is in them, and that damaged or hostile ones are refused with one clear line."""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
from safetensors.torch import load_file, save_file

from arctag.errors import InputError
from arctag.modelfile import checksums
from arctag.modelfile.config import FORMAT_VERSION, ModelConfig
from arctag.parsing import parser as parser_module
from arctag.parsing.loading import load
from tests.conftest import Run
from tests.networks import KINDS, Models, graphs
from tests.places import ROOT

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def folder(models: Models, tmp_path: Path) -> Path:
    """A copy that may be damaged, without the checksums that would tell."""
    copy = Path(shutil.copytree(models("verified"), tmp_path / "model"))
    (copy / "checksums.json").unlink()
    return copy


def of_graph(edit: Change) -> Change:
    """A change of what belongs to the layer of graphs, in either file."""

    def changed(value: dict[str, Any]) -> None:
        edit(
            next(layer for layer in value["layers"] if layer["name"] == "graph")
            if "layers" in value
            else value["graph"]
        )

    return changed


def change(path: Path, edit: Change) -> None:
    value = json.loads(path.read_text(encoding="utf-8"))
    edit(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def refused(run: Run, folder: Path, sample: Path) -> str:
    """The one line with which a folder is refused."""
    result = run("parse", sample, "-m", folder, "--device", "cpu")
    assert (result.code, result.out) == (2, b"")
    assert result.err.count("\n") == 1
    assert result.err.startswith("arctag: ")
    return result.err


def test_model_folder_contents(models: Models) -> None:
    folder = models("verified")
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "config.json", "labels.json", "inputs.json", "model.safetensors", "README.md", "train.toml", "train.jsonl",
        "tokenizer.udpipe", "checksums.json",
    }  # fmt: skip
    assert json.loads((folder / "config.json").read_text())["format_version"] == FORMAT_VERSION
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "| graph | encoding bits6-4, labels " in card
    assert "| trained on | data/sample.conllu |" in card
    assert not list(folder.parent.glob(".*"))


@pytest.mark.parametrize("kind", KINDS)
def test_model_folder_save_and_load_give_the_same_graphs(
    models: Models, tmp_path: Path, sample: Path, kind: str
) -> None:
    parser = load(models(kind), "cpu")
    expected = graphs(parser, sample)
    for target in (tmp_path / "new" / "model", tmp_path / "new" / "model"):  # the second time over the first
        parser.save(target, force=True)
        assert graphs(load(target, "cpu"), sample) == expected
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["model"]


@pytest.mark.parametrize("kind", ["collapsed", "factored", "union"])
def test_model_folder_config_survives_json(models: Models, tmp_path: Path, kind: str) -> None:
    known = ModelConfig.load(models(kind))
    changes: dict[str, Any] = {"graph": {"threshold": 0.125}, "tree": {"relations": ("nsubj", "obl:größe")}}
    config = known.with_layers(replace(layer, **changes[layer.name]) for layer in known.layers)
    assert config.names == ("graph", "tree")
    config.save(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"config.json", "labels.json"}
    again = ModelConfig.load(tmp_path)
    assert again == config.with_layers(again.layers)
    assert (again.to_json(), again.labels_json()) == (config.to_json(), config.labels_json())
    assert list(map(type, again.layers)) == list(map(type, config.layers))


def test_model_folder_failed_save_leaves_the_old_one(
    models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = load(models("verified"), "cpu")
    parser.save(tmp_path / "model")
    before = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}

    def fails(_: object) -> str:
        raise OSError("disk full")

    monkeypatch.setattr(parser_module, "card_text", fails)
    with pytest.raises(InputError, match=r"cannot write .*model: disk full"):
        parser.save(tmp_path / "model", force=True)
    assert {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_model_folder_forced_save_replaces_the_model_and_leaves_other_files(models: Models, tmp_path: Path) -> None:
    target = tmp_path / "model"
    (target / "tokenizer").mkdir(parents=True)
    for name in ("tokenizer/a", "model.safetensors", "words.onnx"):  # of a model that was there before
        (target / name).write_text("old")
    checksums.write(target)
    for name in ("notes.txt", "tokenizer/mine"):
        (target / name).write_text("kept")
    load(models("plain"), "cpu").save(target, force=True)
    assert {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()} == {
        "config.json", "labels.json", "inputs.json", "model.safetensors", "README.md", "checksums.json",
        "tokenizer.udpipe", "notes.txt", "tokenizer/mine",
    }  # fmt: skip
    assert (target / "notes.txt").read_text() == (target / "tokenizer" / "mine").read_text() == "kept"
    load(target, "cpu")


def test_model_folder_save_overwrites_nothing_unless_forced(models: Models, tmp_path: Path) -> None:
    parser = load(models("verified"), "cpu")
    for name, file, message in (
        ("model", "config.json", "holds a model: choose another folder, or replace a model in it with --force"),
        ("mine", "notes.txt", "is not empty: choose another folder"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / file).write_text("kept")
        with pytest.raises(InputError, match=message):
            parser.save(tmp_path / name)
        assert [(path.name, path.read_text()) for path in (tmp_path / name).iterdir()] == [(file, "kept")]
    (tmp_path / "empty").mkdir()
    parser.save(tmp_path / "empty")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "mine", "model"]


def test_model_folder_save_onto_itself(models: Models, tmp_path: Path, sample: Path) -> None:
    target = Path(shutil.copytree(models("verified"), tmp_path / "model"))
    parser = load(target, "cpu")
    expected = graphs(parser, sample)
    parser.save(target, force=True)
    assert graphs(load(target, "cpu"), sample) == expected


@pytest.mark.parametrize("force", [False, True])
def test_model_folder_save_where_no_folder_can_be(models: Models, tmp_path: Path, force: bool) -> None:
    parser = load(models("plain"), "cpu")
    (tmp_path / "file").write_text("kept")
    (tmp_path / "loop").symlink_to("loop")
    for name, message in (
        ("file", "is a file"),
        ("loop", "is a link that leads to itself"),
        ("file/model", "cannot write .*file/model: "),
        ("loop/model", "cannot write .*loop/model: "),
    ):
        with pytest.raises(InputError, match=message):
            parser.save(tmp_path / name, force)
    with pytest.raises(InputError, match="no name for the model folder"):
        parser.save("", force)
    assert (tmp_path / "file").read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "loop"]


def test_model_folder_can_be_read_by_whom_the_umask_allows(models: Models, tmp_path: Path) -> None:
    parser = load(models("plain"), "cpu")
    before = os.umask(0o027)
    try:
        parser.save(tmp_path / "model")
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (tmp_path / "model").iterdir()}
    assert ((tmp_path / "model").stat().st_mode & 0o777, modes) == (0o750, {0o640})


def test_model_folder_that_is_none(run: Run, tmp_path: Path, sample: Path) -> None:
    assert "no model folder at" in refused(run, tmp_path / "none", sample)
    (tmp_path / "README.md").touch()
    assert "config.json is missing" in refused(run, tmp_path, sample)


@pytest.mark.parametrize("name", ["config.json", "labels.json", "inputs.json", "model.safetensors"])
def test_model_folder_with_a_file_missing(run: Run, folder: Path, sample: Path, name: str) -> None:
    (folder / name).unlink()
    assert name in refused(run, folder, sample)


@pytest.mark.parametrize("name", ["config.json", "labels.json", "inputs.json"])
@pytest.mark.parametrize(
    "text",
    [
        b"", b"{", b"[]", b"5", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a": ' + b"9" * 5000 + b"}",
        b'{"format_version": 3}', b'{"format_version": 3, "layers": 5, "kind": "words", "graph": null}',
        b'{"format_version": 2}', b'{"format_version": 2, "encoding": 5, "kind": "words", "spaces": null}',
    ],
    ids=["empty", "open", "list", "number", "null", "bytes", "deep", "digits", "bare", "types", "bare 2", "types 2"],
)  # fmt: skip
def test_model_folder_with_broken_json(run: Run, folder: Path, sample: Path, name: str, text: bytes) -> None:
    (folder / name).write_bytes(text)
    refused(run, folder, sample)


@pytest.mark.parametrize("version", [0, 1, 4, "3", None, 3.0, 2.0])
def test_model_folder_of_another_version(run: Run, folder: Path, sample: Path, version: object) -> None:
    change(folder / "config.json", lambda value: value.update(format_version=version))
    assert "this Arctag reads format 3" in refused(run, folder, sample)


HUGE = 10**12
CONFIGS: dict[str, Change] = {
    "unknown encoding": of_graph(lambda c: c.update(encoding="bits7-4")),
    "another encoding": of_graph(lambda c: c.update(encoding="biaffine")),
    "many planes": of_graph(lambda c: c.update(encoding="bits6-99999999999")),
    "encoding number": of_graph(lambda c: c.update(encoding=5)),
    "unknown encoder": lambda c: c.update(encoder="gru"),
    "encoder type": lambda c: c.update(encoder=["bilstm"]),
    "encoder path": lambda c: c.update(encoder="transformer"),
    "options type": lambda c: c.update(encoder_options=[]),
    "unknown option": lambda c: c["encoder_options"].update(command="rm"),
    "huge table": lambda c: c["encoder_options"].update(word_size=HUGE),
    "huge words": lambda c: c["encoder_options"].update(words=HUGE),
    "huge layers": lambda c: c["encoder_options"].update(layers=HUGE),
    "huge context": lambda c: c.update(context_layers=HUGE, context_size=1),
    "huge head": of_graph(lambda c: c.update(tag_hidden=10**40)),
    "negative size": of_graph(lambda c: c.update(tag_hidden=-4)),
    "text for a size": of_graph(lambda c: c.update(arc_hidden="16")),
    "text for an option": lambda c: c["encoder_options"].update(size="8"),
    "no for a size": of_graph(lambda c: c.update(relation_hidden=False)),
    "threshold text": of_graph(lambda c: c.update(threshold="0.5")),
    "threshold": of_graph(lambda c: c.update(threshold=7)),
    "threshold nan": of_graph(lambda c: c.update(threshold=float("nan"))),
    "alternatives": of_graph(lambda c: c.update(alternatives=HUGE)),
    "dropout": lambda c: c.update(dropout=-1.0),
    "relation head": of_graph(lambda c: c.update(relation_head="affine")),
    "combine": of_graph(lambda c: c.update(combine="guess")),
    "empty": of_graph(lambda c: c.update(empty="expand")),
    "planes": of_graph(lambda c: c.update(planes="lazy")),
    "scorer": of_graph(lambda c: c.update(arc_scorer=False)),
    "tuple head": of_graph(lambda c: c.update(relation_head="tuple")),
    "no layers": lambda c: c.update(layers=[]),
    "layers missing": lambda c: c.pop("layers"),
    "layers type": lambda c: c.update(layers=5),
    "layers by name": lambda c: c.update(layers={"graph": c["layers"][0]}),
    "layer type": lambda c: c.update(layers=["graph"]),
    "layer twice": lambda c: c["layers"].append(c["layers"][0]),
    "layer without a name": of_graph(lambda c: c.pop("name")),
    "layer without a kind": of_graph(lambda c: c.pop("kind")),
    "layer of an unknown kind": of_graph(lambda c: c.update(kind="graphs")),
    "layer of another kind": of_graph(lambda c: c.update(kind="tags")),
    "kind of layer type": of_graph(lambda c: c.update(kind=["graph"])),
    "layer without labels": of_graph(lambda c: c.update(name="dm")),
    "layer name empty": of_graph(lambda c: c.update(name="")),
    "column type": of_graph(lambda c: c.update(column=5)),
    "lemmas that nobody predicts": of_graph(lambda c: c.update(lexical="lemma")),
    "lexical": of_graph(lambda c: c.update(lexical="word")),
    "card": lambda c: c.update(card=[]),
    "card scores": lambda c: c.update(card={"scores": [5]}),
    "card score text": lambda c: c.update(
        card={"scores": [dict.fromkeys(("file", "figure", "value", "signature"), "3")]}
    ),
    "arc size": of_graph(lambda c: c.update(arc_hidden=0)),
    "pickled card": lambda c: c.update(card={"scores": "abc"}),
}
LABELS: dict[str, Change] = {
    "no space": of_graph(lambda c: c.update(spaces=[])),
    "space type": of_graph(lambda c: c.update(spaces=[5])),
    "empty space": of_graph(lambda c: c.update(spaces=[{"rows": []}])),
    "fewer labels": of_graph(lambda c: c["spaces"][0]["rows"].pop()),
    "other factors": of_graph(lambda c: c.update(spaces=[{"factors": [2, 2]}])),
    "huge factors": of_graph(lambda c: c.update(spaces=[{"factors": [HUGE] * 4}])),
    "text rows": of_graph(lambda c: c.update(spaces=[{"rows": [["x"]]}])),
    "no relations": of_graph(lambda c: c.update(relations=[])),
    "fewer relations": of_graph(lambda c: c["relations"].pop()),
    "relations type": of_graph(lambda c: c.update(relations=5)),
    "tuples": of_graph(lambda c: c.update(tuples=[[0, 10**6]])),
    "tuples type": of_graph(lambda c: c.update(tuples=[["x"]])),
    "no layer": lambda c: c.pop("graph"),
    "layer type": lambda c: c.update(graph=["spaces"]),
    "rules type": of_graph(lambda c: c.update(rules=5)),
    "markers type": of_graph(lambda c: c.update(rules={"markers": {"obl": "case"}})),
    "spellings type": of_graph(lambda c: c.update(rules={"spellings": {"thru": 5}})),
    "relations of the tree": lambda c: c["tree"].update(relations=[5]),
}
INPUTS: dict[str, Change] = {
    "kind": lambda c: c.update(kind="subwords", window=5, pooling="first", prefix=[], suffix=[], pad=0, unknown=1),
    "no kind": lambda c: c.pop("kind"),
    "more words": lambda c: c["words"].append("extra"),
    "fewer chars": lambda c: c["chars"].pop(),
    "tags": lambda c: c.update(tags=["NOUN"]),
    "text": lambda c: c.update(words="abc"),
    "twice": lambda c: c.update(words=["a"] * len(c["words"])),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_model_folder_with_a_hostile_config(run: Run, folder: Path, sample: Path, name: str) -> None:
    change(folder / "config.json", CONFIGS[name])
    refused(run, folder, sample)


@pytest.mark.parametrize("name", LABELS)
def test_model_folder_with_hostile_labels(run: Run, folder: Path, sample: Path, name: str) -> None:
    change(folder / "labels.json", LABELS[name])
    refused(run, folder, sample)


@pytest.mark.parametrize("name", INPUTS)
def test_model_folder_with_hostile_inputs(run: Run, folder: Path, sample: Path, name: str) -> None:
    change(folder / "inputs.json", INPUTS[name])
    refused(run, folder, sample)


def test_model_folder_with_labels_far_out_still_parses(run: Run, folder: Path, sample: Path) -> None:
    change(
        folder / "labels.json",
        lambda c: c["graph"]["spaces"][0].update(
            rows=[[10**30, -i] for i in range(len(c["graph"]["spaces"][0]["rows"]))]
        ),
    )
    assert run("parse", sample, "-m", folder, "--device", "cpu").code == 0


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return (exec, ("raise SystemExit('executed')",))


@pytest.mark.parametrize("damage", ["empty", "truncated", "pickle", "header", "length", "text"])
def test_model_folder_with_damaged_weights(run: Run, folder: Path, sample: Path, damage: str) -> None:
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    path.write_bytes(
        {
            "empty": b"",
            "truncated": whole[: len(whole) // 2],
            "pickle": pickle.dumps(Evil()),
            "header": whole[:8] + b"x" * 50 + whole[58:],
            "length": b"\xff" * 8 + whole[8:],
            "text": b"not weights at all",
        }[damage]
    )
    assert "model.safetensors: the weights cannot be used" in refused(run, folder, sample)


def test_model_folder_with_weights_of_another_model(run: Run, folder: Path, models: Models, sample: Path) -> None:
    shutil.copy(models("plain") / "model.safetensors", folder)
    assert "the weights do not fit config.json" in refused(run, folder, sample)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_model_folder_with_weights_that_are_no_numbers(run: Run, folder: Path, sample: Path, bad: float) -> None:
    weights = load_file(folder / "model.safetensors")
    name = sorted(weights)[3]
    weights[name].view(-1)[-1] = bad
    save_file(weights, folder / "model.safetensors")
    assert f"({name} holds what is not a finite number)" in refused(run, folder, sample)


def test_model_folder_without_a_network_names_its_files(run: Run, folder: Path, sample: Path) -> None:
    (folder / "model.safetensors").unlink()
    assert "it has neither model.safetensors nor words.onnx" in refused(run, folder, sample)


def test_model_folder_on_an_unknown_device(models: Models) -> None:
    for device in ("nonsense", "cuda:99", "xla"):
        with pytest.raises(InputError, match=f"device '{device}' cannot be used"):
            load(models("verified"), device)


def test_model_folder_nothing_in_the_package_unpickles() -> None:
    loads = re.compile(r"pickle|torch\.load\b|marshal|\beval\(|\bexec\(|allow_pickle|joblib|dill\b")
    found = []
    for path in (ROOT / "src").rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if loads.search(line) and not line.lstrip().startswith(("#", '"')) and "model.eval()" not in line:
                found.append(f"{path.name}:{number}: {line.strip()}")
    assert [line for line in found if "pickled" not in line] == []
