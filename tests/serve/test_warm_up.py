"""The warm-up: only where something is missing, out of the way of requests, and gone with the service."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arctag.serve import warm_up as module
from arctag.serve.warm_up import WarmUp, fill, is_cold, kernels, warm_up
from tests.serve.servers import wait_until


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], str]]:
    """What the service has logged."""
    logger = logging.getLogger("arctag.serve")
    before, logger.propagate = logger.propagate, True
    caplog.set_level(logging.INFO, "arctag.serve")
    yield lambda: caplog.text
    logger.propagate = before


def child(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let the cache be cold, and another program be run."""
    monkeypatch.setattr(module, "is_cold", lambda _: True)
    monkeypatch.setattr(module, "_CHILD", text)


def test_warm_up_fills_the_whole_cache() -> None:
    fill()
    assert len(kernels()) > 20
    assert not is_cold(kernels())


def test_warm_up_is_needed_where_an_index_is_missing_or_old(tmp_path: Path) -> None:
    def loop() -> None:
        """Something to compile."""

    loop.__qualname__ = "loop"
    one: Any = SimpleNamespace(py_func=loop, stats=SimpleNamespace(cache_path=str(tmp_path)))
    python = "".join(map(str, sys.version_info[:2]))
    index = tmp_path / f"encodings.loop-{loop.__code__.co_firstlineno}.py{python}.nbi"
    assert is_cold([one])
    index.touch()
    assert not is_cold([one])
    os.utime(index, (0, 0))
    assert is_cold([one])


def test_warm_up_is_of_no_use_where_nothing_can_be_kept() -> None:
    one: Any = SimpleNamespace(py_func=len, stats=SimpleNamespace(cache_path=None))
    assert not is_cold([one])


def test_warm_up_starts_nothing_where_all_is_there(monkeypatch: pytest.MonkeyPatch, log: Callable[[], str]) -> None:
    child(monkeypatch, "")
    monkeypatch.setattr(module, "is_cold", lambda _: False)
    with warm_up() as warming:
        warming.start()
    assert log() == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [("", "the encodings are compiled ("), ("raise SystemExit(3)", "could not be compiled (exit code 3)")],
)
def test_warm_up_says_how_it_ended(
    monkeypatch: pytest.MonkeyPatch, log: Callable[[], str], text: str, line: str
) -> None:
    child(monkeypatch, text)
    with warm_up() as warming:
        warming.start()
        wait_until(lambda: line in log())


def test_warm_up_ends_with_the_service(monkeypatch: pytest.MonkeyPatch, log: Callable[[], str]) -> None:
    child(monkeypatch, "import time; time.sleep(60)")
    warming = WarmUp()
    warming.start()
    process = warming._process
    assert process is not None
    assert process.poll() is None  # start did not wait
    warming.stop()
    assert process.poll() not in (None, 0)
    assert "compiled (" not in log()


@pytest.mark.full
def test_warm_up_leaves_nothing_to_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    warming = WarmUp()
    monkeypatch.setattr(module, "is_cold", lambda _: True)
    warming.start()
    process = warming._process
    assert process is not None
    assert process.wait(300) == 0
    found = {path.name.split("-")[0] for path in tmp_path.rglob("*.nbi")}
    assert {f"{one.__module__.rpartition('.')[2]}.{one.__qualname__}" for one in kernels()} <= found
    assert "conllu_kernel.read_sentences" in found  # files are read, too
