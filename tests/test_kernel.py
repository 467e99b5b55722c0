"""Compiled loops: kept on disk where that can be written, and compiled at each start where it cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import arctag
from arctag.kernel import kernel
from tests.patience import HANGS

WORKERS = """
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from arctag import Graph
from arctag.encodings import Arcs
from arctag.encodings.cycles import cyclic
graph = Arcs.of([Graph(2, [(0, 1, "root"), (1, 2, "a")])])
cyclic(graph)
with ProcessPoolExecutor(2, get_context("spawn")) as pool:
    print(*(found.tolist() for found in pool.map(cyclic, [graph] * 4)))
"""


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package where no cache can be written: a file stands in the place of each folder for it."""
    root = tmp_path_factory.mktemp("read_only")
    package = Path(arctag.__file__).parent
    shutil.copytree(package, root / "arctag", ignore=shutil.ignore_patterns("__pycache__", "models"))
    for folder in [root / "arctag", *root.glob("arctag/**/")]:
        (folder / "__pycache__").touch()
    return root


def python(root: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    places = [str(root), *(path for path in sys.path if not (Path(path) / "arctag").is_dir())]
    paths = {"PYTHONPATH": os.pathsep.join(places), "HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/none"}
    return subprocess.run(
        [sys.executable, "-S", *arguments], env={**kept, **paths, **variables}, capture_output=True, text=True,
        timeout=HANGS,
    )  # fmt: skip


def test_kernel_without_a_cache_works_and_warns_once(read_only: Path, tmp_path: Path) -> None:
    command = ("-m", "arctag", "encodings", "absolute", "(0)", "(1)")  # few loops to compile
    done = python(read_only, *command)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert done.stderr.startswith("arctag: no folder for compiled code can be written")
    assert done.stderr.endswith("set NUMBA_CACHE_DIR to a folder that can be written\n")
    assert done.stderr.count("\n") == 1
    cached = python(read_only, *command, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert (cached.returncode, cached.stdout, cached.stderr) == (0, done.stdout, "")
    assert list(tmp_path.glob("cache/**/*.nbi"))


def test_kernel_without_a_cache_is_said_by_the_first_process_alone(read_only: Path) -> None:
    done = python(read_only, "-c", WORKERS)
    assert done.stdout == "[False] [False] [False] [False]\n", done.stderr
    assert done.stderr.count("NUMBA_CACHE_DIR") == 1


def test_kernel_other_errors_of_numba_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: object) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr("numba.njit", fails)
    with pytest.raises(RuntimeError, match="something else"):
        kernel(lambda: 1)()


CALLS = """
from arctag.kernel import kernel

@kernel
def outer(n):
    return inner(n) + 1

@kernel
def inner(n):
    return 2 * n
"""


def test_kernel_is_compiled_when_it_is_first_called_with_those_that_it_calls(tmp_path: Path) -> None:
    (tmp_path / "calls.py").write_text(CALLS)
    code = (
        "import sys, calls; from calls import outer; print('numba' in sys.modules); before = calls.outer; "
        "print(outer(3), calls.outer(3), before(3), calls.inner(3), hasattr(calls.inner, 'py_func'), "
        "calls.outer is not before, outer is before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=HANGS,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
    )  # fmt: skip
    assert done.stdout == "False\n7 7 7 6 True True True\n", done.stderr


def test_kernel_numba_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, arctag, arctag.encodings, arctag.formats, arctag.cli; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS)
    assert done.stdout == "False\n", done.stderr
