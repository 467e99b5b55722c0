"""The verbal predicates of sentences, as the official scorer of SemEval 2015 sees them, in flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arctag.blocks.flat import Flat, Table
from arctag.cells import Flags, Longs, Numbers

_POS, _XPOS, _PREDICATE, _FRAME = 3, 4, 5, 6


@dataclass(frozen=True)
class Predicates:
    """Which words are predicates and have a tag that starts with V."""

    verbal: Flags
    framed: Flags
    """Those in an SDP file: other formats have no frames."""
    frames: Numbers
    """The frame of each word, as a number in a table."""

    @classmethod
    def of(cls, flat: Flat, arguments: Longs, frames: Table) -> Predicates:
        """Those of some sentences, whose words have so many arguments."""
        sizes = flat.sizes
        sdp = np.repeat([sentence.format == "sdp" for sentence in flat.sentences], sizes)
        # once edited, the rows no longer show the graph
        as_read = np.repeat([not sentence.edited for sentence in flat.sentences], sizes)
        predicates = np.where(sdp & as_read, _is(flat, _PREDICATE, "+"), arguments > 0) if sdp.any() else arguments > 0
        verbal = predicates & _verbal(flat, sdp)
        return cls(verbal, verbal & sdp, flat.column(_FRAME, frames) if sdp.any() else np.zeros_like(sdp, np.int32))


def _verbal(flat: Flat, sdp: Flags) -> Flags:
    """Whether the tag that each word has, or would have, in an SDP file is a verb's."""
    tags = Table()
    numbers = flat.column(_POS, tags)
    if not sdp.all():
        own = flat.column(_XPOS, tags)
        numbers = np.where(sdp | (own == tags.numbers(["_"])), numbers, own)
    return np.array([tag.startswith("V") for tag in tags], dtype=np.bool_)[numbers]


def _is(flat: Flat, column: int, text: str) -> Flags:
    texts = Table()
    found: Flags = flat.column(column, texts) == texts.numbers([text])
    return found
