"""Cutting a table into pieces between its sentences: bytes that can be scanned without the rest, in any process."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from arctag.columns import Header
from arctag.errors import FormatError
from arctag.formats.streams import Input, name_of, opened

SIZE = 1 << 20
"""Bytes of a piece, about: the arrays of so many fit into the caches of a processor."""
_LINE_END, _HASH = 10, 35
_EMPTY_LINES = re.compile(rb"\n*")
_MARK = b"\xef\xbb\xbf"
_NEWDOC = re.compile(rb"#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*(.*?))?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Piece:
    """Some whole sentences of a table."""

    source: str
    """How the file is named in messages."""
    line: int
    """The number of the first line in the file."""
    data: bytes
    """Lines end with a single line feed, the last one too."""
    damage: FormatError | None = None
    """What is wrong behind the last line, where the input breaks off."""
    header: Header | None = None
    """The columns of a CoNLL-U Plus file."""

    @property
    def words(self) -> int:
        """About how many words it has."""
        return count_lines(self.data)


def count_lines(data: bytes | bytearray) -> int:
    """The number of line ends; `bytes.count` would take more time than all else that is done to a piece."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == _LINE_END))


def last_document(data: bytes, before: str | None) -> str | None:
    """The id of the last document that begins in some text of CoNLL-U, or of the one before if none does."""
    at = data.rfind(b"newdoc")
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        if (match := _NEWDOC.match(data, start)) is not None:
            return match[1].decode("utf-8", "replace") if match[1] is not None else None
        at = data.rfind(b"newdoc", 0, at)
    return before


def pieces(source: Input, size: int | None = None) -> Iterator[Piece]:
    """Cut a file into pieces, each ending after the first sentence that reaches the size.

    A file without a sentence is an error. The end of a file that breaks off is damage of the last piece.
    If the input is prompt, a piece also ends where the rest has yet to come.
    """
    file = opened(source)
    damage: list[FormatError] = []
    cutter = _Cutter(name_of(source), size or SIZE, file.must_wait if file.prompt else None)
    yield from cutter.pieces(file.buffers(damage.append))
    yield from cutter.last(damage[0] if damage else None)


def text_pieces(text: str, source: str) -> Iterator[Piece]:
    """The pieces of a file's text that is in memory; `source` is what messages call it."""
    cutter = _Cutter(source, SIZE)
    yield from cutter.pieces([text.encode("utf-8", "surrogatepass")])
    yield from cutter.last(None, "text")


