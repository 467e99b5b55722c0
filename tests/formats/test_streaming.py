"""Reading and writing hold what has come and one block at a time, however long the file."""

from __future__ import annotations

import io
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from types import SimpleNamespace

import pytest

from arctag.formats import read, write
from arctag.transforms import empty_nodes
from tests.places import SAMPLES

ROW = "\t_\t_\t_\t_\t"
SENTENCE = f"# sent_id = s\n1\tRain{ROW}2\tnsubj\t2:nsubj\t_\n2\tfalls{ROW}0\troot\t0:root\t_\n\n".encode()


class Endless(io.RawIOBase):
    """A stream that makes its sentences up while it is read."""

    def __init__(self, count: int) -> None:
        self.parts: Iterator[bytes] = repeat(SENTENCE, count)
        self.rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self.rest = self.rest or next(self.parts, b"")
        size = min(len(buffer), len(self.rest))
        buffer[:size], self.rest = self.rest[:size], self.rest[size:]
        return size


def _peak(count: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """The most memory that converting so many sentences took, in bytes."""
    write(read(SAMPLES / "sample.conllu"), "/dev/null")  # what is loaded once
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(Endless(count))))
    tracemalloc.start()
    try:
        written = write(map(empty_nodes.collapse, read("-")), "/dev/null")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert written == count
    return peak


def test_streaming_memory_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    # 4,000 sentences held in memory would take more than 5 MB
    assert _peak(4000, monkeypatch) < 400_000


def test_streaming_a_file_takes_the_memory_of_a_block(tmp_path: Path) -> None:
    peaks = []
    for count in (30_000, 30_000, 120_000):  # the first of them loads what is loaded once
        path = tmp_path / f"{count}.conllu"
        path.write_bytes(SENTENCE * count)
        tracemalloc.start()
        try:
            assert write(map(empty_nodes.collapse, read(path)), "/dev/null") == count
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[2] < 1.5 * peaks[1]


@pytest.mark.full
def test_streaming_memory_does_not_grow_on_a_large_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _peak(200_000, monkeypatch) < 400_000


def test_streaming_gives_the_first_sentence_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Endless(100_000)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(stream)))
    assert next(read("-")).words == ["Rain", "falls"]
    assert sum(1 for _ in stream.parts) > 99_000
