"""Cells of a table as spans of its bytes: joined into one text, numbered by what is in them, put in place of others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.kernel import kernel

Bytes = npt.NDArray[np.uint8]
Positions = npt.NDArray[np.int32] | npt.NDArray[np.int64]
Longs = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


class Spans(NamedTuple):
    """Parts of some bytes."""

    data: Bytes
    starts: Positions
    ends: Positions

    def __len__(self) -> int:
        return len(self.starts)

    def texts(self) -> list[str]:
        """The text of each; none may hold a line end."""
        return self.joined().split("\n") if len(self.starts) else []

    def joined(self) -> str:
        """The texts with line ends between them."""
        if not len(self.starts):
            return ""
        return _joined(self.data, self.starts, self.ends, 10).tobytes().decode("utf-8", "surrogateescape")

    def text(self, i: int) -> str:
        """The text of one."""
        return self.data[self.starts[i] : self.ends[i]].tobytes().decode("utf-8", "surrogateescape")

    def equal(self, text: bytes) -> Flags:
        """Which of them are this text."""
        return _equal(self.data, self.starts, self.ends, np.frombuffer(text, dtype=np.uint8))

    def numbered(self) -> tuple[Numbers, list[str]]:
        """A number for each, the same for the same text, in the order in which they first come; and the texts."""
        numbers, firsts = self.distinct()
        return numbers, Spans(self.data, self.starts[firsts], self.ends[firsts]).texts()

    def distinct(self) -> tuple[Numbers, Longs]:
        """The same with the first span of each number."""
        room = 1 << max(8, int(2 * len(self.starts)).bit_length())
        return _numbered(self.data, self.starts, self.ends, room)

    @classmethod
    def of_lines(cls, text: str) -> Spans:
        """The lines of a text."""
        data = np.frombuffer(text.encode("utf-8", "surrogateescape"), dtype=np.uint8)
        line_ends = np.flatnonzero(data == 10)
        return cls(data, np.insert(line_ends + 1, 0, 0), np.append(line_ends, len(data)))

    @classmethod
    def of(cls, texts: list[str]) -> Spans:
        """The spans of texts that are written one after another."""
        encoded = [text.encode("utf-8", "surrogateescape") for text in texts]
        ends = np.cumsum([len(text) for text in encoded], dtype=np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if encoded else ends
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), starts, ends)


@kernel
def _joined(data: Bytes, starts: Positions, ends: Positions, separator: int) -> Bytes:
    """The spans with a byte between them."""
    size = len(starts) - 1
    for i in range(len(starts)):
        size += ends[i] - starts[i]
    out = np.empty(size, dtype=np.uint8)
    at = 0
    for i in range(len(starts)):
        if i:
            out[at] = separator
            at += 1
        for k in range(starts[i], ends[i]):
            out[at] = data[k]
            at += 1
    return out


@kernel
def _equal(data: Bytes, starts: Positions, ends: Positions, text: Bytes) -> Flags:
    out = np.zeros(len(starts), dtype=np.bool_)
    for i in range(len(starts)):
        if ends[i] - starts[i] == len(text):
            same = True
            for k in range(len(text)):
                if data[starts[i] + k] != text[k]:
                    same = False
                    break
            out[i] = same
    return out


@kernel
def _same(data: Bytes, a: int, b: int, size: int) -> bool:
    for k in range(size):  # noqa: SIM110  # a generator is slow in a kernel
        if data[a + k] != data[b + k]:
            return False
    return True


@kernel
def _numbered(data: Bytes, starts: Positions, ends: Positions, room: int) -> tuple[Numbers, Longs]:
    """The number of each span, and the first span of each number; `room` is a power of two above their count."""
    table = np.full(room, -1, dtype=np.int32)
    numbers = np.empty(len(starts), dtype=np.int32)
    firsts = np.empty(len(starts), dtype=np.int64)
    count = 0
    for i in range(len(starts)):
        start, size = starts[i], ends[i] - starts[i]
        code = np.uint64(14695981039346656037)
        for k in range(start, ends[i]):
            code = (code ^ np.uint64(data[k])) * np.uint64(1099511628211)
        at = np.int64((code ^ (code >> np.uint64(29))) & np.uint64(room - 1))
        while True:
            number = table[at]
            if number < 0:
                table[at] = count
                firsts[count] = i
                numbers[i] = count
                count += 1
                break
            other = firsts[number]
            if ends[other] - starts[other] == size and _same(data, starts[other], start, size):
                numbers[i] = number
                break
            at = (at + 1) & (room - 1)
    return numbers, firsts[:count].copy()
