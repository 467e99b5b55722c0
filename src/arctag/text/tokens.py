"""`Token`: where a word stands in a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Token(NamedTuple):
    """A word in a text, or several words that are written as one."""

    start: int
    end: int
    words: Sequence[str] = ()
    """Its words, if it is several."""
