"""Damaged files of model folders and checkpoints: a model that parses comes back, or an error that names the folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arctag.modelfile import checksums
from arctag.parsing.loading import load
from arctag.sentence import Sentence
from tests.exported import Export
from tests.fuzz.damage import damaged
from tests.fuzz.limits import FEW, SOME, survives
from tests.networks import Models
from tests.places import SAMPLES

SHIPPED = SAMPLES.parent / "models" / "en"
SENTENCES = [["She", "wants", "to", "leave", "."], ["?"]]
FILES = [
    "config.json", "labels.json", "inputs.json", "tokenizer/tokenizer.json", "tokenizer/tokenizer_config.json",
    "tokenizer.udpipe", checksums.FILE,
]  # fmt: skip
"""Of the shipped model, apart from the networks, whose damage is tried on small ones."""


def _linked(folder: Path, target: Path, damaged_file: str, data: bytes) -> Path:
    """The same folder with one file damaged, and without the checksums that would tell; the others are links."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target, copy_function=os.link)
    (target / checksums.FILE).unlink(missing_ok=True)
    (target / damaged_file).unlink(missing_ok=True)
    (target / damaged_file).write_bytes(data)
    return target


def _parses(folder: Path) -> None:
    parser = load(folder, "cpu")
    told: list[str] = []
    sentences = [Sentence.from_words(words, tags=["X"] * len(words)) for words in SENTENCES]
    assert len(list(parser.parse_sentences(sentences, report=lambda _, why: told.append(why)))) == len(SENTENCES)
    if parser.tokenizer is not None:
        list(parser.tokenizer.sentences("He goes. She doesn't."))


def _fuzz(folder: Path, name: str, work: Callable[[Path], object], target: Path, how: settings) -> None:
    sound = (folder / name).read_bytes()

    @how
    @given(damaged([sound, sound[: len(sound) // 2]]) | st.binary(max_size=100))
    def check(data: bytes) -> None:
        survives(work, _linked(folder, target, name, data), Path(name).name)

    assert survives(work, _linked(folder, target, name, sound))
    check()


@pytest.mark.parametrize("name", FILES)
def test_models_survive_damaged_files(name: str, tmp_path: Path) -> None:
    _fuzz(SHIPPED, name, _parses, tmp_path / "model", settings(FEW, max_examples=8))


@pytest.mark.full
@pytest.mark.parametrize("name", FILES)
def test_models_survive_much_damage(name: str, tmp_path: Path) -> None:
    _fuzz(SHIPPED, name, _parses, tmp_path / "model", SOME)


SMALL = [
    ("lookup", "", "model.safetensors"), ("lookup", "", "config.json"), ("lookup", "", "inputs.json"),
    ("verified", "fp32", "words.onnx"), ("verified", "int8", "layer-graph.onnx"),
    ("verified", "int8", "arcs-graph.onnx"), ("tuples", "fp32", "labels.json"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "precision", "name"), SMALL)
def test_models_survive_damaged_networks(exports: Export, kind: str, precision: str, name: str, tmp_path: Path) -> None:
    _fuzz(exports(kind, precision), name, _parses, tmp_path / "model", settings(FEW, max_examples=15))


@pytest.mark.full
@pytest.mark.parametrize(("kind", "precision", "name"), SMALL)
def test_models_survive_much_damaged_networks(
    exports: Export,
    kind: str,
    precision: str,
    name: str,
    tmp_path: Path,
) -> None:
    _fuzz(exports(kind, precision), name, _parses, tmp_path / "model", SOME)


@pytest.mark.parametrize("name", ["progress.json", "model.safetensors", "optimizer.safetensors"])
@pytest.mark.parametrize("how", [settings(FEW, max_examples=15), pytest.param(SOME, marks=pytest.mark.full)])
def test_models_survive_damaged_checkpoints(models: Models, tmp_path: Path, name: str, how: settings) -> None:
    from arctag.backends.torch.backend import TorchBackend
    from arctag.training import checkpoint
    from arctag.training.config import TrainConfig
    from arctag.training.optimizer import make_optimizer

    config = TrainConfig(train=("a",), dev=("b",), output="c").resolved()
    parser = load(models("plain"), "cpu")
    assert isinstance(parser.backend, TorchBackend)
    model = parser.backend.model
    optimizer = make_optimizer(config, model)
    for parameter in model.parameters():
        parameter.grad = parameter.detach().clone()
    optimizer.step()
    checkpoint.save(tmp_path / "run", checkpoint.Progress(epoch=3), config.to_dict(), model, optimizer)
    found = checkpoint.find(tmp_path / "run")
    assert found is not None

    def resumed(folder: Path) -> None:
        checkpoint.load(folder, config.to_dict(), model, optimizer)

    _fuzz(found, name, resumed, tmp_path / "damaged", how)
