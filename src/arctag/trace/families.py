"""`FAMILIES`: for each encoding, how its decoding is traced and how its labels are explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arctag.encodings.base import Encoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.positional import Absolute, Relative
from arctag.trace import bits4, bits6, brackets, hierarchical, positional, spans
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder


class Family(NamedTuple):
    """The two ways to explain an encoding."""

    decode: Callable[[Recorder], None]
    parts: Callable[[Sequence[str], Layout], list[list[Part]]]


FAMILIES: dict[type[Encoding], Family] = {
    Absolute: Family(positional.decode_absolute, positional.absolute_parts),
    Relative: Family(positional.decode_relative, positional.relative_parts),
    Brackets: Family(brackets.decode, brackets.parts),
    Bits4: Family(bits4.decode, bits4.parts),
    Bits6: Family(bits6.decode, bits6.parts),
    Hierarchical: Family(hierarchical.decode, spans.parts),
}


def family_of(encoding: Encoding) -> Family | None:
    """How an encoding is explained; None for one that is not Arctag's own."""
    return FAMILIES.get(type(encoding))
