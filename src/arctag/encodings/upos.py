"""The universal tags of words (UPOS) as numbers, for encodings that count words by their tags."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arctag.errors import InputError
from arctag.graph import IntArray

UPOS = (
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
    "SYM", "VERB", "X",
)  # fmt: skip
"""The tags of Universal Dependencies; the number of a tag is its place here."""
OTHER = UPOS.index("X")
"""The number of any other tag."""
_NUMBERS = {tag: number for number, tag in enumerate(UPOS)}


def tag_numbers(tags: Iterable[str]) -> IntArray:
    """The number of each tag; anything that is none counts as X."""
    return np.fromiter((_NUMBERS.get(tag, OTHER) for tag in tags), dtype=np.int32)


def sound_tags(tags: IntArray | None, words: int) -> IntArray:
    """A number in the table for each word: X for all of them where there are no tags."""
    if tags is None:
        return np.full(words, OTHER, dtype=np.int32)
    if len(tags) != words:
        raise InputError(f"{len(tags)} tags for {words} words")
    known = (tags >= 0) & (tags < len(UPOS))
    return np.ascontiguousarray(tags if known.all() else np.where(known, tags, OTHER), dtype=np.int32)
