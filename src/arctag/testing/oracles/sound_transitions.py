"""Rows of transitions that a label's text can stand for, out of any row, and the repairs that takes."""

from __future__ import annotations

from arctag.encodings.labels import LabelRow
from arctag.encodings.trees.transitions import LEFT_ARC, REDUCE, RIGHT_ARC, SHIFT


def only_arcs(row: LabelRow) -> tuple[LabelRow, int]:
    """Arc-standard and arc-hybrid: other transitions are left out."""
    return _only(row, (LEFT_ARC, RIGHT_ARC))


def read_first(row: LabelRow) -> tuple[LabelRow, int]:
    """Arc-eager: a word is shifted if its row does not say how it is read; it is read once."""
    says = row[:1] in ((SHIFT,), (RIGHT_ARC,))
    read, rest = (row[:1], row[1:]) if says else ((SHIFT,), row)
    kept, repairs = _only(rest, (LEFT_ARC, REDUCE))
    return read + kept, repairs + (not says)


def counted_arcs(row: LabelRow, largest: int) -> tuple[LabelRow, int]:
    """Covington: unknown arcs and those after less than no NO-ARCs are left out, and a number without a partner."""
    pairs = list(zip(row[::2], row[1::2], strict=False))
    known = [(min(skipped, largest), code) for skipped, code in pairs if skipped >= 0 and code in (LEFT_ARC, RIGHT_ARC)]
    return tuple(value for pair in known for value in pair), len(pairs) - len(known) + len(row) % 2


def _only(row: LabelRow, known: tuple[int, ...]) -> tuple[LabelRow, int]:
    kept = tuple(code for code in row if code in known)
    return kept, len(row) - len(kept)
