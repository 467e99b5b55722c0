"""Hierarchical brackets: no K, every graph covered, few labels.

An arc is seen as a span (left, right) with a type: arc to the right, to the left, or both. In the
order of left ends (longer first), a span is *structural* unless one that shares its left end, or
else its right end, is there already; then it is *auxiliary* and leans on that one. So each word
opens at most one structural span and closes at most one. A structural span is written on both
its words, an auxiliary one only on the end it does not share.

A row is: self-loop (0/1); type and index of the structural span closed here (0 for none); whether
one is opened (0/1); the number of semi-closers, then type and index of each; then type and index
of each semi-opener. A closer's index counts the open structural spans above the one meant; a
semi-opener's counts the structural spans around it that close before the one meant. Where arcs
do not cross, every index is 0. The root opens a span that is never closed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, Encoding, bad_label, finish
from arctag.encodings.labels import Arcs, LabelRow, Labels, OffsetArray
from arctag.encodings.sorting import by_left_end
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

HEADER = 5  # loop, closer's type, closer's index, opens, number of semi-closers
RIGHT, LEFT = 1, 2  # types; both is 3
_TYPES = ".><="
Numbers = npt.NDArray[np.int64]
_LABEL = re.compile(
    r"(@?)(?:\](?P<type>[><=])(?P<index>\d{0,9}))?"
    r"(?P<closers>(?:\)[><=]\d{0,9})*)(?P<openers>(?:\([><=]\d{0,9})*)(?P<opens>\[?)"
)


@kernel
def _spans(
    arcs: IntArray, heads: IntArray, dependents: IntArray, lefts: IntArray, rights: IntArray, types: IntArray
) -> int:
    """Merge arcs, given by their numbers in order, into spans; give the number of these."""
    count = 0
    for arc in arcs:
        head, dependent = heads[arc], dependents[arc]
        left, right = min(head, dependent), max(head, dependent)
        if left == right:
            continue
        kind = RIGHT if head < dependent else LEFT
        if count > 0 and lefts[count - 1] == left and rights[count - 1] == right:
            types[count - 1] |= kind
            continue
        lefts[count], rights[count], types[count] = left, right, kind
        count += 1
    return count


@kernel
def _roles(n: int, lefts: IntArray, rights: IntArray) -> tuple[Numbers, Numbers, Numbers, Numbers, Numbers, Numbers]:
    """Which spans are structural, by word, and chains of the others; -1 for none."""
    opens = np.full(n + 1, -1, dtype=np.int64)  # the structural span that starts, or ends, at each word
    closes = np.full(n + 1, -1, dtype=np.int64)
    # chains of auxiliary spans: at their right end, rightmost left end first
    next_closer = np.full(len(lefts), -1, dtype=np.int64)
    closers = np.full(n + 1, -1, dtype=np.int64)
    next_opener = np.full(len(lefts), -1, dtype=np.int64)  # and at their left end, nearest right end first
    openers = np.full(n + 1, -1, dtype=np.int64)
    for i in range(len(lefts)):
        if opens[lefts[i]] >= 0:
            next_closer[i] = closers[rights[i]]
            closers[rights[i]] = i
        elif closes[rights[i]] >= 0:
            next_opener[i] = openers[lefts[i]]
            openers[lefts[i]] = i
        else:
            opens[lefts[i]] = i
            closes[rights[i]] = i
    return opens, closes, closers, next_closer, openers, next_opener


@kernel
def _take_out(stack: Numbers, top: int, place: int) -> int:
    """Remove an entry from the middle of a stack; give the new top."""
    for i in range(place, top - 1):
        stack[i] = stack[i + 1]
    return top - 1


@kernel
def _first_after(words: Numbers, count: int, word: int) -> int:
    """The place of the first of these words, which grow, that stands after the given one."""
    while count > 0 and words[count - 1] > word:
        count -= 1
    return count


@kernel
def _encode_sentence(
    n: int, arcs: IntArray, heads: IntArray, dependents: IntArray,
    values: IntArray, at: int, offsets: OffsetArray, first: int,
) -> int:  # fmt: skip
    """Write the rows of one sentence from `values[at]` on; give the place after them."""
    m = len(arcs)
    lefts, rights, types = np.empty(m, np.int32), np.empty(m, np.int32), np.empty(m, np.int32)
    count = _spans(arcs, heads, dependents, lefts, rights, types)
    loops = np.zeros(n + 1, dtype=np.bool_)
    for arc in arcs:
        if heads[arc] == dependents[arc]:
            loops[heads[arc]] = True
    opens, closes, closers, next_closer, openers, next_opener = _roles(n, lefts[:count], rights)
    stack = np.empty(n + 1, dtype=np.int64)  # words whose structural span is open
    stack[0] = 0
    top = 1
    waiting_word = np.empty(m + 1, dtype=np.int64)  # semi-openers whose span is not closed yet
    waiting_end, waiting_at = np.empty(m + 1, dtype=np.int64), np.empty(m + 1, dtype=np.int64)
    waiting = 0
    for w in range(1, n + 1):
        row = at
        values[row : row + HEADER] = 0
        values[row] = loops[w]
        at += HEADER
        if closes[w] >= 0:
            opener = lefts[closes[w]]
            place = top - 1
            while stack[place] != opener:
                place -= 1
            values[row + 1] = types[closes[w]]
            values[row + 2] = top - 1 - place
            if opener > 0:
                top = _take_out(stack, top, place)
            begin = kept = _first_after(waiting_word, waiting, opener)
            for i in range(begin, waiting):
                if waiting_end[i] == w:
                    continue
                values[waiting_at[i]] += 1
                waiting_word[kept], waiting_end[kept], waiting_at[kept] = waiting_word[i], waiting_end[i], waiting_at[i]
                kept += 1
            waiting = kept
        place = top - 1
        i = closers[w]
        while i >= 0:
            while stack[place] != lefts[i]:
                place -= 1
            values[at], values[at + 1] = types[i], top - 1 - place
            values[row + 4] += 1
            at += 2
            i = next_closer[i]
        i = openers[w]
        while i >= 0:
            values[at], values[at + 1] = types[i], 0
            waiting_word[waiting], waiting_end[waiting], waiting_at[waiting] = w, rights[i], at + 1
            waiting += 1
            at += 2
            i = next_opener[i]
        if opens[w] >= 0:
            values[row + 3] = 1
            stack[top] = w
            top += 1
        offsets[first + w] = at
    return at


@kernel
def _encode(
    sizes: IntArray, starts: OffsetArray, heads: IntArray, dependents: IntArray, in_order: IntArray
) -> tuple[IntArray, OffsetArray]:
    """`in_order`: the numbers of the arcs by left end, the longest first."""
    total = sizes.sum()
    values = np.empty(HEADER * total + 2 * len(heads), dtype=np.int32)
    offsets = np.zeros(total + 1, dtype=np.int64)
    at, first = 0, 0
    for s in range(len(sizes)):
        arcs = in_order[starts[s] : starts[s + 1]]
        at = _encode_sentence(sizes[s], arcs, heads, dependents, values, at, offsets, first)
        first += sizes[s]
    return values[:at], offsets


@kernel
def _join(opener: int, word: int, kind: int, first: int, words: Numbers, heads: IntArray, count: int) -> int:
    """Emit the arcs of a span (opener < word) of the given type; nothing goes into the root."""
    if kind & RIGHT:
        words[count], heads[count] = first + word, opener
        count += 1
    if kind & LEFT and opener > 0:
        words[count], heads[count] = first + opener, word
        count += 1
    return count


@kernel
def _decode(values: IntArray, offsets: OffsetArray, sizes: IntArray, repairs: Numbers) -> tuple[Numbers, IntArray]:
    longest = sizes.max() if len(sizes) else 0
    capacity = 2 * len(values) + 1  # no value of a row gives more than two arcs
    words, heads = np.empty(capacity, dtype=np.int64), np.empty(capacity, dtype=np.int32)
    stack = np.empty(longest + 1, dtype=np.int64)
    waiting_word = np.empty(len(values) + 1, dtype=np.int64)
    waiting_left, waiting_kind = np.empty_like(waiting_word), np.empty_like(waiting_word)
    count, first = 0, -1
    for s in range(len(sizes)):
        stack[0] = 0
        top, waiting = 1, 0
        for w in range(1, sizes[s] + 1):
            row, end = offsets[first + w], offsets[first + w + 1]
            if end - row < HEADER:
                repairs[s] += 1
                continue
            if values[row] != 0:
                words[count], heads[count] = first + w, w
                count += 1
            kind = values[row + 1]
            if kind < 0 or kind > 3:
                repairs[s] += 1
            elif kind > 0:
                place = top - 1 - int(values[row + 2])
                if place < 0 or place >= top:
                    repairs[s] += 1
                    place = 0
                opener = stack[place]
                if kind & LEFT and opener == 0:
                    repairs[s] += 1
                count = _join(opener, w, kind, first, words, heads, count)
                if opener > 0:
                    top = _take_out(stack, top, place)
                begin = kept = _first_after(waiting_word, waiting, opener)
                for i in range(begin, waiting):
                    if waiting_left[i] == 0:
                        count = _join(waiting_word[i], w, waiting_kind[i], first, words, heads, count)
                        continue
                    waiting_word[kept], waiting_kind[kept] = waiting_word[i], waiting_kind[i]
                    waiting_left[kept] = waiting_left[i] - 1
                    kept += 1
                waiting = kept
            closers = int(values[row + 4])
            room = (end - row - HEADER) // 2
            if closers < 0 or closers > room or (end - row - HEADER) % 2 == 1:
                repairs[s] += 1
                closers = max(0, min(closers, room))
            for i in range(room):
                at = row + HEADER + 2 * i
                kind, index = values[at], int(values[at + 1])
                if kind < 1 or kind > 3 or index < 0:
                    repairs[s] += 1
                elif i >= closers:
                    waiting_word[waiting], waiting_kind[waiting], waiting_left[waiting] = w, kind, index
                    waiting += 1
                else:
                    place = top - 1 - index
                    if place < 0 or (kind & LEFT and stack[place] == 0):
                        repairs[s] += 1
                    count = _join(stack[max(place, 0)], w, kind, first, words, heads, count)
            if values[row + 3] != 0:
                stack[top] = w
                top += 1
        repairs[s] += top - 1 + waiting
        first += sizes[s]
    return words[:count], heads[:count]


@dataclass(frozen=True)
class Hierarchical(Encoding):
    """Brackets on the few arcs that hold the rest: ']>)>['. Needs no K and covers every graph."""

    @property
    def name(self) -> str:
        return "hierarchical"

    def encode_all(self, arcs: Arcs) -> Labels:
        in_order = by_left_end(arcs, longest_first=True)
        values, offsets = _encode(arcs.sizes, arcs.starts, arcs.heads, arcs.dependents, in_order)
        return Labels(values, offsets, arcs.sizes)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        repairs = np.zeros(len(labels.sizes), dtype=np.int64)
        words, heads = _decode(labels.values, labels.offsets, labels.sizes, repairs)
        return finish(labels.sizes, words, heads, repairs)

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.ones(len(arcs.heads), dtype=np.bool_)

    def format(self, row: Sequence[int]) -> str:
        """`]` structural closer, `)` semi-closer, `(` semi-opener, `[` opener, `@` loop; '.' for none of them."""
        if len(row) < HEADER:
            return "."
        loop, kind, index, opens, closers = row[:HEADER]
        text = "@" if loop else ""
        if kind:
            text += "]" + _mark(kind, index)
        for i in range(HEADER, len(row) - 1, 2):
            text += (")" if i < HEADER + 2 * closers else "(") + _mark(row[i], row[i + 1])
        return text + ("[" if opens else "") or "."

    def parse(self, text: str) -> LabelRow:
        match = _LABEL.fullmatch("" if text == "." else text)
        if match is None:
            raise bad_label(self.name, text, "]>)<1[")
        closers, openers = _pairs(match["closers"]), _pairs(match["openers"])
        kind = _TYPES.index(match["type"]) if match["type"] else 0
        header = (int(match[1] != ""), kind, int(match["index"] or 0), int(match["opens"] != ""), len(closers) // 2)
        return (*header, *closers, *openers)


def _mark(kind: int, index: int) -> str:
    return _TYPES[kind & 3] + (str(index) if index else "")


def _pairs(text: str) -> list[int]:
    """')>)<1' → type and index of each."""
    return [int(part) for kind, index in re.findall(r"([><=])(\d*)", text) for part in (_TYPES.index(kind), index or 0)]
