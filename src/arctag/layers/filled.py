"""Which layers files fill, and which of them are wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from arctag.blocks.flat import Flat
from arctag.errors import InputError
from arctag.layers import LAYERS, STANDARD, Standard
from arctag.layers.base import check_name
from arctag.layers.columns import BLANK, cells, has_trees
from arctag.sentence import Sentence

_ARCS = re.compile(r"[0-9.]+:[^|]+(\|[0-9.]+:[^|]+)*")
_NOT_LEARNED = ("ID", "FORM", "MISC")  # a prediction would overwrite what a sentence needs
Places = dict[str, Standard]
"""Where layers stand, by name."""


class Wanted(NamedTuple):
    """A layer that was asked for."""

    name: str
    column: str
    """Where it stands; empty if it was not said."""


def wanted(text: str) -> Wanted:
    """`upos`, or `ner=MISC:NER`: the name of a layer and the column that it stands in."""
    name, _, column = text.partition("=")
    check_name(name)
    return Wanted(name, column)


def filled(sentences: Sequence[Sentence]) -> Places:
    """The layers that sentences fill: those of Universal Dependencies, and further columns of CoNLL-U Plus.

    Of other formats it is their graph."""
    places = {name: place for name, place in STANDARD.items() if _is_filled(sentences, name, place)}
    header = sentences[0].header if sentences else None
    for column in header.further if header is not None else ():
        if any(cell != BLANK for cell in cells(sentences, column)):
            name = column.rpartition(":")[2].lower()
            places[name] = _place(sentences, name, column)
    return places


def _is_filled(sentences: Sequence[Sentence], name: str, place: Standard) -> bool:
    if name == "graph":
        return len(Flat(sentences).graphs.arcs.heads) > 0
    if not all(has_trees(sentence) for sentence in sentences):
        return False
    found = cells(sentences, place.column)
    # a tree needs a head for every word; other columns may be blank here and there
    return bool(found) and (BLANK not in found if name == "tree" else any(cell != BLANK for cell in found))


def chosen(sentences: Sequence[Sentence], layers: Sequence[str]) -> Places:
    """The layers that were asked for, with their places; `InputError` where the sentences do not fill one."""
    known = filled(sentences)
    places: Places = {}
    for name, column in map(wanted, layers):
        if column or name not in STANDARD:
            places[name] = _place(sentences, name, column or name)
        elif name not in known:
            raise InputError(_missing(sentences, name, known))
        else:
            places[name] = known[name]
    return places


def half_filled(sentences: Sequence[Sentence]) -> str:
    """Why there is no layer of trees, though some words have heads; empty where it is there, or no word has one."""
    if not all(map(has_trees, sentences)):
        return ""
    words = [(s, cell) for s in sentences for cell in s.cells("HEAD")]
    blank = next((s.id for s, cell in words if cell == BLANK), "")
    if not blank or all(cell == BLANK for _, cell in words):
        return ""
    return f"layer tree: {blank} has a word without HEAD; every word of every sentence needs one"


def _missing(sentences: Sequence[Sentence], name: str, known: Mapping[str, Standard]) -> str:
    place = STANDARD[name]
    if name == "tree" and (why := half_filled(sentences)):
        return why
    return f"layer {name}: the training files do not fill {place.column}; they have {', '.join(known) or 'no layer'}"


def _place(sentences: Sequence[Sentence], name: str, column: str) -> Standard:
    """The place of a further layer: of the kind of that name, or a graph if all its cells are arcs, else tags."""
    if name in STANDARD and column.upper() != STANDARD[name].column:
        raise InputError(f"layer {name} is that of {STANDARD[name].column}: give what is in {column} another name")
    if column.upper() in _NOT_LEARNED:
        raise InputError(f"layer {name}: column {column} cannot be predicted; tags in MISC have a key: MISC:Key")
    if name in LAYERS and name not in STANDARD:
        return Standard(name, column)
    for standard in STANDARD.values():
        if standard.column == column.upper():
            return standard
    found = [cell for cell in cells(sentences, column) if cell != BLANK]
    if not found:
        raise InputError(f"layer {name}: column {column} is empty in the training files")
    return Standard("graph" if all(map(_ARCS.fullmatch, found)) else "tags", column)
