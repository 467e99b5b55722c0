"""Fixtures for all tests: sample files, shared treebanks, the command line in this process."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from arctag.cli import main
from tests.exported import exports  # noqa: F401  # a fixture
from tests.networks import models, one_thread, parsers  # noqa: F401  # fixtures
from tests.places import SAMPLES, SHARED

# the first examples of a numba kernel include its compilation
settings.register_profile("local", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", parent=settings.get_profile("local"), derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


class Result(NamedTuple):
    """What a run of the command line left behind."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")


class StandardInput(io.TextIOWrapper):
    """Bytes in place of `sys.stdin`."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BufferedReader(io.BytesIO(data)), encoding="utf-8")


Run = Callable[..., Result]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `arctag` with the given arguments (and `stdin=`) in this process."""

    def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "stdin", StandardInput(stdin))
        capsysbinary.readouterr()
        code = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as request:
            code = request.code if isinstance(request.code, int) else 1
        out, err = capsysbinary.readouterr()
        return Result(code, out, err.decode("utf-8"))

    return run


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data beside the project; the test is skipped where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"shared data not found: {SHARED}")
    return SHARED


@pytest.fixture(scope="session")
def sample() -> Path:
    """The sample treebank in CoNLL-U."""
    return SAMPLES / "sample.conllu"


@pytest.fixture(scope="session")
def sample_sdp() -> Path:
    """The sample treebank in SDP."""
    return SAMPLES / "sample.sdp"


@pytest.fixture(params=["sample.conllu", "sample.sdp"])
def any_sample(request: pytest.FixtureRequest) -> Path:
    """Each sample file in turn."""
    return SAMPLES / str(request.param)
