"""Faults of files, made to happen: a full disk, a rename or a sync that fails, interrupted calls, short reads."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from arctag.formats import streams


@contextmanager
def full_disk(room: int = 200) -> Iterator[None]:
    """Files cannot grow beyond some bytes: the system itself refuses, wherever the write comes from."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def failing(name: str) -> Iterator[None]:
    """A function of `os` that fails as a broken disk makes it fail."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, name, fail)
        yield


@contextmanager
def interrupted_calls() -> Iterator[None]:
    """A signal every millisecond, which interrupts whatever the process waits for (EINTR)."""
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def short_reads(size: int = 7) -> Iterator[None]:
    """Every read gives a few bytes only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streams, "BUFFER_SIZE", size)
        yield


Fault = Callable[[], AbstractContextManager[None]]
FATAL: dict[str, Fault] = {
    "full disk": full_disk,
    "rename": lambda: failing("replace"),
    "sync": lambda: failing("fsync"),
}
"""Faults after which nothing can be written."""
HARMLESS: dict[str, Fault] = {"interrupted calls": interrupted_calls, "short reads": short_reads}
"""Faults that must not be noticed."""
