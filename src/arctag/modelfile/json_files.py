"""JSON files of a model folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arctag.errors import InputError


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file; `InputError` if there is none."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{path.parent} is not a model folder: {path.name} is missing") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:  # bad JSON, bad UTF-8, or a number of thousands of digits
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected a JSON object")
    return value


def write_json(path: Path, value: object, indent: int | None = None) -> None:
    """A value as JSON, in UTF-8."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")
