"""Torch's flags: set around calls, put back afterwards, and strict for all while one call is strict."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
import torch

from arctag.backends.torch import torch_flags as module
from arctag.backends.torch.tagger import Tagger
from arctag.backends.torch.torch_flags import PARSING, flagged, torch_flags
from arctag.parsing.loading import load
from arctag.training import loop
from arctag.training.dev_scores import dev_scores
from tests.networks import Models, events, small
from tests.threads import by_threads

pytestmark = pytest.mark.usefixtures("one_thread")


def flags() -> tuple[Any, ...]:
    """Everything that Arctag sets anywhere."""
    return tuple(flag.read() for flag in module._FLAGS.values())


def tf32() -> bool:
    return bool(torch.backends.cuda.matmul.allow_tf32)


@pytest.fixture(params=[False, True])
def before(request: pytest.FixtureRequest) -> Iterator[tuple[Any, ...]]:
    """The flags of the program around, either way."""
    usual = flags()
    value = bool(request.param)
    torch.backends.cuda.matmul.allow_tf32 = value
    torch.backends.cuda.enable_cudnn_sdp(value)
    torch.backends.cudnn.deterministic = torch.backends.cudnn.benchmark = value
    yield flags()
    for flag, was in zip(module._FLAGS.values(), usual, strict=True):
        flag.restore(was)


def test_torch_flags_are_put_back(before: tuple[Any, ...]) -> None:
    with torch_flags(PARSING):
        assert tf32()
        assert flags()[1] is False
    assert flags() == before
    with torch_flags({"deterministic": True, "benchmark": False}):
        assert torch.backends.cudnn.deterministic
        assert not torch.backends.cudnn.benchmark
    assert flags() == before


def test_torch_flags_of_a_stream_are_not_those_of_its_user(before: tuple[Any, ...]) -> None:
    inside = []

    def stream() -> Iterator[int]:
        for number in range(3):
            inside.append(flags()[-1])
            yield number

    for number in flagged({"cpu_bf16": True}, stream()):
        assert flags() == before
        assert number == len(inside) - 1
    assert inside == [True] * 3
    assert flags() == before


def test_torch_flags_are_put_back_after_an_error(before: tuple[Any, ...]) -> None:
    def fail() -> None:
        with torch_flags(PARSING):
            raise MemoryError

    with pytest.raises(MemoryError):
        fail()
    assert flags() == before


def test_torch_flags_strict_value_wins(before: tuple[Any, ...]) -> None:
    with torch_flags({"tf32": False}):
        with torch_flags(PARSING):
            assert not tf32()
        assert not tf32()
    with torch_flags(PARSING):
        assert tf32()
        with torch_flags({"tf32": False}):
            assert not tf32()
        assert tf32()
    assert flags() == before


def test_torch_flags_of_threads_that_overlap(before: tuple[Any, ...]) -> None:
    inside, leave = Event(), Event()

    def first() -> None:
        with torch_flags(PARSING):
            inside.set()
            assert leave.wait(60)

    thread = Thread(target=first)
    thread.start()
    assert inside.wait(60)
    with torch_flags(PARSING):
        leave.set()
        thread.join(60)  # the one who came first is gone
        assert tf32()
    assert flags() == before


def test_torch_flags_of_many_threads(before: tuple[Any, ...]) -> None:
    def work(number: int) -> int:
        wrong = 0
        for _ in range(200):
            with torch_flags({"tf32": False} if number == 0 else PARSING):
                wrong += tf32() if number == 0 else False
        return wrong

    assert by_threads(work) == [0] * 8
    assert flags() == before


def test_torch_flags_of_a_program_that_uses_the_newer_names() -> None:
    matmul: Any = torch.backends.cuda.matmul
    if not hasattr(matmul, "fp32_precision"):
        pytest.skip("this torch has none")
    matmul.fp32_precision = "tf32"
    try:
        with torch_flags(PARSING):
            assert tf32()
        assert matmul.fp32_precision == "tf32"
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False
        matmul.fp32_precision = "none"


def test_torch_flags_are_those_of_the_program_after_parsing(
    before: tuple[Any, ...], models: Models, sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = load(models("verified"), "cpu")
    model: Any = parser.backend.model  # type: ignore[attr-defined]
    seen: list[bool] = []

    def nodes(inputs: Any, real: Any = model.nodes) -> Any:
        seen.append(tf32())
        return real(inputs)

    monkeypatch.setattr(model, "nodes", nodes)
    stream = parser.parse(sample)
    next(stream)
    assert flags() == before  # between sentences, too
    list(stream)
    assert seen
    assert all(seen)
    assert flags() == before


@pytest.mark.parametrize("precision", ["fp32", "auto"])
def test_torch_flags_of_training(
    before: tuple[Any, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precision: str
) -> None:
    """fp32 is not TF32, neither in training nor in scoring."""
    seen: list[tuple[bool, bool]] = []
    losses = Tagger.losses

    def look(*_: object) -> None:
        seen.append((tf32(), torch.backends.cudnn.deterministic))

    def spied(self: Tagger, *rest: Any) -> Any:
        look()
        return losses(self, *rest)

    def counted(*rest: Any) -> Any:
        look()
        return dev_scores(*rest)

    monkeypatch.setattr(Tagger, "losses", spied)
    monkeypatch.setattr(loop, "dev_scores", counted)
    config = small(tmp_path / "m", encoding="bits6-4", epochs=1, precision=precision)
    for _ in loop.train(config):
        assert flags() == before
    assert len(seen) > 1
    assert set(seen) == {(precision != "fp32", True)}
    assert flags() == before


def test_torch_flags_and_random_numbers_outlive_training(tmp_path: Path) -> None:
    torch.manual_seed(3)
    wanted = torch.rand(4)
    torch.manual_seed(3)
    events(small(tmp_path / "m", epochs=1, encoder="lookup"))
    assert torch.equal(torch.rand(4), wanted)
