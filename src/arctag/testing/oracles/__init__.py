"""Slow, obvious versions of the encodings, written from their definitions: what the fast ones must equal.

They are also the place to read first, and show how little an encoding needs.
"""

from __future__ import annotations

from arctag.encodings.base import Encoding, SimpleEncoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.positional import Absolute, Relative
from arctag.errors import InputError
from arctag.testing.oracles.best import most_covered
from arctag.testing.oracles.bits4 import SlowBits4
from arctag.testing.oracles.bits6 import SlowBits6
from arctag.testing.oracles.brackets import SlowBrackets
from arctag.testing.oracles.hierarchical import SlowHierarchical
from arctag.testing.oracles.positional import SlowAbsolute, SlowRelative

__all__ = [
    "SlowAbsolute", "SlowBits4", "SlowBits6", "SlowBrackets", "SlowHierarchical", "SlowRelative", "most_covered",
    "oracle",
]  # fmt: skip


def oracle(encoding: Encoding) -> SimpleEncoding:
    """The slow version of one of Arctag's encodings, with the same parameters."""
    match encoding:
        case Absolute():
            return SlowAbsolute()
        case Relative():
            return SlowRelative()
        case Brackets(planes="greedy"):
            return SlowBrackets(encoding.k, encoding.crossing)
        case Bits4(planes="greedy"):
            return SlowBits4(encoding.k, encoding.first_null)
        case Bits6(planes="greedy"):
            return SlowBits6(encoding.k)
        case Hierarchical():
            return SlowHierarchical()
    raise InputError(f"there is no slow version of {encoding!r} (for planes='best' see most_covered)")
