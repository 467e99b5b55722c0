"""Checkpoints: everything needed to go on exactly as if nothing had happened; JSON and safetensors.

Random numbers need no saving: each epoch draws its own from the seed and its number. A checkpoint
is written beside and renamed, and the one before it goes only then, so that a run killed at any
moment finds a whole one.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

from arctag.errors import InputError

FOLDER, _DONE = "checkpoints", ".checkpoints.done"
_FREE = ("device", "out", "tensorboard", "wandb", "name", "licence")  # may differ when a run is taken up


@dataclass
class Progress:
    """How far a run has come."""

    epoch: int = 0
    """Epochs done."""
    step: int = 0
    best: float = -1.0
    best_epoch: int = 0
    threshold: float = 0.5
    """Of the best model."""
    waited: int = 0
    """Evaluations since the best one."""
    curve: list[dict[str, Any]] = field(default_factory=list)


def save(
    out: Path, progress: Progress, config: dict[str, Any], model: nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    """Write a checkpoint, then remove those before it."""
    folder = out / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=folder, prefix=".part-"))
    save_file(
        {k: v.detach().cpu().contiguous().clone() for k, v in model.state_dict().items()}, part / "model.safetensors"
    )
    save_file(_flat_state(optimizer), part / "optimizer.safetensors")
    (part / "progress.json").write_text(json.dumps({"progress": asdict(progress), "config": config}), encoding="utf-8")
    goal = folder / f"epoch-{progress.epoch:05d}"
    if goal.exists():
        shutil.rmtree(goal)
    part.rename(goal)
    for other in folder.iterdir():
        if other != goal:
            shutil.rmtree(other, ignore_errors=True)


def begin(out: Path) -> None:
    """Mark a run as unfinished, before its first checkpoint too."""
    (out / FOLDER).mkdir(exist_ok=True)


def unfinished(out: Path) -> bool:
    """Whether a folder holds a run that has not come to its end."""
    return (out / FOLDER).is_dir()


def find(out: Path) -> Path | None:
    """The newest checkpoint of a run."""
    names = sorted(p for p in (out / FOLDER).glob("epoch-*") if re.fullmatch(r"epoch-\d{5}", p.name))
    return names[-1] if names else None


def load(folder: Path, config: dict[str, Any], model: nn.Module, optimizer: torch.optim.Optimizer) -> Progress:
    """Take up a run; its config must be the one given, or it would be another run."""
    try:
        value = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
        for key, before in value["config"].items():
            if key not in _FREE and config.get(key) != before:
                now = config.get(key)
                reason = f"{key} was {before!r} and now is {now!r}"
                raise InputError(f"cannot resume: {reason} (see {folder}); use another --out")
        model.load_state_dict(load_file(folder / "model.safetensors"))
        _set_state(optimizer, load_file(folder / "optimizer.safetensors"))
        return Progress(**value["progress"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, SafetensorError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"cannot resume: {folder} is damaged ({reason}); start anew with another --out") from error


def _parameters(optimizer: torch.optim.Optimizer) -> list[nn.Parameter]:
    return [p for group in optimizer.param_groups for p in group["params"]]


def _flat_state(optimizer: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    flat = {}
    for i, parameter in enumerate(_parameters(optimizer)):
        for name, value in optimizer.state.get(parameter, {}).items():
            flat[f"{i}.{name}"] = torch.as_tensor(value).detach().cpu().contiguous().clone()
    return flat or {"none": torch.zeros(1)}


def _set_state(optimizer: torch.optim.Optimizer, flat: dict[str, torch.Tensor]) -> None:
    parameters = _parameters(optimizer)
    fused = any(group.get("fused") for group in optimizer.param_groups)
    for key, value in flat.items():
        if key == "none":
            continue
        number, name = key.split(".", 1)
        parameter = parameters[int(number)]
        on = parameter.device if name != "step" or fused else torch.device("cpu")
        optimizer.state[parameter][name] = value.to(on)


def remove(out: Path) -> None:
    """The run is over: its checkpoints are not needed any more."""
    shutil.rmtree(out / _DONE, ignore_errors=True)
    if unfinished(out):
        (out / FOLDER).rename(out / _DONE)  # first of all: half of them would look like a run
        shutil.rmtree(out / _DONE, ignore_errors=True)
