"""Which words are punctuation marks."""

from __future__ import annotations

import unicodedata

_PUNCT = "PUNCT"


def is_punctuation(word: str, tag: str | None) -> bool:
    """Whether a word is a punctuation mark: by its tag or, where there are no tags, by its characters."""
    if tag is not None:
        return tag == _PUNCT
    return all(unicodedata.category(char).startswith("P") for char in word)
