"""PoS-relative positions (P): a head is the k-th word with its tag to the right, or to the left (Strzyz et al. 2019).

A row holds a pair of numbers for each head, in the order of heads: the number of its tag, and k, which is below 0 to
the left. The root has a tag of its own, and k is -1; of a word that is its own head k is 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from arctag.encodings.base import DecodedBatch, Encoding, bad_label, finish
from arctag.encodings.labels import Arcs, LabelRow, Labels, OffsetArray
from arctag.encodings.upos import UPOS, sound_tags
from arctag.graph import BoolArray, IntArray
from arctag.kernel import kernel

ROOT = len(UPOS)
"""In place of a tag: the root."""
ROOT_STEP = -1
"""The k of the root, which is left of all words."""
NAMES = (*UPOS, "ROOT")
_NUMBERS = {name: number for number, name in enumerate(NAMES)}
_PAIR = re.compile(rf"({'|'.join(NAMES)})(\+0|[+-][1-9][0-9]{{0,8}})")


@kernel
def _encode(
    arcs_starts: OffsetArray, sizes: IntArray, heads: IntArray, dependents: IntArray, tags: IntArray
) -> tuple[IntArray, OffsetArray]:
    """Arcs are sorted by dependent, so one pass over the words counts what each of them has to its left."""
    longest = sizes.max() if len(sizes) else 0
    values = np.empty(2 * len(heads), dtype=np.int32)
    offsets = np.zeros(sizes.sum() + 1, dtype=np.int64)
    rank = np.empty(longest + 1, dtype=np.int64)  # of a word among those with its tag, from 1
    seen = np.empty(ROOT, dtype=np.int64)  # words with each tag, up to the one at hand
    first, i = -1, 0
    for s in range(len(sizes)):
        n = sizes[s]
        seen[:] = 0
        for word in range(1, n + 1):
            seen[tags[first + word]] += 1
            rank[word] = seen[tags[first + word]]
        seen[:] = 0
        for word in range(1, n + 1):
            own = tags[first + word]
            seen[own] += 1
            while i < arcs_starts[s + 1] and dependents[i] == word:
                head = heads[i]
                tag, step = ROOT, ROOT_STEP
                if head > 0:
                    tag = tags[first + head]
                    step = rank[head] - seen[tag]
                    if head < word and tag != own:  # the nearest one on the left is -1, as is the one before the word
                        step -= 1
                values[2 * i] = tag
                values[2 * i + 1] = step
                i += 1
            offsets[first + word + 1] = 2 * i
        first += n
    return values, offsets


@kernel
def _decode(
    values: IntArray, offsets: OffsetArray, sizes: IntArray, tags: IntArray, repairs: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], IntArray]:
    """Words are grouped by tag, in order, so that each is found by its rank."""
    longest = sizes.max() if len(sizes) else 0
    words = np.empty(len(values) // 2, dtype=np.int64)
    heads = np.empty(len(values) // 2, dtype=np.int32)
    grouped = np.empty(longest + 1, dtype=np.int32)
    begin = np.empty(ROOT + 1, dtype=np.int64)  # of the group of each tag
    seen = np.empty(ROOT, dtype=np.int64)  # words with each tag, up to the one at hand
    first, count = -1, 0
    for s in range(len(sizes)):
        n = sizes[s]
        begin[:] = 0
        for word in range(1, n + 1):
            begin[tags[first + word] + 1] += 1
        for tag in range(ROOT):
            begin[tag + 1] += begin[tag]
        seen[:] = 0
        for word in range(1, n + 1):
            tag = tags[first + word]
            grouped[begin[tag] + seen[tag]] = word
            seen[tag] += 1
        seen[:] = 0
        for word in range(1, n + 1):
            own = tags[first + word]
            seen[own] += 1
            start, end = offsets[first + word], offsets[first + word + 1]
            if (end - start) % 2:
                repairs[s] += 1
            for i in range(start, end - 1, 2):
                tag, step = values[i], np.int64(values[i + 1])
                head = -1
                if tag == ROOT and step == ROOT_STEP:
                    head = 0
                elif 0 <= tag < ROOT:
                    rank = seen[tag] + step
                    if step < 0 and tag != own:
                        rank += 1
                    if 1 <= rank <= begin[tag + 1] - begin[tag] and (step != 0 or tag == own):
                        head = grouped[begin[tag] + rank - 1]
                if head < 0:
                    repairs[s] += 1
                    continue
                words[count] = first + word
                heads[count] = head
                count += 1
        first += n
    return words[:count], heads[:count]


@dataclass(frozen=True)
class PosRelative(Encoding):
    """A head is the k-th word with a tag to the right or left: VERB+1. Covers every graph; needs UPOS tags."""

    needs_tags = True

    @property
    def name(self) -> str:
        return "pos"

    def encode_all(self, arcs: Arcs) -> Labels:
        tags = sound_tags(arcs.tags, int(arcs.sizes.sum()))
        values, offsets = _encode(arcs.starts, arcs.sizes, arcs.heads, arcs.dependents, tags)
        return Labels(values, offsets, arcs.sizes, tags=arcs.tags)

    def decode_all(self, labels: Labels) -> DecodedBatch:
        repairs = np.zeros(len(labels.sizes), dtype=np.int64)
        tags = sound_tags(labels.tags, len(labels))
        decoded = finish(labels.sizes, *_decode(labels.values, labels.offsets, labels.sizes, tags, repairs), repairs)
        return replace(decoded, arcs=replace(decoded.arcs, tags=labels.tags))

    def covers_all(self, arcs: Arcs) -> BoolArray:
        return np.ones(len(arcs.heads), dtype=np.bool_)

    def format(self, row: Sequence[int]) -> str:
        return ",".join(f"{NAMES[tag]}{step:+}" for tag, step in zip(row[::2], row[1::2], strict=False)) or "()"

    def parse(self, text: str) -> LabelRow:
        parts = [_PAIR.fullmatch(part) for part in text.split(",")] if text != "()" else []
        pairs = [(_NUMBERS[match[1]], int(match[2])) for match in parts if match]
        if len(pairs) < len(parts):
            raise bad_label(self.name, text, "VERB+1,NOUN-2")
        return tuple(number for pair in pairs for number in pair)