class _Cutter:
    """Bytes come in as they are read, pieces go out."""

    def __init__(self, source: str, size: int, must_wait: Callable[[], bool] | None = None) -> None:
        """If `must_wait` says that the next bytes have yet to come, a piece may be smaller than the size."""
        self.source, self.must_wait = source, must_wait
        self.rest = bytearray()
        self.line = 1
        self.least = max(size - 2, 0)
        # no piece ends before these places: a long sentence must not be searched again for each buffer of it
        self.searched, self.searched_when_waiting = self.least, 0

    def pieces(self, buffers: Iterable[bytes]) -> Iterator[Piece]:
        """The pieces that are complete: the next sentence has begun."""
        for buffer in _with_one_line_end(_without_mark(iter(buffers))):
            self.rest += buffer
            text = buffer.rstrip(b"\n")
            if not text:
                continue
            while (end := self._end()) is not None:
                yield self._cut(end)
            if self.must_wait is not None and self.must_wait():
                end = self._last_end(len(self.rest) - len(buffer) + len(text))
                if end is not None:
                    yield self._cut(end)

    def _end(self) -> int | None:
        """Where the first sentence ends that reaches the size, the empty lines after it included."""
        at = self.searched
        while (at := self.rest.find(b"\n\n", at)) >= 0:
            end = _behind(self.rest, at)
            if end == len(self.rest):  # more empty lines may follow
                self.searched = at
                return None
            if _ends_sentence(self.rest, at):
                return end
            at = end
        self.searched = max(self.searched, len(self.rest) - 1)
        return None

    def _last_end(self, stop: int) -> int | None:
        """Where the last sentence ends that is complete; only empty lines follow `stop`."""
        at = stop
        while (at := self.rest.rfind(b"\n\n", self.searched_when_waiting, at)) >= 0:
            end = at + 2
            while at and self.rest[at - 1] == _LINE_END:
                at -= 1
            if _ends_sentence(self.rest, at):
                return end
        self.searched_when_waiting = max(stop - 1, 0)
        return None

    def _cut(self, end: int) -> Piece:
        with memoryview(self.rest) as rest:
            data = bytes(rest[:end])
        del self.rest[:end]
        self.searched, self.searched_when_waiting = self.least, 0
        piece = Piece(self.source, self.line, data)
        self.line += count_lines(data)
        return piece

    def last(self, damage: FormatError | None, kind: str = "file") -> Iterator[Piece]:
        """What is left at the end: sentences, then comments with no sentence below them, which are damage."""
        if self.rest and self.rest[-1] != _LINE_END:
            self.rest += b"\n"
        alone = self.line == 1
        if end := _end_of_sentences(self.rest):
            piece = self._cut(end)
            if damage is not None and not piece.data.endswith(b"\n\n"):  # it breaks off inside the sentence
                piece, damage = replace(piece, damage=damage), None
            yield piece
        comments = bytes(self.rest)
        fault = damage or self._fault_at_end(comments.strip(b"\n"), alone and not end, kind)
        if fault is not None:
            if not comments.strip(b"\n"):
                raise fault
            yield Piece(self.source, self.line, comments, fault)

    def _fault_at_end(self, comments: bytes, alone: bool, kind: str) -> FormatError | None:
        line = self.line + count_lines(self.rest) - 1
        if alone:
            why = "only comments" if comments else f"the {kind} is empty"
            return FormatError(self.source, line or None, f"no sentence ({why})", "at least one sentence")
        if not comments:
            return None
        first = comments.split(b"\n", 1)[0].decode("utf-8", "surrogateescape")
        return FormatError(self.source, line, f"a comment with no sentence at the end ({first!r})", "words below it")


def _without_mark(buffers: Iterator[bytes]) -> Iterator[bytes]:
    """Some editors begin a file with a byte order mark; it is no part of the first line."""
    start = b""
    while len(start) < len(_MARK) and (more := next(buffers, b"")):
        start += more
    yield start.removeprefix(_MARK)
    yield from buffers


def _with_one_line_end(buffers: Iterable[bytes]) -> Iterator[bytes]:
    """The buffers with line ends of one kind."""
    held = b""
    for buffer in buffers:
        if not held and b"\r" not in buffer:  # looking for one byte is much quicker than for two
            yield buffer
            continue
        buffer, held = held + buffer, b""
        if buffer.endswith(b"\r"):  # the other half of the pair may follow
            buffer, held = buffer[:-1], b"\r"
        yield buffer.replace(b"\r\n", b"\n")
    yield held


def _behind(data: bytearray, at: int) -> int:
    """Where the empty lines end that begin at a place."""
    found = _EMPTY_LINES.match(data, at)
    assert found is not None
    return found.end()


def _is_comment(data: bytearray, start: int, end: int) -> bool:
    """A line that starts with '#', unless that is a word: then a tab comes before any space."""
    if data[start] != _HASH:
        return False
    tab = data.find(b"\t", start, end)
    return tab < 0 or data.find(b" ", start, tab) >= 0


def _ends_sentence(data: bytearray, end: int) -> bool:
    """Whether a sentence ends with the line that ends there: it and the lines above are not comments alone."""
    while end > 0 and data[end - 1] != _LINE_END:
        start = data.rfind(b"\n", 0, end) + 1
        if not _is_comment(data, start, end):
            return True
        end = start - 1
    return False


def _end_of_sentences(data: bytearray) -> int:
    """Where the last sentence ends, the empty lines after it included: only comments may follow."""
    end = len(data)
    last = len(data.rstrip(b"\n"))
    while last and not _ends_sentence(data, last):
        end = data.rfind(b"\n\n", 0, last) + 2
        last = end if end > 1 else 0
        while last and data[last - 1] == _LINE_END:
            last -= 1
    return end if last else 0
