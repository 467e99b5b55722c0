"""Signals that ask a command to stop: Ctrl-C, SIGTERM and SIGHUP all end it as Ctrl-C does, in good order.

They are remembered, since code beneath Python may turn a `KeyboardInterrupt` into an error of its own, or swallow it.
Compiled functions are such code: interrupted while they hand back their result, they raise a `SystemError`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOP = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_received: list[int] = []


@contextmanager
def handled() -> Iterator[None]:
    """Stop in good order while this lasts; a signal that is ignored, or has a handler of its own, keeps that."""
    _received.clear()
    before = {}
    if threading.current_thread() is threading.main_thread():
        usual = (signal.SIG_DFL, signal.default_int_handler)
        before = {number: handler for number in _STOP if (handler := signal.getsignal(number)) in usual}
    for number in before:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def obeyed() -> Iterator[None]:
    """An error after a signal came is a `KeyboardInterrupt` again."""
    try:
        yield
    except Exception as error:
        if _received:
            raise KeyboardInterrupt from error
        raise


def check() -> None:
    """Stop here if a signal came and was swallowed."""
    if _received:
        raise KeyboardInterrupt


def exit_code() -> int:
    """What a command that was stopped ends with: 128 and the number of the signal, as shells have it."""
    return 128 + (_received[0] if _received else signal.SIGINT)


def _stop(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    signal.default_int_handler(number, frame)
