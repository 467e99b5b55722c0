"""How wide a text is, without looking at any font, and what must not reach a picture as it is."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

REPLACEMENT = "\ufffd"
_CIRCLE = "\N{DOTTED CIRCLE}"
# What XML forbids or discourages, and the two overrides that turn round the text after them.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202d\u202e\ud800-\udfff\ufffe\uffff]")
# Escape sequences, and characters that would reorder or break the line they stand in.
_NOT_TERMINAL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")

# Widths in em. DejaVu Sans, the widest common sans serif font, was the yardstick: too wide does no harm.
_NARROW = frozenset(" !'(),./:;I[]`fijlrt|·’‘")
_WIDE = frozenset("%@MWmw—…œæŒÆ")
_NARROW_EM, _LOWER_EM, _UPPER_EM, _WIDE_EM = 0.4, 0.62, 0.78, 1.02
_OTHER_EM, _BRAHMIC_EM, _IDEOGRAPH_EM = 0.8, 1.1, 1.06


def xml_text(text: str) -> str:
    """The text with everything escaped that XML and HTML, attributes included, would take for their own."""
    text = _NOT_XML.sub(REPLACEMENT, text)
    return (
        text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace('"', "&quot;")
        .replace("'", "&#39;")
    )


def terminal_text(text: str, encoding: str = "utf-8") -> str:
    """The text without what a terminal would execute; what `encoding` lacks is written as `\\u4e2d`.

    A mark that has no letter before it gets a dotted circle to sit on, or it would have no room of its own.
    """
    text = _NOT_TERMINAL.sub(REPLACEMENT, text)
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    return _CIRCLE + text if text and encoding.lower().startswith("utf") and _takes_no_room(text[0]) else text


def right_to_left(text: str) -> bool:
    """Whether some character belongs to a script written from right to left."""
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)


def cells(text: str) -> int:
    """The number of columns a terminal uses."""
    return len(text) if text.isascii() else sum(map(_cells_of, text))


def ems(text: str) -> float:
    """The width in a sans serif font, in em; rather too wide than too narrow."""
    return sum(map(_ems_of, text))


@lru_cache(maxsize=8192)
def _cells_of(char: str) -> int:
    if _takes_no_room(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


@lru_cache(maxsize=8192)
def _ems_of(char: str) -> float:
    if _takes_no_room(char):
        return 0.0
    if char in _NARROW:
        return _NARROW_EM
    if char in "+\u2212":
        return _UPPER_EM
    if char in _WIDE:
        return _WIDE_EM
    if unicodedata.east_asian_width(char) in "WF":
        return _IDEOGRAPH_EM
    if "\u0900" <= char < "\u1100":  # Devanagari to Myanmar: broad letters and spacing vowel signs
        return _BRAHMIC_EM
    if char > "\u2000":
        return _WIDE_EM
    if char > "\u0590":
        return _OTHER_EM
    return _UPPER_EM if char.isupper() else _LOWER_EM


def _takes_no_room(char: str) -> bool:
    """Combining marks, format characters, and the Korean vowels and finals that join their syllable."""
    return unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff"
