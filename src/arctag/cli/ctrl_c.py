"""Ctrl-C, remembered: code beneath Python may turn a `KeyboardInterrupt` into an error of its own, or swallow it.

Compiled functions are such code: interrupted while they hand back their result, they raise a `SystemError`.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_heard = threading.Event()


@contextmanager
def listening() -> Iterator[None]:
    """Remember Ctrl-C while this lasts; who has another way of hearing it keeps that."""
    _heard.clear()
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _hear)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def obeyed() -> Iterator[None]:
    """An error after Ctrl-C came is a `KeyboardInterrupt` again."""
    try:
        yield
    except Exception as error:
        if _heard.is_set():
            raise KeyboardInterrupt from error
        raise


def check() -> None:
    """Stop here if Ctrl-C came and was swallowed."""
    if _heard.is_set():
        raise KeyboardInterrupt


def _hear(number: int, frame: FrameType | None) -> None:
    _heard.set()
    signal.default_int_handler(number, frame)
