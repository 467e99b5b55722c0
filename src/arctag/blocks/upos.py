"""The universal tags of sentences, by number, for encodings that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arctag.blocks.flat import Flat, Table
from arctag.columns import UNIVERSAL
from arctag.encodings import Arcs, Encoding
from arctag.encodings.labels import offsets_of
from arctag.encodings.upos import tag_numbers
from arctag.errors import InputError
from arctag.graph import IntArray
from arctag.sentence import Sentence

_UPOS = 3
_BLANK = "_"


class NoTags(InputError):
    """A sentence has no universal tags, and an encoding needs them."""


def upos_of(sentences: Sequence[Sentence]) -> IntArray:
    """The tag of each word of sentences; `NoTags` where a sentence has none at all."""
    other = next((sentence for sentence in sentences if sentence.format not in UNIVERSAL), None)
    if other is not None:
        raise NoTags(f"{other.id}: files of the format {other.format} have no UPOS column")
    flat, texts = Flat(sentences), Table()
    numbers = flat.column(_UPOS, texts)
    blank = np.array([text == _BLANK for text in texts], dtype=np.bool_)[numbers]
    blanks = np.diff(offsets_of(blank)[offsets_of(flat.sizes)])
    empty = np.flatnonzero((blanks == flat.sizes) & (flat.sizes > 0))
    if len(empty):
        raise NoTags(f"{sentences[int(empty[0])].id}: its UPOS column is empty")
    return tag_numbers(texts)[numbers]


def tagged(arcs: Arcs, sentences: Sequence[Sentence], *encodings: Encoding) -> Arcs:
    """The arcs with the tags of their sentences, if an encoding needs them; `NoTags` where there are none."""
    needing = next((chosen for chosen in encodings if chosen.needs_tags), None)
    if needing is None:
        return arcs
    try:
        return replace(arcs, tags=upos_of(sentences))
    except NoTags as error:
        raise NoTags(f"{needing.name} needs the UPOS column: {error}") from error
