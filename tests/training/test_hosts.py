"""Training on two hosts, which are two network namespaces of this machine: one of them dies and comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from tests.patience import HANGS
from tests.places import ROOT
from tests.training.test_distributed import options

ADDRESSES = ("10.77.0.1", "10.77.0.2")


@pytest.fixture
def hosts() -> Iterator[tuple[str, str]]:
    """Two hosts with a network between them, and nothing else."""
    tag = token_hex(3)
    names = (f"arctag-{tag}-1", f"arctag-{tag}-2")
    try:
        made = [subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode for name in names]
    except FileNotFoundError:
        pytest.skip("there is no `ip` to make hosts with")
    try:
        if any(made):
            pytest.skip("network namespaces are not allowed here")
        ends = (f"v{tag}1", f"v{tag}2")
        commands = [["ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1]]]
        for name, end, address in zip(names, ends, ADDRESSES, strict=True):
            inside = ["ip", "-n", name]
            commands += [
                ["ip", "link", "set", end, "netns", name], [*inside, "link", "set", end, "name", "eth0"],
                [*inside, "address", "add", f"{address}/24", "dev", "eth0"], [*inside, "link", "set", "eth0", "up"],
                [*inside, "link", "set", "lo", "up"],
            ]  # fmt: skip
        for command in commands:
            subprocess.run(command, check=True, capture_output=True)
        yield names
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def torchrun(host: int, names: tuple[str, str], arguments: list[str], **environment: str) -> subprocess.Popen[str]:
    """The command of docs/scale.md on one of the hosts."""
    command = [
        "ip", "netns", "exec", names[host], sys.executable, "-m", "torch.distributed.run", "--nnodes", "2",
        "--nproc-per-node", "1", "--max-restarts", "10", "--rdzv-backend", "c10d", "--rdzv-endpoint",
        f"{ADDRESSES[0]}:29400", "--rdzv-conf", f"is_host={int(host == 0)}", "--local-addr", ADDRESSES[host],
        "-m", "tests.training.dying", "train", *arguments,
    ]  # fmt: skip
    known = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    known |= {"GLOO_SOCKET_IFNAME": "eth0", "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1"}
    return subprocess.Popen(
        command, env={**known, **environment}, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )  # fmt: skip


def finished(*processes: subprocess.Popen[str]) -> None:
    told = [process.communicate(timeout=HANGS)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), "\n".join(told)


def model(folder: Path) -> tuple[bytes, list[dict[str, float]]]:
    """The weights, and the learning curve without times."""
    rows = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    curve = [{key: row[key] for key in row if key not in ("seconds", "tokens_per_s")} for row in rows]
    return (folder / "model.safetensors").read_bytes(), curve


@pytest.mark.full
@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no distributed")
def test_hosts_one_dies_and_comes_back_and_the_model_is_the_same(
    hosts: tuple[str, str], tmp_path: Path, sample: Path
) -> None:
    undisturbed, disturbed = tmp_path / "undisturbed", tmp_path / "disturbed"
    arguments = [*options(undisturbed, sample), "--epochs", "5"]
    finished(*[torchrun(host, hosts, arguments) for host in (0, 1)])
    arguments = [*options(disturbed, sample), "--epochs", "5", "--resume"]
    first, second = torchrun(0, hosts, arguments), torchrun(1, hosts, arguments, ARCTAG_DIES_AFTER="3")
    out, _ = second.communicate(timeout=HANGS)
    assert second.returncode == -9, out
    assert (disturbed / "checkpoints" / "epoch-00003").is_dir()
    finished(first, torchrun(1, hosts, arguments))
    assert model(disturbed) == model(undisturbed)
    assert not (disturbed / "checkpoints").exists()


@pytest.mark.full
@pytest.mark.skipif(not torch.distributed.is_available(), reason="this torch has no distributed")
@pytest.mark.parametrize("resumed", [False, True])
def test_hosts_that_do_not_share_the_output_are_refused(tmp_path: Path, sample: Path, resumed: bool) -> None:
    """A fresh run, and one of which only the first host has the checkpoint."""
    for rank in "01":
        (tmp_path / rank).mkdir()
    arguments = [*options(Path("model"), sample), "--epochs", "3", "--resume"]
    if resumed:
        alone = [sys.executable, "-m", "tests.training.dying", "train", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "RANK": "0", "ARCTAG_APART": str(tmp_path)}
        subprocess.run(alone, env={**environment, "ARCTAG_DIES_AFTER": "1"}, capture_output=True, timeout=HANGS)
        (tmp_path / "1" / "model").mkdir()
        assert (tmp_path / "0" / "model" / "checkpoints" / "epoch-00001").is_dir()
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [*command, "-m", "tests.training.dying", "train", *arguments], capture_output=True, text=True, timeout=HANGS,
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "ARCTAG_APART": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 1
    why = "the hosts have different checkpoints" if resumed else "1 of 2 processes do not see it"
    assert f"arctag: {why}: --output (model) must be a folder that all hosts share" in done.stderr
