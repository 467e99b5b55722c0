"""What a network reads of a sentence, as integer arrays. Numpy only: training and export share it.

`WordInputs` serves the lookup table and the BiLSTM: words, characters, tags. `PieceInputs` serves
pretrained encoders: words cut into pieces by the encoder's own tokenizer, in windows where a
sentence is longer than the encoder can take.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.backends.word_cache import RememberedWords
from arctag.encodings.labels import offsets_of

Longs = npt.NDArray[np.int64]
Arrays = dict[str, Longs]
PAD, UNKNOWN = 0, 1
_LONGEST_WORD = 40  # characters read of a word: its first and last halves


class Tokens(NamedTuple):
    """The words of a sentence and, if the model reads them, their tags."""

    words: Sequence[str]
    tags: Sequence[str] = ()


def layout(sizes: Sequence[int]) -> Arrays:
    """Where the words of a batch stand: their sentence (`owner`), their place if it were padded, and in what order
    an LSTM reads them.

    Worked out here once, so that the network never has to ask its device for a count.
    """
    lengths = np.array(sizes, dtype=np.int64)
    owner, within = _rows_and_steps(lengths)
    order, steps, _ = reading_order(lengths)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return {"lengths": lengths, "owner": owner, "places": owner * lengths.max(initial=0) + within,
            "read": order, "unread": back, "steps": steps}  # fmt: skip


def _rows_and_steps(lengths: Longs) -> tuple[Longs, Longs]:
    """The row of each item, and its place there, for rows of these lengths one after another."""
    rows = np.repeat(np.arange(len(lengths)), lengths)
    return rows, np.arange(len(rows)) - offsets_of(lengths)[:-1][rows]


def reading_order(lengths: Longs) -> tuple[Longs, Longs, Longs]:
    """How an LSTM reads rows side by side, the longest first: the items in order, how many at each step, and the rank
    of each row."""
    rank = np.empty_like(lengths)
    rank[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
    rows, within = _rows_and_steps(lengths)
    steps = len(lengths) - np.searchsorted(np.sort(lengths), np.arange(lengths.max(initial=0)), side="right")
    order = np.empty_like(rows)
    order[offsets_of(steps)[within] + rank[rows]] = np.arange(len(rows))  # at each step the rows that go on, by rank
    return order, steps, rank


def _by_occurrence(numbers: Longs) -> tuple[Longs, Longs]:
    """The different numbers as they first occur, and the place of each number among them.

    Not in their own order: that depends on what was seen before, and sums in another order round in another way.
    """
    places = np.arange(len(numbers))
    first = np.empty(numbers.max(initial=-1) + 1, dtype=np.int64)  # written before it is read, where it is read
    first[numbers[::-1]] = places[::-1]  # of several, the last one written stays
    unique = numbers[first[numbers] == places]
    rank = first
    rank[unique] = np.arange(len(unique))
    return unique, rank[numbers]


def _numbers(table: dict[str, int], names: list[str]) -> Longs:
    try:
        return np.fromiter(map(table.__getitem__, names), np.int64, len(names))
    except KeyError:  # seldom, and slower
        return np.fromiter((table.get(name, UNKNOWN) for name in names), np.int64, len(names))


def _table(names: Iterable[str], least: int) -> dict[str, int]:
    counts = Counter(names)
    kept = sorted((name for name, count in counts.items() if count >= least), key=lambda n: (-counts[n], n))
    return {name: i + 2 for i, name in enumerate(kept)}  # 0 is padding, 1 is unknown


def _chars_in_order(chars: Longs, lengths: Longs) -> Arrays:
    """The characters as an LSTM reads them; a word without characters is read as padding."""
    lengths = np.maximum(lengths, 1)
    order, steps, rank = reading_order(lengths)
    rows, within = _rows_and_steps(lengths)
    return {"char_read": chars[rows, within][order], "char_steps": steps, "char_rank": rank}


@dataclass
class WordInputs:
    """Words, characters and tags by number; a word form stands in for its lower-cased self."""

    words: dict[str, int]
    chars: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    kind: ClassVar[str] = "words"

    def __post_init__(self) -> None:
        self._remembered = RememberedWords(self._rows)

    def _rows(self, words: list[str]) -> list[list[int]]:
        """For each word form its number, and those of its characters."""
        half = _LONGEST_WORD // 2
        seen = [word if len(word) <= _LONGEST_WORD else word[:half] + word[-half:] for word in words]
        known, chars = self.words, self.chars
        return [
            [known.get(word.lower(), UNKNOWN), *(chars.get(c, UNKNOWN) for c in short)]
            for word, short in zip(words, seen, strict=True)
        ]

    @classmethod
    def build(
        cls, sentences: Sequence[Tokens], *, chars: bool, tags: bool, least: int = 2, extra: Iterable[str] = ()
    ) -> WordInputs:
        """Number the words that occur `least` times (and those in `extra`), all characters, all tags."""
        words = _table((word.lower() for s in sentences for word in s.words), least)
        for word in extra:
            words.setdefault(word, len(words) + 2)
        characters = _table((c for s in sentences for word in s.words for c in word), 1) if chars else {}
        return cls(words, characters, _table((t for s in sentences for t in s.tags), 1) if tags else {})

    def costs(self, sentences: Sequence[Tokens]) -> list[int]:
        """What each sentence counts for in a batch: its words."""
        return [len(sentence.words) for sentence in sentences]

    def arrays(self, sentences: Sequence[Tokens]) -> Arrays:
        """The arrays of a batch: everything flat, word after word."""
        known = self._remembered.look_up(s.words for s in sentences)
        out = layout([len(s.words) for s in sentences])
        unique, inverse = _by_occurrence(known.numbers)
        flat, lengths = known.rows(unique)
        starts = offsets_of(lengths)[:-1]
        out["words"] = flat[starts][inverse]
        if self.chars:
            lengths = lengths - 1  # the first number of a row is the word's own
            chars = np.zeros((len(unique), lengths.max(initial=1)), dtype=np.int64)
            rows, within = _rows_and_steps(lengths)
            chars[rows, within] = np.delete(flat, starts)
            out["chars"], out["char_lengths"], out["types"] = chars, lengths, inverse
            out.update(_chars_in_order(chars, lengths))
        if self.tags:
            out["tags"] = _numbers(self.tags, list(chain.from_iterable(s.tags for s in sentences)))
        return out

    def table_sizes(self) -> dict[str, int]:
        """How many rows a network's tables need; 0 for what is not read."""
        sizes = {"words": len(self.words) + 2}
        return sizes | {k: len(t) + 2 if t else 0 for k, t in (("chars", self.chars), ("tags", self.tags))}

    def to_json(self) -> dict[str, Any]:
        """As plain JSON: the names in the order of their numbers."""
        return {"kind": self.kind, "words": list(self.words), "chars": list(self.chars), "tags": list(self.tags)}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> WordInputs:
        """From `to_json`; `ValueError` for anything else."""
        for key in ("words", "chars", "tags"):
            if not isinstance(value[key], list) or len(set(map(str, value[key]))) != len(value[key]):
                raise ValueError(f"{key} is no list of names, each of them once")
        words, chars, tags = ({str(n): i + 2 for i, n in enumerate(value[k])} for k in ("words", "chars", "tags"))
        return cls(words, chars, tags)


