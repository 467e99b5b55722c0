"""Result files: small JSON objects that appear only when complete, and errors beside them."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from arctag.errors import InputError

FORMAT = 1
RUN, SPEED, LENGTHS, ENERGY, CHOICES = "run", "speed", "lengths", "energy", "choices"
"""Kinds of results."""

_NEEDED = {"kind", "id", "environment"}


def result_path(folder: Path, name: str) -> Path:
    """Where a result is, or will be."""
    return folder / f"{name}.json"


def error_path(folder: Path, name: str) -> Path:
    """Where the reason is why there is none."""
    return folder / f"{name}.error.txt"


def write_result(path: Path, value: dict[str, Any]) -> None:
    """Write beside, then move: at no moment is there half a file. One key a line, so that differences can be read."""
    lines = (f"{json.dumps(key)}: {json.dumps(item, separators=(',', ':'))}" for key, item in value.items())
    write_text(path, "{\n" + ",\n".join(lines) + "\n}\n")


def write_text(path: Path, text: str) -> None:
    """Replace a file as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_result(path: Path) -> dict[str, Any]:
    """One result file."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error}); remove it and run again") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT or not value.keys() >= _NEEDED:
        raise InputError(f"{path}: not a result of format {FORMAT}; remove it and run again")
    return value


def read_results(folder: Path) -> list[dict[str, Any]]:
    """All results in a folder, by name."""
    return [read_result(path) for path in sorted(folder.glob("*.json"))]
