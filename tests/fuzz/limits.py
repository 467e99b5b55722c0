"""How hard to try, and what is asked of a reader."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import HealthCheck, settings

from arctag.errors import ArctagError

FEW = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=2_000, deadline=None, suppress_health_check=list(HealthCheck))
SOME = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
"""For what takes long to load."""
_MINUTES = 2


def survives(work: Callable[[Path], object], path: Path, *names: str) -> bool:
    """Whether the file was read; if it was not, that must be an `ArctagError` on one line which names it."""
    try:
        with _not_for_ever():
            work(path)
    except ArctagError as error:
        text = str(error)
        assert any(name in text for name in (path.name, *names)), text
        assert not re.search(r"[\n\r]", text), text
        return False
    return True


@contextmanager
def _not_for_ever() -> Iterator[None]:
    """A small file that takes minutes hangs, however busy the machine."""

    def hangs(*_: object) -> None:
        raise AssertionError("hangs")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(60 * _MINUTES)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
