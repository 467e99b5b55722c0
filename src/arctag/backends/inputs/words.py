"""`WordInputs`: words, characters and tags by number, for encoders that learn their own vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np

from arctag.backends.inputs.layout import layout, reading_order, rows_and_steps
from arctag.backends.inputs.protocol import Tokens
from arctag.backends.inputs.word_cache import WordCache
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.layers.types import Arrays, Longs
from arctag.modelfile.checking import checked
from arctag.modelfile.folder import INPUTS

PAD, UNKNOWN = 0, 1
_FIRST = 2  # the number of the first name: 0 is padding, 1 is unknown
_LONGEST_WORD = 40  # characters read of a word: its first and last halves


@dataclass
class _Names:
    """`inputs.json`: names in the order of their numbers."""

    words: list[str]
    chars: list[str]
    tags: list[str]


@dataclass
class WordInputs:
    """Words, characters and tags by number; words are numbered in lower case."""

    words: dict[str, int]
    chars: dict[str, int] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)

    files = ()

    def __post_init__(self) -> None:
        self._cache = WordCache(self._rows)

    @classmethod
    def build(
        cls, sentences: Sequence[Tokens], *, chars: bool, tags: bool, min_count: int = 2, extra: Iterable[str] = ()
    ) -> WordInputs:
        """Number the words that occur at least `min_count` times (and those in `extra`), all characters, all tags."""
        forms = Counter(chain.from_iterable(s.words for s in sentences))
        lower: Counter[str] = Counter()
        letters: Counter[str] = Counter()
        for form, count in forms.items():
            lower[form.lower()] += count
            for letter in form if chars else ():
                letters[letter] += count
        words = _table(lower, min_count)
        for word in extra:
            words.setdefault(word, len(words) + _FIRST)
        seen_tags = Counter(chain.from_iterable(s.tags for s in sentences) if tags else ())
        return cls(words, _table(letters), _table(seen_tags))

    @property
    def reads_tags(self) -> bool:
        """Whether tags are read."""
        return bool(self.tags)

    def costs(self, sentences: Sequence[Tokens]) -> list[int]:
        """What each sentence counts for in a batch: its words."""
        return [len(sentence.words) for sentence in sentences]

    def arrays(self, sentences: Sequence[Tokens]) -> Arrays:
        """The arrays of a batch: everything flat, word after word."""
        cached = self._cache.look_up(s.words for s in sentences)
        out = layout([len(s.words) for s in sentences])
        unique, inverse = _by_occurrence(cached.numbers)
        flat, lengths = cached.rows(unique)
        starts = offsets_of(lengths)[:-1]
        out["words"] = flat[starts][inverse]
        if self.chars:
            lengths = lengths - 1  # the first number of a row is the word's own
            chars = np.zeros((len(unique), lengths.max(initial=1)), dtype=np.int64)
            rows, within = rows_and_steps(lengths)
            chars[rows, within] = np.delete(flat, starts)
            out["chars"], out["char_lengths"], out["types"] = chars, lengths, inverse
            out.update(_chars_in_order(chars, lengths))
        if self.tags:
            out["tags"] = _numbers(self.tags, list(chain.from_iterable(s.tags for s in sentences)))
        return out

    def _rows(self, words: list[str]) -> list[list[int]]:
        """For each word form its number, and those of its characters."""
        half = _LONGEST_WORD // 2
        seen = [word if len(word) <= _LONGEST_WORD else word[:half] + word[-half:] for word in words]
        numbers, chars = self.words, self.chars
        return [
            [numbers.get(word.lower(), UNKNOWN), *(chars.get(c, UNKNOWN) for c in short)]
            for word, short in zip(words, seen, strict=True)
        ]

    def table_sizes(self) -> dict[str, int]:
        """How many rows a network's tables need; 0 for what is not read."""
        sizes = {"words": len(self.words) + _FIRST}
        return sizes | {k: len(t) + _FIRST if t else 0 for k, t in (("chars", self.chars), ("tags", self.tags))}

    def check(self, encoder_options: dict[str, Any]) -> None:
        """Every number needs its row in the tables of the network."""
        for key, count in self.table_sizes().items():
            if (rows := encoder_options.get(key, 0)) != count:
                raise ValueError(f"{INPUTS} has {count} {key}, config.json {rows}")

    def copy(self) -> Self:
        """The same with a cache of its own."""
        return replace(self)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON: the names in the order of their numbers."""
        return {"kind": "words", "words": list(self.words), "chars": list(self.chars), "tags": list(self.tags)}

    @classmethod
    def load(cls, value: dict[str, Any], folder: Path) -> Self:
        """From `to_json`; `InputError` for anything else."""
        names = checked(value, _Names, str(folder / INPUTS))
        for key, listed in vars(names).items():
            if len(set(listed)) != len(listed):
                raise InputError(f"{folder / INPUTS}: {key}: found a name twice; expected each of them once")
        return cls(*({name: i for i, name in enumerate(listed, _FIRST)} for listed in vars(names).values()))


def _table(counts: Counter[str], min_count: int = 1) -> dict[str, int]:
    """Names by number, the most frequent first."""
    kept = sorted((name for name, count in counts.items() if count >= min_count), key=lambda n: (-counts[n], n))
    return {name: i for i, name in enumerate(kept, _FIRST)}


def _numbers(table: dict[str, int], names: list[str]) -> Longs:
    try:
        return np.fromiter(map(table.__getitem__, names), np.int64, len(names))
    except KeyError:  # seldom, and slower
        return np.fromiter((table.get(name, UNKNOWN) for name in names), np.int64, len(names))


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


def _chars_in_order(chars: Longs, lengths: Longs) -> Arrays:
    """The characters as an LSTM reads them; a word without characters is read as padding."""
    lengths = np.maximum(lengths, 1)
    order, steps, rank = reading_order(lengths)
    rows, within = rows_and_steps(lengths)
    return {"char_read": chars[rows, within][order], "char_steps": steps, "char_rank": rank}
