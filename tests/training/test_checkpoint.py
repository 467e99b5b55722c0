"""Checkpoints: a run killed at any moment and resumed ends as if nothing had happened."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arctag.errors import InputError
from arctag.training import checkpoint, loop
from arctag.training.config import TrainConfig
from arctag.training.events import Evaluated, Started
from tests.networks import events, fit, small
from tests.places import ROOT

pytestmark = pytest.mark.usefixtures("one_thread")


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
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["moments"] > 50
    assert len(found["tried"]) > 8
    assert found["wrong"] == []
    assert found["left"] == []


@pytest.mark.parametrize(
    "options", [{}, {"encoding": "biaffine", "dropout": 0.3}, {"accumulate": 3}, {"evaluate_every": 2}], ids=str
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
    folder = Path(unfinished.out) / "checkpoints"
    assert [path.name for path in folder.iterdir()] == ["epoch-00001"]
    fit(unfinished, resume=True)
    assert not folder.exists()


def test_checkpoint_unfinished_run_is_not_overwritten(unfinished: TrainConfig) -> None:
    with pytest.raises(InputError, match="holds an unfinished run: go on with --resume"):
        fit(unfinished)


@pytest.mark.parametrize(
    "change", [{"epochs": 3}, {"seed": 7}, {"encoding": "bits4-2"}, {"learning_rate": 0.5}], ids=str
)
def test_checkpoint_resuming_with_another_config_is_refused(unfinished: TrainConfig, change: dict[str, Any]) -> None:
    ((key, value),) = change.items()
    with pytest.raises(InputError, match=f"cannot resume: .*{key}.* now is {value!r}"):
        fit(small(Path(unfinished.out), **{"epochs": 2, **change}), resume=True)


def test_checkpoint_resuming_nothing_starts_anew(tmp_path: Path) -> None:
    told = events(small(tmp_path / "m", epochs=1), resume=True)
    assert isinstance(told[0], Started)
    assert told[0].resumed == 0


def test_checkpoint_without_its_best_model_is_refused(unfinished: TrainConfig) -> None:
    (Path(unfinished.out) / "model.safetensors").unlink()
    with pytest.raises(InputError, match="the best model is gone"):
        fit(unfinished, resume=True)


@pytest.mark.parametrize("name", ["progress.json", "model.safetensors", "optimizer.safetensors"])
@pytest.mark.parametrize("content", [None, b"", b"{}", b'{"progress": 5, "config": {}}'])
def test_checkpoint_damaged_is_refused(unfinished: TrainConfig, name: str, content: bytes | None) -> None:
    path = Path(unfinished.out) / "checkpoints" / "epoch-00001" / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(InputError, match=r"cannot resume: .* is damaged"):
        fit(unfinished, resume=True)


def test_checkpoint_newest_is_found(tmp_path: Path) -> None:
    assert checkpoint.find(tmp_path) is None
    for name in ("epoch-00002", "epoch-00010", ".part-x", "epoch-x", ".done-epoch-00099"):
        (tmp_path / "checkpoints" / name).mkdir(parents=True)
    assert checkpoint.find(tmp_path) == tmp_path / "checkpoints" / "epoch-00010"
