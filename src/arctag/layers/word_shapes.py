"""The shape of a word: its case and kind of characters, which an encoder without capitals does not see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

SHAPES = (
    "lower case", "capitalised", "capitals", "one capital", "mixed case",
    "digits", "digits and letters", "punctuation", "no case",
)  # fmt: skip
"""One capital is *I* or *A* or an initial; punctuation is whatever has neither letters nor digits."""
_NUMBERS = {name: number for number, name in enumerate(SHAPES)}


def shape(form: str) -> int:
    """The number of a form's shape in `SHAPES`."""
    return _NUMBERS[_name(form)]


def shapes(forms: Sequence[str]) -> npt.NDArray[np.int64]:
    """The shape of each form."""
    return np.fromiter(map(_shape, forms), dtype=np.int64, count=len(forms))


def _name(form: str) -> str:
    letters = [character for character in form if character.isalpha()]
    digits = any(map(str.isdigit, form))
    if not letters:
        return "digits" if digits else "punctuation"
    if digits:
        return "digits and letters"
    capitals = [letter != letter.lower() for letter in letters]
    if not any(map(str.islower, letters)):
        return ("one capital" if len(letters) == 1 else "capitals") if any(capitals) else "no case"
    if not any(capitals):
        return "lower case"
    return "capitalised" if capitals[0] and sum(capitals) == 1 else "mixed case"


_shape = lru_cache(maxsize=50_000)(shape)
