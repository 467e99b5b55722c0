"""Rows that a label's text can stand for: what decoding reads from any row, and the repairs that takes."""

from __future__ import annotations

from collections.abc import Sequence

from arctag.encodings.base import Encoding
from arctag.encodings.brackets import Brackets
from arctag.encodings.hierarchical import HEADER, Hierarchical
from arctag.encodings.labels import LabelRow
from arctag.encodings.pos_relative import NAMES, PosRelative
from arctag.encodings.trees.arc_eager import ArcEager
from arctag.encodings.trees.arc_hybrid import ArcHybrid
from arctag.encodings.trees.arc_standard import ArcStandard
from arctag.encodings.trees.covington import Covington
from arctag.encodings.trees.graph_labels import GraphLabels
from arctag.testing.oracles.sound_transitions import counted_arcs, only_arcs, read_first

_MANY = 100  # brackets of one kind on one word; no graph has more
_LARGEST = 999_999_999  # the largest number in a label; as an index or position it is beyond any sentence


def sound_row(encoding: Encoding, row: LabelRow) -> tuple[LabelRow, int]:
    """The well-formed row that decoding reads, and the number of repairs."""
    if isinstance(encoding, GraphLabels):
        return sound_row(encoding.graphs, row)
    if isinstance(encoding, Hierarchical):
        return _hierarchical(row)
    if isinstance(encoding, PosRelative):
        return _pairs(row)
    if isinstance(encoding, Brackets):
        counts, repairs = _fixed_width(row, 4 * encoding.k, 2**31)
        return tuple(min(count, _MANY) for count in counts), repairs
    if isinstance(encoding, ArcStandard | ArcHybrid):
        return only_arcs(row)
    if isinstance(encoding, ArcEager):
        return read_first(row)
    if isinstance(encoding, Covington):
        return counted_arcs(row, _LARGEST)
    if encoding.factors:
        return _bounded(row, encoding.factors)
    return tuple(max(-_LARGEST, min(value, _LARGEST)) for value in row), 0


def _pairs(row: LabelRow) -> tuple[LabelRow, int]:
    """A pair with an unknown tag is left out, as is a number without a partner."""
    pairs = list(zip(row[::2], row[1::2], strict=False))
    known = [(tag, max(-_LARGEST, min(step, _LARGEST))) for tag, step in pairs if 0 <= tag < len(NAMES)]
    return tuple(number for pair in known for number in pair), len(pairs) - len(known) + len(row) % 2


def _fixed_width(row: LabelRow, width: int, bound: int) -> tuple[LabelRow, int]:
    """Rows are cut or filled with zeros; values out of bounds become 0."""
    good = [value if 0 <= value < bound else 0 for value in row]
    repairs = (len(row) != width) + sum(value != old for value, old in zip(good, row, strict=True))
    return tuple([*good, *[0] * width][:width]), repairs


def _bounded(row: LabelRow, bounds: tuple[int, ...]) -> tuple[LabelRow, int]:
    """The same, with a bound for each column."""
    fitted, repairs = _fixed_width(row, len(bounds), max(bounds))
    good = tuple(value if value < bound else 0 for value, bound in zip(fitted, bounds, strict=True))
    return good, repairs + sum(value != old for value, old in zip(good, fitted, strict=True))


def _hierarchical(row: LabelRow) -> tuple[LabelRow, int]:
    """Brackets of an unknown type are left out; an index below 0 leads to the root, as one that is too large does."""
    if len(row) < HEADER:
        return (0,) * HEADER, 1
    loop, kind, index, opens, count = row[:HEADER]
    repairs = int(not 0 <= kind <= 3)
    pairs = list(zip(row[HEADER::2], row[HEADER + 1 :: 2], strict=False))
    if not 0 <= count <= len(pairs) or len(row[HEADER:]) % 2:
        repairs += 1
        count = max(0, min(count, len(pairs)))
    closers, openers = _known(pairs[:count]), _known(pairs[count:])
    repairs += len(pairs) - len(closers) - len(openers)
    header = (int(loop != 0), kind if 0 <= kind <= 3 else 0, _index(index), int(opens != 0), len(closers))
    return (*header, *(value for pair in closers + openers for value in pair)), repairs


def _known(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(kind, _index(index)) for kind, index in pairs if 1 <= kind <= 3 and index >= 0]


def _index(index: int) -> int:
    return index if 0 <= index <= _LARGEST else _LARGEST
