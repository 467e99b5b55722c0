"""`SubwordInputs`: words split into subwords by the tokenizer of a pretrained encoder, in windows where a sentence is
longer than the encoder can take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from msgspec import Meta

from arctag.backends.inputs.layout import layout, rows_and_steps
from arctag.backends.inputs.protocol import Tokens
from arctag.backends.inputs.subword_tokenizer import read_tokenizer, splitter
from arctag.backends.inputs.word_cache import WordCache
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.layers.types import Arrays, Longs
from arctag.layers.word_shapes import shape
from arctag.modelfile.checking import checked
from arctag.modelfile.folder import INPUTS, TOKENIZER

Pooling = Literal["first", "mean"]
"""How the vectors of a word's subwords become one."""
Subword = Annotated[int, Meta(ge=0, lt=2**31)]


@dataclass(frozen=True, kw_only=True)
class SubwordSettings:
    """What `inputs.json` holds; the tokenizer has files of its own."""

    window: Annotated[int, Meta(ge=1)]
    """The most subwords read at once, the special ones included."""
    pooling: Pooling
    prefix: list[Subword]
    """Special subwords before those of a window."""
    suffix: list[Subword]
    pad: Subword
    unknown: Subword
    """Stands for a word that the tokenizer leaves nothing of."""
    shapes: bool = False
    """Whether the shapes of words are given, too."""

    def __post_init__(self) -> None:
        if self.window <= (special := len(self.prefix) + len(self.suffix)):
            raise InputError(f"a window of {self.window} subwords is too small: {special} of them are special ones")


@dataclass
class SubwordInputs:
    """Subwords for a pretrained encoder.

    Words are split one by one (and cached), so that a sentence's subwords do not depend on the rest of its batch. A
    sentence longer than a window is read in windows that overlap by half; each word takes its vector from the window
    in whose middle it stands.
    """

    split: Callable[[list[str]], list[list[int]]]
    """Words to subword numbers; never an empty list for a word."""
    settings: SubwordSettings

    reads_tags = False
    files = (TOKENIZER,)

    def __post_init__(self) -> None:
        self._cache = WordCache(self._rows)

    def _rows(self, words: list[str]) -> list[list[int]]:
        """For each word form its shape, and its subwords."""
        return [[shape(word), *subwords] for word, subwords in zip(words, self.split(words), strict=True)]

    def costs(self, sentences: Sequence[Tokens]) -> list[int]:
        """What each sentence counts for in a batch: its subwords. Web addresses have many."""
        ends = offsets_of(self._cache.look_up(s.words for s in sentences).lengths() - 1)
        costs: list[int] = np.diff(ends[offsets_of([len(s.words) for s in sentences])]).tolist()
        return costs

    def arrays(self, sentences: Sequence[Tokens]) -> Arrays:
        """`subwords` and `mask` [windows, longest], and for each word where its subwords stand.

        `first` [words] is the flat place of a word's first subword; with mean pooling `last` is that of its last one.
        """
        settings = self.settings
        before, after = len(settings.prefix), len(settings.suffix)
        room = settings.window - before - after
        words = self._cache.look_up(s.words for s in sentences)
        flat, lengths = words.rows(words.numbers, 1 + room)  # a single word longer than a window is truncated
        starts = offsets_of(lengths)[:-1]
        shapes, flat, lengths = flat[starts], np.delete(flat, starts), lengths - 1
        out = layout([len(s.words) for s in sentences])
        ends = offsets_of(lengths)
        table = np.array(_all_windows(out["lengths"], ends, room), dtype=np.int64).reshape(-1, 4)
        starts, sizes = ends[table[:, 0]], ends[table[:, 1]] - ends[table[:, 0]]
        longest = int(sizes.max(initial=0)) + before + after
        window, within = rows_and_steps(sizes)
        subwords = np.full((len(table), longest), settings.pad, dtype=np.int64)
        subwords[:, :before] = settings.prefix
        subwords[window, before + within] = flat[starts[window] + within]
        for i, special in enumerate(settings.suffix):
            subwords[np.arange(len(table)), before + sizes + i] = special
        mask = (np.arange(longest) < (before + sizes + after)[:, None]).astype(np.int64)
        speaker = np.repeat(np.arange(len(table)), table[:, 3] - table[:, 2])  # the window of each word
        shift = speaker * longest + before - starts[speaker]
        out.update(subwords=subwords, mask=mask, first=shift + ends[:-1])
        if settings.shapes:
            out["shapes"] = shapes
        if settings.pooling == "mean":
            out["last"] = shift + ends[1:] - 1
        return out

    def check(self, encoder_options: dict[str, Any]) -> None:
        """An encoder with a table of words cannot read subwords."""
        if "words" in encoder_options:
            raise ValueError(f"{INPUTS} has subwords, config.json {encoder_options['words']} words")

    def copy(self) -> Self:
        """The same with a cache of its own."""
        return replace(self)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON; the tokenizer has files of its own."""
        return {"kind": "subwords", **vars(self.settings)}

    @classmethod
    def load(cls, value: dict[str, Any], folder: Path) -> Self:
        """From `to_json` and the tokenizer files in a model folder; `InputError` for anything else."""
        settings = checked(value, SubwordSettings, str(folder / INPUTS))
        return cls(splitter(read_tokenizer(folder / TOKENIZER), settings.unknown), settings)


def _all_windows(sizes: Longs, ends: Longs, room: int) -> list[tuple[int, int, int, int]]:
    """The windows of all sentences, in words of the batch: as `_windows` gives them, nearly always one a sentence."""
    first = offsets_of(sizes)
    whole = (ends[first[1:]] - ends[first[:-1]] <= room).tolist()
    ranges = []
    for start, stop, fits in zip(first.tolist(), first[1:].tolist(), whole, strict=False):
        if fits:
            ranges.append((start, stop, start, stop))
        else:
            windows = _windows((ends[start : stop + 1] - ends[start]).tolist(), room)
            ranges.extend((a + start, b + start, c + start, d + start) for a, b, c, d in windows)
    return ranges


def _windows(ends: list[int], room: int) -> list[tuple[int, int, int, int]]:
    """Word ranges (start, stop) of windows of at most `room` subwords, and which words each one speaks for."""
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
