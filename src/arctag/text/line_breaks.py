"""Which line breaks inside a paragraph are meant, and which only keep lines short.

A line that is broken to keep it short is about as long as the others, or goes on in lower case. After a title, an
item of a list or a line of a mail's header there would have been room for the next word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SHORTEST, _LONGEST = 40, 130  # characters of lines that are broken to keep them short: the longest of a paragraph
_FULL = 0.75  # of the longest line; letters of different widths make lines of different lengths
_FEW = 3  # words of the longest line of a list of words
_ITEM = re.compile(r"(?:[-–—*•·◦▪‣>+]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)])\s")
_FIELD = re.compile(r"[A-Z][\w-]*(?: [\w-]+){0,2}:(?:\s|$)")
_ENDS, _CLOSING = ".!?:;…。！？", "\"'»”’)]"


def meant_breaks(paragraph: str) -> Iterator[int]:
    """Where the line breaks stand that are meant."""
    lines = paragraph.split("\n")
    if len(lines) == 1:
        return
    longest = max(map(len, lines))
    broken = _SHORTEST <= longest <= _LONGEST
    words = longest < _SHORTEST and all(len(line.split()) <= _FEW and _open(line) for line in lines)
    at = 0
    for line, following in zip(lines, lines[1:], strict=False):
        at += len(line)
        full = broken and len(line) + 1 + len(following.split(" ", 1)[0]) > _FULL * longest
        if _begins(line, following) or not (full or (_goes_on(line, following) and not words)):
            yield at
        at += 1


def _begins(line: str, following: str) -> bool:
    """Whether something new begins with a line: an item, or another field of a header."""
    return bool(_ITEM.match(following.lstrip()) or (_FIELD.match(line) and _FIELD.match(following)))


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence goes on in the next line."""
    return following.lstrip()[:1].islower() and _open(line)


def _open(line: str) -> bool:
    """Whether a line ends no sentence."""
    return not line.rstrip(_CLOSING).endswith(tuple(_ENDS))
