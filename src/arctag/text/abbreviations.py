"""Abbreviations: words that end in a full stop of their own, as `Mr.` and `Inc.`, learned from sentences.

A tokenizer that has seen little text takes the stop of a rare one for the end of a sentence. This puts it right
afterwards: the stop goes to its word, and after a word that hardly ever ends a sentence the sentence continues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arctag.text.tokens import Token

_STOP = "."
_APOSTROPHES = ("'", "\N{RIGHT SINGLE QUOTATION MARK}")
_LEAST, _RATIO = 3, 3  # how often a word has its stop, and how much more often than a stop follows it as a word
_LAST = 0.03  # the most of a word's occurrences at the end of a sentence, if it is one that does not end sentences


@dataclass(frozen=True)
class Abbreviations:
    """What is known of abbreviations in a language."""

    all: frozenset[str] = frozenset()
    """With their stops: `Inc.`."""
    inside: frozenset[str] = frozenset()
    """Those that do not end sentences: `Mr.`."""

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]]) -> Abbreviations:
        """From the words of sentences."""
        whole: Counter[str] = Counter()
        last: Counter[str] = Counter()
        apart: Counter[str] = Counter()
        for words in sentences:
            for word, following in zip(words, [*words[1:], ""], strict=True):
                if _is_abbreviation(word):
                    whole[word] += 1
                    last[word] += not following
                elif following == _STOP:
                    apart[word + _STOP] += 1
        known = {word for word, count in whole.items() if count >= max(_LEAST, _RATIO * apart[word])}
        inside = {word for word in known if last[word] <= _LAST * whole[word]}
        return cls(frozenset(known), frozenset(inside))

    def corrected(self, text: str, sentences: Iterable[list[Token]]) -> list[list[Token]]:
        """The same sentences, with the stops of abbreviations where they belong."""
        corrected: list[list[Token]] = []
        for tokens in sentences:
            if corrected and self._continues(text, corrected[-1][-1], tokens[0]):
                corrected[-1] += self._tokens(text, tokens)
            else:
                corrected.append(self._tokens(text, tokens))
        return corrected

    def _tokens(self, text: str, tokens: list[Token]) -> list[Token]:
        joined: list[Token] = []
        for token in tokens:
            before = joined[-1] if joined else token
            if text[token.start : token.end] == _STOP and text[before.start : token.end] in self.all:
                joined[-1] = Token(before.start, token.end)
            else:
                joined.extend(self._split(text, token))
        return joined

    def _split(self, text: str, token: Token) -> list[Token]:
        """`U.K.'s` is two words: what follows an abbreviation's stop is no part of it."""
        stop = text.find(_STOP, token.start, token.end)
        while stop >= 0:
            after = stop + 1
            if text.startswith(_APOSTROPHES, after, token.end) and text[token.start : after] in self.all:
                return [Token(token.start, after), Token(after, token.end)]
            stop = text.find(_STOP, after, token.end)
        return [token]

    def _continues(self, text: str, last: Token, following: Token) -> bool:
        """Whether a sentence that ends in an abbreviation has not ended there."""
        word, begins = text[last.start : last.end], text[following.start]
        return word in self.inside or (word in self.all and begins.islower())


def _is_abbreviation(word: str) -> bool:
    return len(word) > 1 and word[-1] == _STOP and word[-2].isalnum()
