"""Checkpoints: everything needed to resume a run as if it had not been interrupted; JSON and safetensors.

Random numbers need no saving: each epoch draws its own from the seed and its number. A checkpoint is written beside
the one before, then renamed, and only then is the old one removed: whenever a run is killed, there is a whole one.
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
SILVER = "silver"
"""The folder among them for text that teachers have labelled; it stays until the run is finished."""
_FREE = ("device", "output", "tensorboard", "wandb", "name", "license", "silver")  # may differ when a run is resumed


@dataclass
class Progress:
    """How far a run has come."""

    epoch: int = 0
    """Epochs done."""
    step: int = 0
    best: float = -1.0
    best_epoch: int = 0
    scores: dict[str, float] = field(default_factory=dict)
    """Of the best model, on development files."""
    waited: int = 0
    """Evaluations since the best one."""
    curve: list[dict[str, Any]] = field(default_factory=list)


def save(
    run: Path, progress: Progress, config: dict[str, Any], model: nn.Module, optimizer: torch.optim.Optimizer
) -> None:
    """Write a checkpoint, then remove those before it."""
    folder = run / FOLDER
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
        if other not in (goal, folder / SILVER):
            shutil.rmtree(other, ignore_errors=True)


def begin(run: Path) -> None:
    """Mark the run in a folder as unfinished, before its first checkpoint too."""
    (run / FOLDER).mkdir(exist_ok=True)


def unfinished(run: Path) -> bool:
    """Whether a folder holds an unfinished run."""
    return (run / FOLDER).is_dir()


def find(run: Path) -> Path | None:
    """The newest checkpoint of a run."""
    names = sorted(p for p in (run / FOLDER).glob("epoch-*") if re.fullmatch(r"epoch-\d{5}", p.name))
    return names[-1] if names else None


def load(folder: Path, config: dict[str, Any], model: nn.Module, optimizer: torch.optim.Optimizer) -> Progress:
    """Resume a run; with another config it would be another run, and is refused."""
    try:
        value = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
        for key, before in value["config"].items():
            if key not in _FREE and config.get(key) != before:
                now = config.get(key)
                reason = f"{key} was {before!r} and now is {now!r}"
                raise InputError(f"cannot resume: {reason} (see {folder}); use another --output")
        model.load_state_dict(load_file(folder / "model.safetensors"))
        _set_state(optimizer, load_file(folder / "optimizer.safetensors"))
        return Progress(**value["progress"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, SafetensorError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"cannot resume: {folder} is damaged ({reason}); start again with another --output") from error


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


def remove(run: Path) -> None:
    """Remove the checkpoints of a run that is finished."""
    shutil.rmtree(run / _DONE, ignore_errors=True)
    if unfinished(run):
        (run / FOLDER).rename(run / _DONE)  # first of all: half of them would look like an unfinished run
        shutil.rmtree(run / _DONE, ignore_errors=True)
