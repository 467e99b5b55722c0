"""How much work a call is, whatever the machine and however busy it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps(work: Callable[[], object]) -> int:
    """The lines of Python that a call runs, those of loops each time; what runs in C or in kernels is not seen."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def assert_linear(make: Callable[[int], Callable[[], object]], size: int) -> None:
    """Four times the size is about four times the work; were it quadratic, it would be sixteen times."""
    make(4 * size)()  # what is done once, or remembered
    small, large = steps(make(size)), steps(make(4 * size))
    assert large < 7 * small, (small, large)


class Compared(str):
    """A name that counts how often it is compared with another, which `steps` does not see."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Compared.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


class Searched(bytearray):
    """Bytes that count how many of them are searched, which `steps` does not see."""

    searched = 0

    def find(self, what: bytes, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        stop = len(self) if end is None else end
        found = bytearray.find(self, what, start, stop)
        self.searched += max(0, (found if found >= 0 else stop) - start)
        return found

    def rfind(self, what: bytes, start: int = 0, end: int | None = None) -> int:  # type: ignore[override]
        stop = len(self) if end is None else end
        found = bytearray.rfind(self, what, start, stop)
        self.searched += max(0, stop - (found if found >= 0 else start))
        return found
