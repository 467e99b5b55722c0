"""Fixtures: a tiny grid, and what its runs leave behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.experiments.tools import TINY, call


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A grid file in a folder of its own."""
    path = tmp_path / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which some runs were done and one failed, then the same command again with more runs."""
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("experiments")
    (folder / "tiny.toml").write_text(TINY, encoding="utf-8")
    several: list[str | Path] = ["--processes", "2", "--keep", folder / "models"]
    done = call("run.py", "--only", "*--bits6-4--verified--*", "broken", "elsewhere", *several, folder=folder)
    (folder / "first.txt").write_text(done.stdout + done.stderr)
    assert done.returncode == 1
    before = (folder / "results" / "sample.jsonl").read_text(encoding="utf-8")
    done = call("run.py", "--only", "main", *several, folder=folder)
    (folder / "second.txt").write_text(done.stdout + done.stderr)
    assert done.returncode == 0
    after = (folder / "results" / "sample.jsonl").read_text(encoding="utf-8")
    assert before.count("\n") == 1
    assert before in after  # with its times: it was not run again
    return folder
