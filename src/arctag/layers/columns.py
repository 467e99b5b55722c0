"""Columns of files, as layers see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

from arctag.columns import UNIVERSAL, Header, find_column
from arctag.sentence import Sentence

BLANK = "_"


def number_of(sentence: Sentence, column: str) -> int | None:
    """The number of a column in the rows of a sentence; None where there is no such column."""
    return _number(column, sentence.format, sentence.header)


@lru_cache(maxsize=1000)
def _number(column: str, format: str, header: Header | None) -> int | None:
    return find_column(column, format, header)


def cells(sentences: Sequence[Sentence], column: str) -> list[str]:
    """The cells of a column, of all nodes of sentences."""
    return list(chain.from_iterable(sentence.cells(column) for sentence in sentences))


def has_trees(sentence: Sentence) -> bool:
    """Whether the format of a sentence has columns for a tree."""
    return sentence.format in UNIVERSAL
