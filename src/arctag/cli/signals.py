"""Signals that stop a command: Ctrl-C, SIGTERM and SIGHUP all raise a `KeyboardInterrupt`.

They are noted, since code beneath Python may turn a `KeyboardInterrupt` into an error of its own, or swallow it.
Compiled functions do: interrupted while they return their result, they raise a `SystemError`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOP = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_DEFAULT = (signal.SIG_DFL, signal.default_int_handler)
_received: list[int] = []


@contextmanager
def handled() -> Iterator[None]:
    """Raise `KeyboardInterrupt` inside this block; a signal that is ignored, or has another handler, keeps that."""
    _received.clear()
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: handler for number in _STOP if (handler := signal.getsignal(number)) in _DEFAULT}
    for number in before:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def reraised() -> Iterator[None]:
    """An error after a signal was received becomes a `KeyboardInterrupt` again."""
    try:
        yield
    except Exception as error:
        if _received:
            raise KeyboardInterrupt from error
        raise


def check() -> None:
    """Stop here if a signal was received and swallowed."""
    if _received:
        raise KeyboardInterrupt


def exit_code() -> int:
    """The exit code of a command that was stopped: 128 and the number of the signal, as in shells."""
    return 128 + (_received[0] if _received else signal.SIGINT)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _received.append(number)
    signal.default_int_handler(number, frame)
