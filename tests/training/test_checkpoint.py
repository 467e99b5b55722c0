"""Checkpoints: a run killed at any moment and resumed ends as if nothing had happened."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arctag
from arctag.errors import InputError
from arctag.training import checkpoint, loop
from arctag.training.config import Further, TrainConfig
from arctag.training.events import Evaluated, Started
from tests.networks import events, fit, small
from tests.patience import HANGS
from tests.places import ROOT, SAMPLES

pytestmark = pytest.mark.usefixtures("one_thread")
ALSO = {"dm": Further(train=(str(SAMPLES / "sample.sdp"),), dev=(str(SAMPLES / "sample.sdp"),))}


def interrupted(config: TrainConfig, epochs: int = 1) -> None:
    """A run that ends after so many epochs."""
    run = loop.train(config)
    for event in run:
        if isinstance(event, Evaluated) and event.epoch == epochs:
            break
    run.close()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def cut_off(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("unfinished") / "m"
    interrupted(small(out, epochs=2))
    return out


@pytest.fixture
def unfinished(cut_off: Path, tmp_path: Path) -> TrainConfig:
    """A run of two epochs that was cut off after the first."""
    return small(Path(shutil.copytree(cut_off, tmp_path / "m")), epochs=2)


def test_checkpoint_killed_runs_end_as_if_nothing_had_happened(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.training.killed", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["moments"] > 50
    assert len(found["tried"]) > 8
    assert found["wrong"] == []
    assert found["left"] == []


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"encoder": "lookup", "encoding": "biaffine", "dropout": 0.3},
        {"encoder": "lookup", "accumulate": 3},
        {"encoder": "lookup", "evaluate_every": 2},
        {"encoder": "lookup", "layers": ("upos", "lemma", "tree", "graph"), "also": ALSO, "dropout": 0.3},
    ],
    ids=str,
)
def test_checkpoint_resumed_run_gives_the_same_weights(tmp_path: Path, options: dict[str, Any]) -> None:
    fit(small(tmp_path / "whole", epochs=3, **options))
    interrupted(small(tmp_path / "cut", epochs=3, **options), epochs=2)
    told = events(small(tmp_path / "cut", epochs=3, **options), resume=True)
    assert isinstance(told[0], Started)
    assert told[0].resumed == 2
    whole, cut = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", "cut"))
    assert whole == cut


def test_checkpoint_goes_when_the_run_is_over(unfinished: TrainConfig) -> None:
    folder = Path(unfinished.output) / "checkpoints"
    assert [path.name for path in folder.iterdir()] == ["epoch-00001"]
    fit(unfinished, resume=True)
    assert not folder.exists()


def test_checkpoint_unfinished_run_is_not_overwritten(unfinished: TrainConfig) -> None:
    with pytest.raises(InputError, match="holds an unfinished run: continue it with --resume"):
        fit(unfinished)
    assert checkpoint.find(Path(unfinished.output)) is not None


def test_checkpoint_unfinished_run_is_started_anew_by_force(unfinished: TrainConfig) -> None:
    told = events(unfinished, force=True)
    assert isinstance(told[0], Started)
    assert told[0].resumed == 0
    assert not checkpoint.unfinished(Path(unfinished.output))


def test_checkpoint_run_without_a_checkpoint_yet_is_unfinished_too(tmp_path: Path) -> None:
    config = small(tmp_path / "m", epochs=1)
    run = loop.train(config)
    assert isinstance(next(run), Started)
    run.close()  # type: ignore[attr-defined]
    with pytest.raises(InputError, match="holds an unfinished run"):
        fit(config)
    fit(config, resume=True)


def test_checkpoint_finished_model_is_overwritten_by_force_alone(tmp_path: Path) -> None:
    config = small(tmp_path / "m", epochs=1, encoder="lookup")
    fit(config)
    (tmp_path / "m" / "notes.txt").write_text("mine")
    before = {path.name: path.read_bytes() for path in (tmp_path / "m").iterdir()}
    with pytest.raises(InputError, match="holds a model: choose another folder, or replace a model in it with --force"):
        fit(config)
    with pytest.raises(InputError, match="holds a finished model: there is nothing to resume"):
        fit(config, resume=True)
    with pytest.raises(InputError, match="give one of them"):
        events(config, resume=True, force=True)
    with pytest.raises(InputError, match="holds a model"):
        arctag.train(config.train, config.dev, output=config.output)
    assert {path.name: path.read_bytes() for path in (tmp_path / "m").iterdir()} == before
    events(replace(config, seed=1), force=True)
    after = {path.name: path.read_bytes() for path in (tmp_path / "m").iterdir()}
    assert after.keys() == before.keys()
    assert after["notes.txt"] == b"mine"
    assert after["model.safetensors"] != before["model.safetensors"]


def test_checkpoint_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for resume in (False, True):
        with pytest.raises(InputError, match="is not empty: choose another folder"):
            fit(small(tmp_path, epochs=1), resume=resume)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_checkpoint_run_that_cannot_write_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"cannot write .*file/m: "):
        fit(small(tmp_path / "file" / "m", epochs=1, encoder="lookup"))


@pytest.mark.parametrize(
    "change", [{"epochs": 3}, {"seed": 7}, {"encoding": "bits4-2"}, {"learning_rate": 0.5}], ids=str
)
def test_checkpoint_resuming_with_another_config_is_refused(unfinished: TrainConfig, change: dict[str, Any]) -> None:
    ((key, value),) = change.items()
    with pytest.raises(InputError, match=f"cannot resume: .*{key}.* now is {value!r}"):
        fit(small(Path(unfinished.output), **{"epochs": 2, **change}), resume=True)


def test_checkpoint_resuming_nothing_starts_anew(tmp_path: Path) -> None:
    told = events(small(tmp_path / "m", epochs=1), resume=True)
    assert isinstance(told[0], Started)
    assert told[0].resumed == 0


def test_checkpoint_without_its_best_model_is_refused(unfinished: TrainConfig) -> None:
    (Path(unfinished.output) / "model.safetensors").unlink()
    with pytest.raises(InputError, match="the best model is gone"):
        fit(unfinished, resume=True)


@pytest.mark.parametrize("name", ["progress.json", "model.safetensors", "optimizer.safetensors"])
@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"progress": 5, "config": {}}'])
def test_checkpoint_damaged_is_refused(unfinished: TrainConfig, name: str, content: bytes | None) -> None:
    path = Path(unfinished.output) / "checkpoints" / "epoch-00001" / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"cannot resume: .* is damaged"):
        fit(unfinished, resume=True)


def test_checkpoint_newest_is_found(tmp_path: Path) -> None:
    assert checkpoint.find(tmp_path) is None
    for name in ("epoch-00002", "epoch-00010", ".part-x", "epoch-x", ".epoch-00099"):
        (tmp_path / "checkpoints" / name).mkdir(parents=True)
    assert checkpoint.find(tmp_path) == tmp_path / "checkpoints" / "epoch-00010"
