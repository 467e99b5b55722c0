"""The layers of a parse in spaCy's own attributes: pos, tag, morph, lemma, head and dep."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from arctag.columns import DEPREL, HEAD
from arctag.errors import UnknownName
from arctag.sentence import Sentence

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

TREE = "tree"
_BLANK = "_"
_UNIVERSAL = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM",
    "VERB", "X",
})  # fmt: skip
"""The tags that spaCy knows; another one would be an error."""
_ROOT = "ROOT"  # as spaCy calls it
Parsed = list[tuple[list[int], Sentence]]
"""Sentences, each with the tokens that are its words."""


def _set_pos(token: Token, cell: str) -> None:
    token.pos_ = "SPACE" if token.is_space else cell if cell in _UNIVERSAL else "X"


def _set_tag(token: Token, cell: str) -> None:
    token.tag_ = "_SP" if token.is_space else "" if cell == _BLANK else cell


def _set_morph(token: Token, cell: str) -> None:
    token.set_morph("" if cell == _BLANK else cell)  # type: ignore[attr-defined]  # not in spaCy's stubs


def _set_lemma(token: Token, cell: str) -> None:
    token.lemma_ = token.text if cell == _BLANK else cell


_SETTERS: dict[str, tuple[int, Callable[[Token, str], None]]] = {
    "upos": (3, _set_pos),
    "xpos": (4, _set_tag),
    "feats": (5, _set_morph),
    "lemma": (2, _set_lemma),
}
"""Layer → its column in a sentence, and what sets it on a token."""
LAYERS = (*_SETTERS, TREE)
"""The layers that spaCy has attributes for."""


def check_layers(annotate: bool | Sequence[str]) -> None:
    """`UnknownName` for a layer that spaCy has no attribute for."""
    for name in annotate if not isinstance(annotate, bool) else ():
        if name not in LAYERS:
            raise UnknownName("layer to annotate", name, LAYERS)


def chosen_layers(annotate: bool | Sequence[str], known: Sequence[str]) -> list[str]:
    """The layers to annotate: those that are named, or all that a model has."""
    return [name for name in LAYERS if annotate and name in known] if isinstance(annotate, bool) else list(annotate)


def annotate_doc(doc: Doc, parsed: Parsed, starts: Sequence[int], layers: Iterable[str]) -> None:
    """Set the attributes of all tokens; those that are spaces have what spaCy gives to spaces.

    `starts` are the first tokens of the sentences.
    """
    for name in layers:
        if name == TREE:
            _set_tree(doc, parsed, starts)
            continue
        column, set_attribute = _SETTERS[name]
        cells = dict(_cells(parsed, column))
        for token in doc:
            set_attribute(token, cells.get(token.i, _BLANK))


def _cells(parsed: Parsed, column: int) -> Iterator[tuple[int, str]]:
    """The tokens of a doc with their cells in a column."""
    for tokens, sentence in parsed:
        yield from zip(tokens, _words(sentence, column), strict=True)


def _words(sentence: Sentence, column: int) -> list[str]:
    """A column of the words: empty nodes are no tokens."""
    return [cell for cell, empty in zip(sentence.column(column), sentence.empty, strict=True) if not empty]


def _set_tree(doc: Doc, parsed: Parsed, starts: Sequence[int]) -> None:
    """Heads and relations, from which spaCy takes its sentences; a space depends on the word before it."""
    heads, relations = np.arange(len(doc)), ["dep"] * len(doc)
    for place, host in _hosts(len(doc), starts, [place for tokens, _ in parsed for place in tokens]):
        heads[place] = host
    for tokens, sentence in parsed:
        for place, head, relation in zip(tokens, _words(sentence, HEAD), _words(sentence, DEPREL), strict=True):
            heads[place] = tokens[int(head) - 1] if head not in ("0", _BLANK) else place
            relations[place] = relation
    offsets = heads - np.arange(len(doc))
    names = [_ROOT if not offset else relation for offset, relation in zip(offsets, relations, strict=True)]
    numbers = np.array([doc.vocab.strings.add(name) for name in names], dtype=np.uint64)
    columns = np.stack([offsets.astype(np.int64).view(np.uint64), numbers], axis=1)
    doc.from_array(["HEAD", "DEP"], columns)  # type: ignore[arg-type]  # spaCy's type is thinc's own


def _hosts(size: int, starts: Sequence[int], words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """For each space, the word of its sentence before it, else the first one; itself where there is none."""
    known = set(words)
    for start, end in zip(starts, [*starts[1:], size], strict=True):
        inside = words[bisect_left(words, start) : bisect_left(words, end)]
        for place in range(start, end):
            if place not in known:
                yield place, inside[max(bisect_left(inside, place) - 1, 0)] if inside else place
