"""Which system word is which gold word, when both come from the same text but not the same tokens.

The forms of all tokens, spaces left out, make up the text of a file; a token is a span of it.
Words that are tokens are the same if their spans are. Words inside multiword tokens have no span
of their own, so there the longest common subsequence of the forms decides, within the smallest
region that no multiword token sticks out of. This is the alignment of the CoNLL 2018 evaluation.

Where both sides have the same tokens there is nothing to align: see `Tokens`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from arctag.cells import Longs, Numbers
from arctag.errors import AlignmentError
from arctag.metrics.matching import per_group
from arctag.metrics.protocol import Counts
from arctag.sentence import Row, Sentence

Span = tuple[int, int]
_SHOWN = 20  # characters on each side of a difference


@dataclass(frozen=True)
class Alignment:
    """Which words are the same, and which tokens and sentences."""

    gold: Longs
    """The gold words that the system has, too, in order."""
    system: Longs
    """The same words on the other side."""
    places: Longs
    """The gold sentence where each system word stands."""
    tokens: Counts
    """For each gold sentence, how many tokens there are in gold, in the system, and in both."""
    sentences: Counts
    """The same for sentences."""

    @classmethod
    def same(cls, sizes: Numbers, tokens: Longs) -> Alignment:
        """All words, tokens and sentences are the same."""
        words = np.arange(sizes.sum())
        counts = [np.repeat(numbers[:, None], 3, axis=1) for numbers in (tokens, np.ones_like(tokens))]
        return cls(words, words, np.repeat(np.arange(len(sizes)), sizes), counts[0], counts[1])

    @classmethod
    def by_text(cls, gold: list[Sentence], system: list[Sentence]) -> Alignment:
        """Sentences (without empty nodes) aligned by their text; `AlignmentError` where that differs."""
        ours, theirs = words_of(gold), words_of(system)
        pairs = np.array(align(ours, theirs), dtype=np.int64).reshape(-1, 2)
        counts = [
            _count_spans(ours, gold_spans, system_spans)
            for gold_spans, system_spans in (
                (ours.tokens, theirs.tokens), (ours.sentence_spans, theirs.sentence_spans)
            )
        ]  # fmt: skip
        return cls(pairs[:, 0], pairs[:, 1], ours.sentences_at(theirs.starts), counts[0], counts[1])


@dataclass
class Words:
    """The words of a file as spans of its text. Each list has one entry per word unless stated otherwise."""

    sentences: list[Sentence]
    text: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    """Whether the word is part of a multiword token; its span is then the token's."""
    forms: list[str] = field(default_factory=list)
    """In lower case."""
    offsets: list[int] = field(default_factory=list)
    """For each sentence, the number of characters before it."""
    tokens: list[Span] = field(default_factory=list)
    """For each token, a multiword token or a word that is one, where it starts and ends."""

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def sentence_spans(self) -> list[Span]:
        """For each sentence, where it starts and ends."""
        return list(zip(self.offsets, [*self.offsets[1:], len(self.text)], strict=True))

    def sentence_at(self, character: int) -> int:
        """The sentence that holds a character of the text."""
        return int(self.sentences_at([character])[0])

    def sentences_at(self, characters: list[int]) -> Longs:
        """The sentences that hold some characters of the text."""
        places: Longs = np.searchsorted(self.offsets, np.array(characters, dtype=np.int64), side="right") - 1
        return np.maximum(places, 0)


def words_of(sentences: list[Sentence]) -> Words:
    """Lay the words of some sentences (without empty nodes) out on their text."""
    words = Words(sentences)
    forms: list[str] = []
    end = 0
    for sentence in sentences:
        words.offsets.append(end)
        for token, parts in _tokens(sentence.rows):
            form = _without_spaces(token[1])
            start, end = end, end + len(form)
            forms.append(form)
            words.tokens.append((start, end))
            for part in parts or [token]:
                words.starts.append(start)
                words.ends.append(end)
                words.inside.append(bool(parts))
                words.forms.append((part[1] if parts else form).lower())
    words.text = "".join(forms)
    return words


def _tokens(rows: list[Row]) -> Iterator[tuple[Row, list[Row]]]:
    """Each token's row, with the rows of its words if it is a multiword token."""
    i = 0
    while i < len(rows):
        first, dash, last = rows[i][0].partition("-")
        length = int(last) - int(first) + 1 if dash else 0
        yield rows[i], rows[i + 1 : i + 1 + length]
        i += 1 + length


def _without_spaces(form: str) -> str:
    if form.isascii():
        return form.replace(" ", "")
    return "".join(character for character in form if unicodedata.category(character) != "Zs")


