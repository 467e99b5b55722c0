"""Slow versions of the encodings, which the fast ones must equal.

They encode by the definitions (`definitions`) and decode step by step, as `arctag.trace` explains it. Both are the
place to read first.
"""

from __future__ import annotations

from functools import partial

from arctag.encodings.base import Encoding
from arctag.encodings.bits4 import Bits4
from arctag.encodings.bits6 import Bits6
from arctag.encodings.brackets import Brackets
from arctag.encodings.conflicts import relaxed_conflict, strict_conflict
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
from arctag.errors import InputError
from arctag.testing.oracles import definitions, transition_definitions, tree_definitions
from arctag.testing.oracles.best import most_covered
from arctag.testing.oracles.hexatag_definition import hexatag
from arctag.testing.oracles.pos_definition import PosOracle
from arctag.testing.oracles.slow import Bits4Oracle, Oracle, TreeOracle

__all__ = ["most_covered", "oracle"]


def oracle(encoding: Encoding) -> Encoding:
    """The slow version of one of Arctag's encodings, with the same parameters."""
    match encoding:
        case Absolute():
            return Oracle(encoding, definitions.absolute)
        case Relative():
            return Oracle(encoding, definitions.relative)
        case PosRelative():
            return PosOracle(encoding)
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
        case TreeBits4():
            bits = partial(definitions.bits4, k=1, first_null="root")
            return TreeOracle(encoding, tree_definitions.as_graph(bits))
        case TreeBits7():
            return TreeOracle(encoding, tree_definitions.bits7)
        case TreeBrackets(planes="greedy"):
            conflict = strict_conflict if encoding.crossing == "strict" else relaxed_conflict
            brackets = partial(definitions.brackets, k=encoding.k, conflict=conflict)
            return TreeOracle(encoding, tree_definitions.as_graph(brackets))
        case TreeHierarchical():
            return TreeOracle(encoding, tree_definitions.as_graph(definitions.hierarchical))
        case Hexatag():
            return TreeOracle(encoding, hexatag)
        case ArcStandard():
            return TreeOracle(encoding, transition_definitions.arc_standard)
        case ArcEager():
            return TreeOracle(encoding, transition_definitions.arc_eager)
        case ArcHybrid():
            return TreeOracle(encoding, transition_definitions.arc_hybrid)
        case Covington():
            return TreeOracle(encoding, transition_definitions.covington)
    raise InputError(f"there is no slow version of {encoding!r} (for planes='best' see most_covered)")
