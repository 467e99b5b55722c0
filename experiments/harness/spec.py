"""What a script that does one thing in a process of its own is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arctag.training.config import TrainConfig, from_mapping

_PRIVATE = ("train", "dev", "test", "output", "device", "name", "license", "tensorboard", "wandb")


@dataclass(frozen=True)
class Spec:
    """One run or one measurement."""

    id: str
    about: dict[str, Any]
    """What the result says of itself: treebank, parser, and so on."""
    config: dict[str, Any]
    """Training keys, with the files as they are here."""
    files: dict[str, Any]
    """The same files as the grid calls them."""
    tests: dict[str, str]
    """Files to score on, by name."""
    result: str
    """The file to write."""
    scratch: str
    """A folder for the model, which goes afterwards."""
    beside: int
    """How many processes share the machine."""
    work: float
    """Megabytes of training file times epochs."""
    options: dict[str, Any]
    """What only one of the scripts wants to know."""

    def train_config(self) -> TrainConfig:
        """The config, complete."""
        return from_mapping({**self.config, "output": str(Path(self.scratch) / "model")}, self.id)

    def public_config(self, config: TrainConfig) -> dict[str, Any]:
        """All keys as they were used, without places on this machine."""
        keys = {key: value for key, value in config.resolved().to_dict().items() if key not in _PRIVATE}
        names = {key: Path(value).name for key, value in keys.items() if isinstance(value, str) and "/" in value}
        return {**keys, **names, **self.files}
