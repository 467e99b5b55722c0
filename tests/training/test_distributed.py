"""Two processes as one: the same files, and development scores that do not depend on their number."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import distributed as dist

from arctag.errors import InputError
from arctag.parsing.loading import load
from arctag.training import loop
from arctag.training.dataset import Dataset
from arctag.training.dev_scores import count, dev_scores
from arctag.training.distributed import Group
from arctag.training.treebanks import read_treebank
from tests.networks import SMALL, Models, graph_layer, small
from tests.patience import HANGS

pytestmark = pytest.mark.usefixtures("one_thread")


def options(out: Path, sample: Path) -> list[str]:
    chosen = {
        **SMALL,
        "layers": "upos,graph",
        "epochs": 2,
        "train": sample,
        "dev": sample,
        "output": out,
        "encoder": "lookup",
    }
    return [text for key, value in chosen.items() for text in (f"--{key.replace('_', '-')}", str(value))]


def train_in_two(*options: str) -> subprocess.CompletedProcess[str]:
    """`arctag train` in two processes."""
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "arctag"]
    done = subprocess.run(
        [*command, "train", *options], capture_output=True, text=True, timeout=HANGS,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no distributed")
def test_distributed_two_processes_write_one_model(models: Models, tmp_path: Path, sample: Path) -> None:
    """One of them has text labelled, and both learn from it."""
    out = tmp_path / "model"
    (tmp_path / "text.tok").write_text("She wants to leave .\nThey sing .\n", encoding="utf-8")
    silver = ["--unlabelled", str(tmp_path / "text.tok"), "--teacher", str(models("verified"))]
    done = train_in_two(*options(out, sample), *silver)
    assert done.stdout.count("development upos.accuracy") == 1
    assert done.stderr.count("epoch 2: loss") == 1
    assert done.stderr.count("labels graph") == 1
    assert "36 sentences" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"model", "text.tok"}
    assert not (out / "checkpoints").exists()
    parser = load(out, "cpu")
    layers = {layer.name: layer for layer in parser.config.networks}
    data = Dataset.of(list(layers.values()), read_treebank([str(sample)], "drop"))
    alone = dev_scores(parser, [data], 10_000, Group(), torch.device("cpu"))
    assert [f"{key} {value:.2f}" for key, value in alone.flat.items()] == parser.config.card["development_scores"]
    assert alone.layers == layers  # with the threshold that was found


@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no distributed")
def test_distributed_processes_score_together_as_one_alone(sample: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    train_in_two(*options(out, sample), "--no-calibrate")
    rows = [json.loads(line) for line in (out / "train.jsonl").read_text().splitlines()]
    best = max(rows, key=lambda row: (row["score"], -row["epoch"]))
    parser = load(out, "cpu")
    layers = {layer.name: layer for layer in parser.config.networks}
    data = Dataset.of(list(layers.values()), read_treebank([str(sample)], "drop"))
    alone = dev_scores(parser, [data], 10_000, Group(), torch.device("cpu"))
    assert {key: best[key] for key in alone.flat} == alone.flat
    assert alone.layers == layers  # with the threshold that was found by both


def test_distributed_counts_add_up_over_parts(parsers: object, sample: Path) -> None:
    parser = parsers("verified")  # type: ignore[operator]
    sentences = read_treebank([str(sample)], "drop")
    data = Dataset.of([graph_layer(parser)], sentences)
    whole = count(parser, data, range(len(data)), 1000)["graph"]
    parts = [count(parser, data, list(range(len(data)))[rank::3], 50)["graph"] for rank in range(3)]
    assert np.array_equal(np.sum(parts, axis=0), whole)


def test_distributed_one_process_alone_needs_nothing() -> None:
    group = Group.join("cpu")
    assert (group.rank, group.size, group.first) == (0, 1, True)
    counts = np.array([1.0, 2.0])
    assert group.add_up(counts, torch.device("cpu")) is counts
    assert group.sum(2.5, torch.device("cpu")) == 2.5
    assert group.agree(2.5, torch.device("cpu"))
    parameter = torch.nn.Parameter(torch.zeros(2))
    parameter.grad = torch.ones(2)
    group.add_gradients([parameter])
    assert parameter.grad.tolist() == [1.0, 1.0]
    group.wait()
    group.leave()


@pytest.fixture
def alone_of_two(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A process that `torchrun` started, whose fellows are made up; what was done with the group."""
    done: list[str] = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setattr(dist, "is_initialized", lambda: done[-1:] in (["made"], ["found"]))
    monkeypatch.setattr(dist, "init_process_group", lambda _: done.append("made"))
    monkeypatch.setattr(dist, "destroy_process_group", lambda: done.append("destroyed"))
    monkeypatch.setattr(dist, "get_rank", lambda: 0)
    return done


def test_distributed_group_is_left_when_a_run_fails_at_its_start(
    alone_of_two: list[str], tmp_path: Path, sample: Path
) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\tone column\n")
    for change in ({"train": (str(bad),)}, {"test": (str(bad),)}, {"select": "none"}, {"vectors": "none"}):
        with pytest.raises(InputError):
            next(loop.train(small(tmp_path / "m", **change)))
        assert alone_of_two[-2:] == ["made", "destroyed"]
    assert len(alone_of_two) == 8


def test_distributed_group_of_the_program_around_is_left_to_it(alone_of_two: list[str], tmp_path: Path) -> None:
    alone_of_two.append("found")
    with pytest.raises(InputError, match="layer to select by"):
        next(loop.train(small(tmp_path / "m", select="none")))
    assert alone_of_two == ["found"]