@dataclass
class PieceInputs:
    """Pieces of words for a pretrained encoder.

    Words are cut one by one (and remembered), so a sentence's pieces do not depend on its company.
    A sentence longer than `limit` pieces is read in windows that overlap by half; each word takes
    its representation from the window in whose middle it stands.
    """

    cut: Callable[[list[str]], list[list[int]]]
    """Words to piece numbers; never an empty list for a word."""
    prefix: list[int]
    suffix: list[int]
    pad: int
    limit: int
    """The most pieces in a window, the special ones included."""
    pooling: str = "first"
    unknown: int = 0
    """The piece of a word that the tokenizer leaves nothing of."""
    kind: ClassVar[str] = "pieces"

    def __post_init__(self) -> None:
        self._remembered = RememberedWords(self.cut)

    def costs(self, sentences: Sequence[Tokens]) -> list[int]:
        """What each sentence counts for in a batch: its pieces. Web addresses have many."""
        ends = offsets_of(self._remembered.look_up(s.words for s in sentences).lengths())
        costs: list[int] = np.diff(ends[offsets_of([len(s.words) for s in sentences])]).tolist()
        return costs

    def arrays(self, sentences: Sequence[Tokens]) -> Arrays:
        """`pieces` and `mask` [windows, longest], and for each word where its pieces stand.

        `first` [words] is the flat place of a word's first piece; with mean pooling `last` is that
        of its last one.
        """
        before, after = len(self.prefix), len(self.suffix)
        room = self.limit - before - after
        known = self._remembered.look_up(s.words for s in sentences)
        flat, lengths = known.rows(known.numbers, room)  # a single word longer than a window is cut
        out = layout([len(s.words) for s in sentences])
        ends = offsets_of(lengths)
        table = np.array(_all_windows(out["lengths"], ends, room), dtype=np.int64).reshape(-1, 4)
        starts, sizes = ends[table[:, 0]], ends[table[:, 1]] - ends[table[:, 0]]
        longest = int(sizes.max(initial=0)) + before + after
        window, within = _rows_and_steps(sizes)
        pieces = np.full((len(table), longest), self.pad, dtype=np.int64)
        pieces[:, :before] = self.prefix
        pieces[window, before + within] = flat[starts[window] + within]
        for i, piece in enumerate(self.suffix):
            pieces[np.arange(len(table)), before + sizes + i] = piece
        mask = (np.arange(longest) < (before + sizes + after)[:, None]).astype(np.int64)
        speaker = np.repeat(np.arange(len(table)), table[:, 3] - table[:, 2])  # the window of each word
        shift = speaker * longest + before - starts[speaker]
        out.update(pieces=pieces, mask=mask, first=shift + ends[:-1])
        if self.pooling == "mean":
            out["last"] = shift + ends[1:] - 1
        return out

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; the tokenizer has files of its own."""
        names = ("kind", "limit", "pooling", "prefix", "suffix", "pad", "unknown")
        return {name: getattr(self, name) for name in names}


def _all_windows(sizes: Longs, ends: Longs, room: int) -> list[tuple[int, int, int, int]]:
    """The windows of all sentences, in words of the batch: as `_windows` gives them, nearly always one a sentence."""
    first = offsets_of(sizes)
    whole = (ends[first[1:]] - ends[first[:-1]] <= room).tolist()
    found = []
    for start, stop, fits in zip(first.tolist(), first[1:].tolist(), whole, strict=False):
        if fits:
            found.append((start, stop, start, stop))
        else:
            parts = _windows((ends[start : stop + 1] - ends[start]).tolist(), room)
            found.extend((a + start, b + start, c + start, d + start) for a, b, c, d in parts)
    return found


def _windows(ends: list[int], room: int) -> list[tuple[int, int, int, int]]:
    """Word ranges (start, stop) of windows of at most `room` pieces, and which words each one speaks for."""
    count = len(ends) - 1
    windows = []
    start = 0
    while True:
        stop = start
        while stop < count and ends[stop + 1] - ends[start] <= room:
            stop += 1
        windows.append((start, stop))
        if stop == count:
            break
        middle = start
        while middle < stop and ends[middle] - ends[start] < room // 2:
            middle += 1
        start = max(middle, start + 1) if middle < stop else stop
    bounds = [0]
    for (_, stop), (start, _) in zip(windows, windows[1:], strict=False):
        bounds.append((start + stop) // 2 if start < stop else stop)
    bounds.append(count)
    return [(a, b, bounds[i], bounds[i + 1]) for i, (a, b) in enumerate(windows)]
