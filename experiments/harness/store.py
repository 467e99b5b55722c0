"""Results: one file of JSON lines for each treebank, one line for each result, sorted by name.

Several processes may add results at once, and be killed at any moment: under a lock, the new file is written to a
temporary one and renamed, so that it holds each result completely or not at all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from arctag.errors import InputError
from arctag.formats.files import open_output

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Result = dict[str, Any]
FORMAT = 1
RUN, SPEED, LENGTHS, ENERGY, CHOICES, TREES = "run", "speed", "lengths", "energy", "choices", "trees"
"""Kinds of results."""

_REQUIRED = {"kind", "id", "treebank", "environment"}
_LOCK = ".lock"


def name_of(result: Result) -> str:
    """The name of a result: its id, and for a measurement also what was measured and on which machine."""
    if "machine" in result:
        return measurement_name(result["kind"], result["machine"], result["id"])
    return str(result["id"])


def measurement_name(kind: str, machine: str, run: str) -> str:
    """The name of what was measured with a run on one machine; results of several machines exist side by side."""
    return f"{kind}--{machine}--{run}"


def results_file(folder: Path, treebank: str) -> Path:
    """The results of a treebank."""
    return folder / f"{treebank}.jsonl"


def error_path(folder: Path, name: str) -> Path:
    """The log of a run that failed."""
    return folder / f"{name}.error.txt"


def add_result(folder: Path, result: Result) -> None:
    """Add a result, or replace the one of the same name."""
    line = json.dumps(result, separators=(",", ":"))
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        path = results_file(folder, result["treebank"])
        lines = {name_of(old): text for text, old in _read_lines(path)}
        lines[name_of(result)] = line
        _replace(path, "".join(f"{lines[name]}\n" for name in sorted(lines)))


def find_result(folder: Path, treebank: str, name: str) -> Result | None:
    """One result by its name."""
    return next((result for _, result in _read_lines(results_file(folder, treebank)) if name_of(result) == name), None)


def read_results(folder: Path) -> list[Result]:
    """All results of a folder, by name."""
    return sorted((result for path in folder.glob("*.jsonl") for _, result in _read_lines(path)), key=name_of)


def write_text(path: Path, text: str) -> None:
    """Replace a file as a whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open_output(path) as file:
        file.write(text)


def _read_lines(path: Path) -> Iterator[tuple[str, Result]]:
    """Each line of a file with the result that it holds."""
    if not path.exists():
        return
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read ({error})") from error
    lines = text.splitlines()
    names: set[str] = set()
    for number, line in enumerate(lines, 1):
        try:
            result = json.loads(line)
        except ValueError as error:
            if number == len(lines) and not text.endswith("\n"):
                return  # cut off while it was copied: as if it had not been run
            raise _bad_line(path, number, f"not JSON ({error})") from error
        if not isinstance(result, dict) or result.get("format") != FORMAT or not result.keys() >= _REQUIRED:
            raise _bad_line(path, number, f"not a result of format {FORMAT}")
        if name_of(result) in names:
            raise _bad_line(path, number, f"a second result {name_of(result)}")
        names.add(name_of(result))
        yield line, result


def _bad_line(path: Path, number: int, problem: str) -> InputError:
    return InputError(f"{path}, line {number}: {problem}; remove the line and run again")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a folder's results; whoever comes second waits."""
    with open(folder / _LOCK, "w") as file:
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _replace(path: Path, text: str) -> None:
    """Write a temporary file and rename it; one that an interruption left behind is overwritten the next time."""
    part = path.with_name(f".{path.name}.part")
    with open(part, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
