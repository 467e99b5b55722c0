"""The tags of aligned words: whether LEMMA, UPOS, XPOS and FEATS are the same on both sides."""

from __future__ import annotations

from typing import NamedTuple

from arctag.blocks.flat import Flat, Table
from arctag.cells import Flags, Numbers
from arctag.metrics.alignment import Alignment

_LEMMA, _UPOS, _XPOS, _FEATS = 2, 3, 4, 5
# the features of CoNLL 2018: those that UD has got since, and layers (`Number[psor]`), are left out
_LEXICAL = frozenset({"Abbr", "Foreign", "NumType", "Poss", "PronType", "Reflex"})
_NOMINAL = frozenset({"Animacy", "Case", "Definite", "Degree", "Gender", "Number"})
_VERBAL = frozenset({"Aspect", "Evident", "Mood", "Person", "Polarity", "Polite", "Tense", "VerbForm", "Voice"})
UNIVERSAL = _LEXICAL | _NOMINAL | _VERBAL
"""The names of the features that are compared."""


def universal_features(feats: str) -> str:
    """The universal features of a cell of FEATS, in one order."""
    return "|".join(sorted(feature for feature in feats.split("|") if feature.split("=")[0] in UNIVERSAL))


class _Cells(NamedTuple):
    """A column of the aligned words: numbers in a table of texts."""

    gold: Numbers
    system: Numbers
    texts: Table

    @property
    def same(self) -> Flags:
        """Where both sides have the same text."""
        flags: Flags = self.gold == self.system
        return flags


class SameTags(NamedTuple):
    """Of each pair of aligned words, what is the same."""

    upos: Flags
    xpos: Flags
    feats: Flags
    """The universal features."""
    lemma: Flags
    """A gold word without a lemma fits any."""

    @classmethod
    def of(cls, gold: Flat, system: Flat, words: Alignment) -> SameTags:
        """Compare the tags of aligned words."""

        def cells(column: int) -> _Cells:
            texts = Table()
            ours, theirs = gold.column(column, texts), system.column(column, texts)
            return _Cells(ours[words.gold], theirs[words.system], texts)

        lemmas, feats = cells(_LEMMA), cells(_FEATS)
        universal = Table().numbers(map(universal_features, feats.texts))
        return cls(
            upos=cells(_UPOS).same,
            xpos=cells(_XPOS).same,
            feats=universal[feats.gold] == universal[feats.system],
            lemma=lemmas.same | (lemmas.gold == lemmas.texts.numbers(["_"])),
        )
