"""A guess whether a text is in another language than a model's: by its script, and by the small words of every text.

Scripts and words are in `data/languages.json`, which the page reads, too.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

LOOKED_AT = 3000
"""Characters: more do not change the guess."""
_LEAST_WORDS = 5
_LEAST_SHARE = 0.2  # of words that are small ones of that language
_CLEARLY = 1.5  # times as many as of the model's own
_WORD = re.compile(r"[^\W\d_]+")
_SOURCE = Path(__file__).parent.parent / "data" / "languages.json"


@lru_cache(maxsize=1)
def languages() -> Mapping[str, Any]:
    """`scripts` with their names, and the name and the most frequent words of each of the `languages`."""
    found: Mapping[str, Any] = json.loads(_SOURCE.read_text(encoding="utf-8"))
    return found


def other_language(text: str, language: str | None) -> str:
    """The language, or script, that a text seems to be in, if it is clearly another than the one given by its code.

    Empty if it is not, or if the language is not among those that are known.
    """
    if language is None or language not in languages()["languages"]:
        return ""
    start = text[:LOOKED_AT]
    return _script(start) or _by_words(_WORD.findall(start.lower()), language)


def _script(text: str) -> str:
    letters = Counter(_script_of(letter) for letter in text if letter.isalpha())
    if letters.total() < 2:
        return ""
    for entry in languages()["scripts"]:
        if 2 * sum(letters[script] for script in entry["scripts"]) > letters.total():
            return str(entry["name"])
    return ""


@lru_cache(maxsize=10_000)
def _script_of(letter: str) -> str:
    first = unicodedata.name(letter, "?").split()[0].split("-")[0]
    return "Han" if first == "CJK" else first.capitalize()


def _by_words(words: list[str], language: str) -> str:
    if len(words) < _LEAST_WORDS:
        return ""
    counts = {code: _count(words, code) for code in languages()["languages"]}
    best = max(counts, key=counts.__getitem__)
    clear = counts[best] >= _LEAST_SHARE * len(words) and counts[best] > _CLEARLY * counts[language]
    return languages()["languages"][best]["name"] if best != language and clear else ""


def _count(words: list[str], code: str) -> int:
    small = frozenset(languages()["languages"][code]["words"].split(" "))
    return sum(word in small for word in words)
