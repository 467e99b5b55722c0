"""Torch's process-wide flags, set around calls and restored afterwards, whatever other threads do meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import torch

PARSING = {
    "tf32": True,  # more exact than the bf16 of training
    "cudnn_attention": False,  # it plans each new shape of a batch, which takes longer than the step itself
}
T = TypeVar("T")
_cpu_bf16 = False


class _Flag(NamedTuple):
    read: Callable[[], Any]
    set: Callable[[bool], None]
    restore: Callable[[Any], None]
    strict: bool
    """The value to use where concurrent calls differ."""


def _read_tf32() -> tuple[bool | None, str | None]:
    legacy = None
    with suppress(RuntimeError):  # set by the newer names alone
        legacy = torch.backends.cuda.matmul.allow_tf32
    return legacy, getattr(torch.backends.cuda.matmul, "fp32_precision", None)


def _set_tf32(value: bool) -> None:
    torch.backends.cuda.matmul.allow_tf32 = value


def _restore_tf32(before: tuple[bool | None, str | None]) -> None:
    legacy, precision = before
    if legacy is not None:
        _set_tf32(legacy)
    if precision is not None:
        torch.backends.cuda.matmul.fp32_precision = precision


def cpu_bf16() -> bool:
    """Whether networks without LSTMs are to be computed in bf16 on processors: torch itself has no such flag."""
    return _cpu_bf16


def _set_cpu_bf16(value: bool) -> None:
    global _cpu_bf16
    _cpu_bf16 = value


def _of_cudnn(name: str, strict: bool) -> _Flag:
    def set_value(value: bool) -> None:
        setattr(torch.backends.cudnn, name, value)

    return _Flag(lambda: getattr(torch.backends.cudnn, name), set_value, set_value, strict)


def _set_attention(value: bool) -> None:
    torch.backends.cuda.enable_cudnn_sdp(value)


_FLAGS = {
    "tf32": _Flag(_read_tf32, _set_tf32, _restore_tf32, strict=False),
    "cudnn_attention": _Flag(torch.backends.cuda.cudnn_sdp_enabled, _set_attention, _set_attention, strict=False),
    "deterministic": _of_cudnn("deterministic", strict=True),
    "benchmark": _of_cudnn("benchmark", strict=False),
    "cpu_bf16": _Flag(cpu_bf16, _set_cpu_bf16, _set_cpu_bf16, strict=False),
}
_lock = Lock()
_active: list[dict[str, bool]] = []
_before: dict[str, Any] = {}


@contextmanager
def torch_flags(flags: dict[str, bool]) -> Iterator[None]:
    """Set flags by name for the calls in this block; the last block to end restores what the first one found."""
    with _lock:
        _active.append(flags)
        _apply()
    try:
        yield
    finally:
        with _lock:
            _active.remove(flags)
            _apply()


def flagged(flags: dict[str, bool], stream: Iterable[T]) -> Iterator[T]:
    """What comes from a stream; the flags are set while it works, and not while somebody uses what came."""
    iterator = iter(stream)
    while True:
        with torch_flags(flags):
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


def _apply() -> None:
    for name, flag in _FLAGS.items():
        values = [flags[name] for flags in _active if name in flags]
        if values:
            if name not in _before:
                _before[name] = flag.read()
            flag.set(flag.strict if flag.strict in values else not flag.strict)
        elif name in _before:
            flag.restore(_before.pop(name))
