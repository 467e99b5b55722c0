"""What comments say: the id of a sentence, its text, the document that begins with it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arctag.cells import Bytes, Longs, Numbers, Positions, Spans
from arctag.kernel import kernel

OTHER, SENT_ID, TEXT, DOCUMENT, NO_DOCUMENT = range(5)
"""What a comment may be; the last one begins a document that has no id."""
_SENT_ID, _TEXT, _NEWDOC, _ID = (np.frombuffer(key, np.uint8) for key in (b"sent_id", b"text", b"newdoc", b"id"))
_HASH, _EQUALS, _SPACE, _TAB = 35, 61, 32, 9
_NONE = -1


class Values(NamedTuple):
    """Values for some of many sentences."""

    numbers: Longs
    """The sentences that have one."""
    spans: Spans


class Comments(NamedTuple):
    """The comments of many sentences, line by line."""

    lines: Spans
    owners: Longs
    """The sentence of each."""
    kinds: Numbers
    values: Spans
    """What is behind the equals sign."""

    @classmethod
    def of(cls, lines: Spans, owners: Longs) -> Comments:
        """Look at each comment."""
        kinds, starts, ends = _read(*lines, _SENT_ID, _TEXT, _NEWDOC, _ID)
        return cls(lines, owners, kinds, Spans(lines.data, starts, ends))

    def first(self, kind: int) -> Values:
        """The first value of a kind that each sentence has."""
        places = np.flatnonzero(self.kinds == kind)
        numbers, firsts = np.unique(self.owners[places], return_index=True)
        return Values(numbers, _taken(self.values, places[firsts]))

    def last(self) -> Values:
        """The last comment of each sentence without its hash signs: the id, in SDP."""
        places = np.flatnonzero(np.diff(self.owners, append=_NONE))
        starts, ends = _stripped(*_taken(self.lines, places))
        return Values(self.owners[places], Spans(self.lines.data, starts, ends))


def _taken(spans: Spans, places: Longs) -> Spans:
    return Spans(spans.data, spans.starts[places], spans.ends[places])


@kernel
def _behind_spaces(data: Bytes, at: int, end: int) -> int:
    while at < end and (data[at] == _SPACE or data[at] == _TAB):
        at += 1
    return at


@kernel
def _before_spaces(data: Bytes, start: int, end: int) -> int:
    while end > start and (data[end - 1] == _SPACE or data[end - 1] == _TAB):
        end -= 1
    return end


@kernel
def _behind_key(data: Bytes, at: int, end: int, key: Bytes) -> int:
    """The place behind a key that stands there; -1 if it does not."""
    if end - at < len(key):
        return _NONE
    for k in range(len(key)):
        if data[at + k] != key[k]:
            return _NONE
    return at + len(key)


@kernel
def _value(data: Bytes, at: int, end: int, key: Bytes) -> int:
    """Where the value of `key = value` begins; -1 if there is no such key."""
    at = _behind_key(data, at, end, key)
    if at < 0:
        return _NONE
    at = _behind_spaces(data, at, end)
    if at == end or data[at] != _EQUALS:
        return _NONE
    return _behind_spaces(data, at + 1, end)


@kernel
def _read(
    data: Bytes, starts: Positions, ends: Positions, sent_id: Bytes, text: Bytes, newdoc: Bytes, identifier: Bytes
) -> tuple[Numbers, Longs, Longs]:
    """Of each comment its kind, and where its value begins and ends."""
    count = len(starts)
    kinds, first, last = np.zeros(count, np.int32), np.zeros(count, np.int64), np.zeros(count, np.int64)
    for i in range(count):
        end = ends[i]
        at = _behind_spaces(data, starts[i] + 1, end)
        value = _value(data, at, end, sent_id)
        if value >= 0:
            kinds[i], first[i], last[i] = SENT_ID, value, _before_spaces(data, value, end)
            continue
        value = _value(data, at, end, text)
        if value >= 0:
            kinds[i], first[i], last[i] = TEXT, value, end
            continue
        at = _behind_key(data, at, end, newdoc)
        if at < 0 or (at < end and data[at] != _SPACE and data[at] != _TAB):
            continue
        value = _value(data, _behind_spaces(data, at, end), end, identifier)
        kinds[i] = DOCUMENT if value >= 0 else NO_DOCUMENT
        if value >= 0:
            first[i], last[i] = value, _before_spaces(data, value, end)
    return kinds, first, last


@kernel
def _stripped(data: Bytes, starts: Positions, ends: Positions) -> tuple[Longs, Longs]:
    first, last = np.empty(len(starts), np.int64), np.empty(len(starts), np.int64)
    for i in range(len(starts)):
        at = starts[i]
        while at < ends[i] and data[at] == _HASH:
            at += 1
        first[i] = _behind_spaces(data, at, ends[i])
        last[i] = _before_spaces(data, first[i], ends[i])
    return first, last
