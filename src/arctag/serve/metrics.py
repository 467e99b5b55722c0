"""What the service counts about itself, in the text format that Prometheus reads."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from threading import Lock

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_WORDS = (8.0, 32.0, 128.0, 512.0, 1024.0, 2048.0, 4096.0)
_REQUESTS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
_STATM = Path("/proc/self/statm")


class Counter:
    """A number that only grows, one for each combination of labels."""

    def __init__(self, name: str, help: str, labels: tuple[str, ...]) -> None:
        self.name, self.help, self.labels = name, help, labels
        self._values: dict[tuple[str, ...], float] = {}
        self._lock = Lock()

    def add(self, *labels: str, amount: float = 1) -> None:
        """Count something with these labels."""
        with self._lock:
            self._values[labels] = self._values.get(labels, 0) + amount

    def lines(self) -> Iterator[str]:
        """As text."""
        yield from _head(self.name, self.help, "counter")
        with self._lock:
            values = sorted(self._values.items())
        for labels, value in values:
            yield f"{self.name}{_braces(zip(self.labels, labels, strict=True))} {value:g}"


class Histogram:
    """How often a number was at most so large."""

    def __init__(self, name: str, help: str, bounds: Sequence[float]) -> None:
        self.name, self.help, self.bounds = name, help, bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        self._lock = Lock()

    def add(self, value: float) -> None:
        """Count one number."""
        with self._lock:
            self._counts[bisect_left(self.bounds, value)] += 1
            self._sum += value

    def lines(self) -> Iterator[str]:
        """As text, every bucket with those below it."""
        yield from _head(self.name, self.help, "histogram")
        with self._lock:
            counts, total = list(self._counts), self._sum
        below = 0
        for bound, count in zip([*map("{:g}".format, self.bounds), "+Inf"], counts, strict=True):
            below += count
            yield f'{self.name}_bucket{{le="{bound}"}} {below}'
        yield f"{self.name}_sum {total:.6f}"
        yield f"{self.name}_count {below}"


class Metrics:
    """All that is counted; `text` is what `/metrics` answers."""

    def __init__(self) -> None:
        self.requests = Counter("arctag_requests_total", "Requests answered.", ("path", "status"))
        self.seconds = Histogram("arctag_request_seconds", "Time from the first byte to the last.", _SECONDS)
        self.dropped = Counter(
            "arctag_connections_dropped_total", "Connections closed since their clients kept us waiting.", ("why",)
        )
        self.words = Counter("arctag_words_parsed_total", "Words parsed.", ("model",))
        self.batch_words = Histogram("arctag_batch_words", "Words that were parsed together.", _WORDS)
        self.batch_requests = Histogram("arctag_batch_requests", "Requests that were parsed together.", _REQUESTS)

    def text(self, inside: int, waiting: dict[str, int]) -> str:
        """Everything, with the requests that are inside now and those in the queue of each model."""
        parts: list[Counter | Histogram] = [
            self.requests,
            self.seconds,
            self.dropped,
            self.words,
            self.batch_words,
            self.batch_requests,
        ]
        lines = [line for part in parts for line in part.lines()]
        lines += [*_head("arctag_requests_inside", "Requests that wait or are worked on.", "gauge")]
        lines += [f"arctag_requests_inside {inside}"]
        lines += [*_head("arctag_queue_length", "Slices of requests that wait for a model.", "gauge")]
        lines += [f"arctag_queue_length{_braces([('model', name)])} {count}" for name, count in waiting.items()]
        if (memory := resident_memory()) is not None:
            lines += [*_head("process_resident_memory_bytes", "Memory of the process.", "gauge")]
            lines += [f"process_resident_memory_bytes {memory}"]
        return "\n".join(lines) + "\n"


def resident_memory() -> int | None:
    """Bytes of memory that this process takes up; None where the system does not say."""
    try:
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


def _head(name: str, help: str, kind: str) -> tuple[str, str]:
    return f"# HELP {name} {help}", f"# TYPE {name} {kind}"


def _braces(labels: Iterable[tuple[str, str]]) -> str:
    escaped = ((key, value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")) for key, value in labels)
    return "{" + ",".join(f'{key}="{value}"' for key, value in escaped) + "}"
