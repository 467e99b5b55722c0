"""Models that come with Arctag, known by name."""

from __future__ import annotations

from pathlib import Path

from arctag.modelfile.networks import find_kind

FOLDER = Path(__file__).parents[1] / "models"


def names() -> list[str]:
    """The names of the models in the package."""
    return sorted(path.name for path in FOLDER.glob("*") if (path / "config.json").is_file())


def place(model: str | Path) -> Path:
    """Where a model is: a folder of the user's own comes before a model of that name in the package."""
    path = Path(model)
    return FOLDER / path if not (path / "config.json").is_file() and str(model) in names() else path


def is_exported(model: str | Path) -> bool:
    """Whether a model runs without any extra, torch above all."""
    kind = find_kind(place(model))
    return kind is not None and not kind.extra
