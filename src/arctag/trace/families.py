"""`FAMILIES`: for each encoding, how its decoding is traced and how its labels are explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from arctag.encodings.base import Encoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.hierarchical import Hierarchical
from arctag.encodings.pos_relative import PosRelative
from arctag.encodings.positional import Absolute, Relative
from arctag.encodings.trees.arc_eager import ArcEager
from arctag.encodings.trees.arc_hybrid import ArcHybrid
from arctag.encodings.trees.arc_standard import ArcStandard
from arctag.encodings.trees.bits import TreeBits4, TreeBits7
from arctag.encodings.trees.brackets import TreeBrackets
from arctag.encodings.trees.covington import Covington
from arctag.encodings.trees.hexatags import Hexatag
from arctag.encodings.trees.hierarchical import TreeHierarchical
from arctag.trace import (
    bits4,
    bits6,
    bits7,
    brackets,
    hexatags,
    hierarchical,
    pos_relative,
    positional,
    spans,
    transitions,
)  # fmt: skip
from arctag.trace.covington import CovingtonSystem
from arctag.trace.layout import Layout, Part
from arctag.trace.recorder import Recorder
from arctag.trace.stack_systems import ArcEagerSystem, ArcHybridSystem, ArcStandardSystem


class Family(NamedTuple):
    """The two ways to explain an encoding."""

    decode: Callable[[Recorder], None]
    parts: Callable[[Sequence[str], Layout], list[list[Part]]]


def _transitions(system: type[transitions.System]) -> Family:
    return Family(partial(transitions.decode, system), partial(transitions.parts, system))


FAMILIES: dict[type[Encoding], Family] = {
    Absolute: Family(positional.decode_absolute, positional.absolute_parts),
    Relative: Family(positional.decode_relative, positional.relative_parts),
    PosRelative: Family(pos_relative.decode, pos_relative.parts),
    Brackets: Family(brackets.decode, brackets.parts),
    Bits4: Family(bits4.decode, bits4.parts),
    Bits6: Family(bits6.decode, bits6.parts),
    Hierarchical: Family(hierarchical.decode, spans.parts),
    TreeBits4: Family(bits4.decode, bits4.parts),
    TreeBits7: Family(bits7.decode, bits7.parts),
    TreeBrackets: Family(brackets.decode, brackets.parts),
    TreeHierarchical: Family(hierarchical.decode, spans.parts),
    Hexatag: Family(hexatags.decode, hexatags.parts),
    ArcStandard: _transitions(ArcStandardSystem),
    ArcEager: _transitions(ArcEagerSystem),
    ArcHybrid: _transitions(ArcHybridSystem),
    Covington: _transitions(CovingtonSystem),
}


def family_of(encoding: Encoding) -> Family | None:
    """How an encoding is explained; None for one that is not Arctag's own."""
    return FAMILIES.get(type(encoding))
