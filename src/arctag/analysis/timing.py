"""Measuring time: the fastest of several runs, the time of each step, and the machine it was measured on."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

from arctag import __version__
from arctag.backends.cores import usable_cores

T = TypeVar("T")


def best_of(action: Callable[[], object], repeats: int = 5, at_least: float = 0.02) -> float:
    """Seconds of the fastest run; short actions are run in a loop, long enough to be measured."""
    action()
    best = float("inf")
    for _ in range(repeats):
        runs, start = 0, perf_counter()
        while (spent := perf_counter() - start) < at_least or runs == 0:
            action()
            runs += 1
        best = min(best, spent / runs)
    return best


def machine() -> dict[str, Any]:
    """The machine and the versions that figures were measured with."""
    return {
        "processor": processor(),
        "cores": usable_cores(),
        "python": platform.python_version(),
        "arctag": __version__,
    }


def processor() -> str:
    """The name of the processor."""
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class StepTimer:
    """Adds up the time spent in each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        """Time a `with` block, as part of the step of that name."""
        start = perf_counter()
        yield
        self.seconds[step] = self.seconds.get(step, 0.0) + perf_counter() - start

    def stream(self, step: str, items: Iterable[T]) -> Iterator[T]:
        """The same items; the time it takes to get each is added to a step."""
        source = iter(items)
        while True:
            with self(step):
                item = next(source, None)
            if item is None:
                return
            yield item