def _count_spans(words: Words, gold: list[Span], system: list[Span]) -> Counts:
    """For each gold sentence, the spans that begin there in gold, in the system, and in both."""
    shared = [gold[i] for i in same_spans(gold, system)]
    places = (words.sentences_at([start for start, _ in spans]) for spans in (gold, system, shared))
    return np.stack([per_group(place, len(words.offsets)) for place in places], axis=1)


def same_spans(gold: list[Span], system: list[Span]) -> Iterator[int]:
    """The numbers of the gold spans that the system has, too; both are in order."""
    g = s = 0
    while g < len(gold) and s < len(system):
        if system[s][0] < gold[g][0]:
            s += 1
        elif gold[g][0] < system[s][0]:
            g += 1
        else:
            if gold[g] == system[s]:
                yield g
            g, s = g + 1, s + 1


def align(gold: Words, system: Words) -> list[tuple[int, int]]:
    """The pairs of gold and system words that are the same, in order."""
    if gold.text != system.text:
        raise AlignmentError(_difference(gold, system))
    if _same_tokens(gold, system):
        return [(i, i) for i in range(len(gold))]
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold.inside[g] or system.inside[s]:
            g, s, end = _enter(gold, system, g, s)
            next_g, next_s = _leave(gold, system, g, s, end)
            pairs.extend((g + i, s + j) for i, j in _common(gold.forms[g:next_g], system.forms[s:next_s]))
            g, s = next_g, next_s
        elif gold.starts[g] == system.starts[s] and gold.ends[g] == system.ends[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif gold.starts[g] <= system.starts[s]:
            g += 1
        else:
            s += 1
    return pairs


def _same_tokens(gold: Words, system: Words) -> bool:
    return (
        gold.starts == system.starts
        and gold.ends == system.ends
        and gold.inside == system.inside
        and gold.forms == system.forms
    )


def _enter(gold: Words, system: Words, g: int, s: int) -> tuple[int, int, int]:
    """Where a region with multiword tokens starts, and its end so far.

    A plain word that began before the multiword token is passed.
    """
    if gold.inside[g]:
        return g, s + (not system.inside[s] and system.starts[s] < gold.starts[g]), gold.ends[g]
    return g + (gold.starts[g] < system.starts[s]), s, system.ends[s]


def _leave(gold: Words, system: Words, g: int, s: int, end: int) -> tuple[int, int]:
    """The first words after the region, which grows with every multiword token that begins in it."""
    while _reaches(gold, g, end) or _reaches(system, s, end):
        from_gold = g < len(gold) and (s >= len(system) or gold.starts[g] <= system.starts[s])
        words, i = (gold, g) if from_gold else (system, s)
        if words.inside[i]:
            end = max(end, words.ends[i])
        g, s = g + from_gold, s + (not from_gold)
    return g, s


def _reaches(words: Words, i: int, end: int) -> bool:
    """Whether word i belongs to a region that ends at `end`."""
    if i >= len(words):
        return False
    return words.starts[i] < end if words.inside[i] else words.ends[i] <= end


def _common(gold: list[str], system: list[str]) -> Iterator[tuple[int, int]]:
    """A longest common subsequence; where two are as long, the one that passes gold words first."""
    longest = [[0] * (len(system) + 1) for _ in range(len(gold) + 1)]
    for g in reversed(range(len(gold))):
        for s in reversed(range(len(system))):
            if gold[g] == system[s]:
                longest[g][s] = 1 + longest[g + 1][s + 1]
            else:
                longest[g][s] = max(longest[g + 1][s], longest[g][s + 1])
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g] == system[s]:
            yield g, s
            g, s = g + 1, s + 1
        elif longest[g][s] == longest[g + 1][s]:
            g += 1
        else:
            s += 1


def _difference(gold: Words, system: Words) -> str:
    """Where two texts part: sentences and characters."""
    pairs = zip(gold.text, system.text, strict=False)
    place = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(gold.text), len(system.text)))
    ids = [words.sentences[words.sentence_at(place)].id for words in (gold, system)]
    before = gold.text[max(place - _SHOWN, 0) : place]
    where = f"after {before!r}" if before else "at the start"
    return (
        f"the texts differ in gold sentence {ids[0]}, system sentence {ids[1]}: {where} "
        f"gold has {_rest(gold, place)}, system has {_rest(system, place)} (spaces left out)"
    )


def _rest(words: Words, place: int) -> str:
    rest = words.text[place : place + _SHOWN]
    return repr(rest) if rest else "no more text"
