"""Clashes: files that fill one layer with other tags or relations, as two schemes of annotation do.

Two files of one scheme share nearly all that is frequent in them, whatever their sizes and domains. A pair clashes if
much of each is unknown to the other, and more than chance explains: the share of what occurs once (Good and Turing's
estimate, large for fine tags), and how far such shares vary in small files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from arctag.errors import InputError
from arctag.layers import learned_kind
from arctag.layers.filled import Places
from arctag.sentence import Sentence

_MOST = 0.3  # treebanks of the same scheme have up to 0.02, of several languages 0.17; of two schemes 0.39 and more
_DEVIATIONS = 3  # of a share: at most so often 1 / √words
_EXAMPLES = 3


class File(NamedTuple):
    """A file that was read."""

    name: str
    sentences: Sequence[Sentence]


def check_clashes(treebanks: Iterable[tuple[Places, Sequence[File]]]) -> None:
    """`InputError` for the first two files that fill the same layer differently."""
    values: dict[str, list[tuple[str, Counter[str]]]] = {}
    for places, files in treebanks:
        for layer, place in places.items():
            for file in files:
                found = learned_kind(place.kind).values(file.sentences, place.column)
                values.setdefault(layer, []).append((file.name, found))
    for layer, filled in values.items():
        for (one, first), (other, second) in combinations(filled, 2):
            if min(_unknown(first, second), _unknown(second, first)) > _MOST:
                raise InputError(
                    f"layer {layer}: {one} and {other} fill it differently: {_examples(first, second)} only in the "
                    f"first, {_examples(second, first)} only in the second; leave out a file, or the layer (--layers), "
                    "or let one of them bring a layer of its own (--also NAME=FILE)"
                )


def _unknown(values: Counter[str], known: Counter[str]) -> float:
    """The share of values that another file does not have, less what is to be expected of two files of one scheme."""
    if not values or not known:
        return 0.0
    new = sum(count for value, count in values.items() if value not in known) / values.total()
    expected = sum(count == 1 for count in known.values()) / known.total()
    return new - expected - _DEVIATIONS / sqrt(min(values.total(), known.total()))


def _examples(values: Counter[str], known: Counter[str]) -> str:
    """What is frequent in one file alone."""
    return ", ".join([value for value, _ in values.most_common() if value not in known][:_EXAMPLES])
