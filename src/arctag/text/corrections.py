"""What tokenizers get wrong in any language: the ends of web addresses, and marks before the items of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from arctag.text.tokens import Token

_ADDRESS = re.compile(r"(?:[A-Za-z][A-Za-z+.-]*://|www\.)\S*?(?=([.,;:!?'\"»”’)\]]+)$)")
_MARKS = re.compile(r"[-–—*•·◦▪‣>#+]{1,3}")


def corrected(text: str, sentences: Iterable[list[Token]]) -> list[list[Token]]:
    """The same sentences: punctuation that follows an address is no part of it, and a mark is no sentence."""
    done: list[list[Token]] = []
    mark = False
    for tokens in sentences:
        split = [part for token in tokens for part in _without_end(text, token)]
        if mark:
            done[-1] += split
        else:
            done.append(split)
        mark = len(split) == 1 and _MARKS.fullmatch(text, split[0].start, split[0].end) is not None
    return done


def _without_end(text: str, token: Token) -> Iterator[Token]:
    """A token, or an address and the punctuation after it; a closing bracket may belong to the address."""
    address = _ADDRESS.match(text[token.start : token.end])
    if address is None or token.words or (")" in address[1] and "(" in address[0]):
        yield token
        return
    end = token.start + address.end()
    yield Token(token.start, end)
    for at in range(end, token.end):
        yield Token(at, at + 1)
