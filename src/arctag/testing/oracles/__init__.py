"""Slow versions of the encodings, which the fast ones must equal.

They encode by the definitions (`definitions`) and decode step by step, as `arctag.trace` explains it. Both are the
place to read first.
"""

from __future__ import annotations

from functools import partial

from arctag.encodings.base import Encoding, SimpleEncoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.conflicts import relaxed_conflict, strict_conflict
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.positional import Absolute, Relative
from arctag.errors import InputError
from arctag.testing.oracles import definitions
from arctag.testing.oracles.best import most_covered
from arctag.testing.oracles.slow import Bits4Oracle, Oracle

__all__ = ["most_covered", "oracle"]


def oracle(encoding: Encoding) -> SimpleEncoding:
    """The slow version of one of Arctag's encodings, with the same parameters."""
    match encoding:
        case Absolute():
            return Oracle(encoding, definitions.absolute)
        case Relative():
            return Oracle(encoding, definitions.relative)
        case Brackets(planes="greedy"):
            conflict = strict_conflict if encoding.crossing == "strict" else relaxed_conflict
            return Oracle(encoding, partial(definitions.brackets, k=encoding.k, conflict=conflict))
        case Bits4(planes="greedy"):
            definition = partial(definitions.bits4, k=encoding.k, first_null=encoding.first_null)
            return Bits4Oracle(encoding, definition)
        case Bits6(planes="greedy"):
            return Oracle(encoding, partial(definitions.bits6, k=encoding.k))
        case Hierarchical():
            return Oracle(encoding, definitions.hierarchical)
    raise InputError(f"there is no slow version of {encoding!r} (for planes='best' see most_covered)")
