"""A job: what a worker process needs to know for one training run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arctag.training.config import TrainConfig, from_mapping

_PRIVATE = ("train", "dev", "test", "output", "device", "name", "license", "tensorboard", "wandb")


@dataclass(frozen=True)
class Job:
    """One run or one measurement."""

    id: str
    about: dict[str, Any]
    """The first keys of the result: treebank, parser, and so on."""
    config: dict[str, Any]
    """Training keys, with paths on this machine."""
    files: dict[str, Any]
    """The same files under the names that the grid has for them."""
    tests: dict[str, str]
    """Files to score on, by name."""
    results: str
    """The folder of results."""
    scratch: str
    """A folder for the model and the log; it is deleted afterwards."""
    parallel: int
    """How many jobs run at a time."""
    work: float
    """Megabytes of training file times epochs."""
    keep: str = ""
    """The folder to keep the model in; none unless set."""

    def train_config(self) -> TrainConfig:
        """The training config: every run learns the graph alone."""
        always = {"layers": ["graph"], "lexical": "none"}  # what the tables were made with
        return from_mapping({**always, **self.config, "output": str(Path(self.scratch) / "model")}, self.id)

    def public_config(self, config: TrainConfig) -> dict[str, Any]:
        """All keys with the values that were used, without paths on this machine."""
        keys = {key: value for key, value in config.resolved().to_dict().items() if key not in _PRIVATE}
        names = {key: Path(value).name for key, value in keys.items() if isinstance(value, str) and "/" in value}
        return {**keys, **names, **self.files}
