"""Torch's process-wide flags, set around calls and put back afterwards, whatever other threads do meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import Any, NamedTuple

import torch

PARSING = {
    "tf32": True,  # more exact than the bf16 of training
    "cudnn_attention": False,  # it makes a plan for each new shape of a batch: longer than the step itself takes
}


class _Flag(NamedTuple):
    read: Callable[[], Any]
    set: Callable[[bool], None]
    put_back: Callable[[Any], None]
    strict: bool
    """The value that wins where calls under way at the same time differ."""


def _read_tf32() -> tuple[bool | None, str | None]:
    legacy = None
    with suppress(RuntimeError):  # set by the newer names alone
        legacy = torch.backends.cuda.matmul.allow_tf32
    return legacy, getattr(torch.backends.cuda.matmul, "fp32_precision", None)


def _set_tf32(value: bool) -> None:
    torch.backends.cuda.matmul.allow_tf32 = value


def _put_tf32_back(before: tuple[bool | None, str | None]) -> None:
    legacy, precision = before
    if legacy is not None:
        _set_tf32(legacy)
    if precision is not None:
        torch.backends.cuda.matmul.fp32_precision = precision


def _of_cudnn(name: str, strict: bool) -> _Flag:
    def set_value(value: bool) -> None:
        setattr(torch.backends.cudnn, name, value)

    return _Flag(lambda: getattr(torch.backends.cudnn, name), set_value, set_value, strict)


def _set_attention(value: bool) -> None:
    torch.backends.cuda.enable_cudnn_sdp(value)


_FLAGS = {
    "tf32": _Flag(_read_tf32, _set_tf32, _put_tf32_back, strict=False),
    "cudnn_attention": _Flag(torch.backends.cuda.cudnn_sdp_enabled, _set_attention, _set_attention, strict=False),
    "deterministic": _of_cudnn("deterministic", strict=True),
    "benchmark": _of_cudnn("benchmark", strict=False),
}
_lock = Lock()
_wanted: list[dict[str, bool]] = []
_before: dict[str, Any] = {}


@contextmanager
def torch_flags(wanted: dict[str, bool]) -> Iterator[None]:
    """Flags by name, for the calls in this block; the last one to leave finds them as the first one did."""
    with _lock:
        _wanted.append(wanted)
        _apply()
    try:
        yield
    finally:
        with _lock:
            _wanted.remove(wanted)
            _apply()


def _apply() -> None:
    for name, flag in _FLAGS.items():
        asked = [wanted[name] for wanted in _wanted if name in wanted]
        if asked:
            if name not in _before:
                _before[name] = flag.read()
            flag.set(flag.strict if flag.strict in asked else not flag.strict)
        elif name in _before:
            flag.put_back(_before.pop(name))
