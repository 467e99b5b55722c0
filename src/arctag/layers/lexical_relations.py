"""Relations with words in them (`obl:despite`, `conj:and`, `obl:od:gen`): the word is copied, not classified.

A treebank shows which dependents such suffixes repeat: the `case` of an `obl`, the `cc` of a `conj`. A network learns
`obl:*`, and the word is filled in after parsing. What is not explained that way stays a relation of its own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

import numpy as np

from arctag.blocks.arcs import BlockArcs
from arctag.errors import InputError
from arctag.graph import Relations
from arctag.layers import lexical_learning
from arctag.layers.lexical_markers import Markers, Words, base, suffixes

_COPIED = "*"
"""Stands for the word in a relation; a suffix of asterisks in the treebank itself gets one more."""
_LONGEST = 100  # a phrase of a whole sentence would be written again and again


@dataclass(frozen=True)
class LexicalRules:
    """Where the suffixes of relations are copied from."""

    markers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For the base of a relation, the relations of the words that its suffixes repeat; the first found counts."""
    spellings: Mapping[str, str] = field(default_factory=dict)
    """Words that are written otherwise in relations: `through` for `thru`."""

    @classmethod
    def learn(cls, graphs: BlockArcs, texts: Sequence[str]) -> LexicalRules:
        """The rules of a treebank. `texts` are the lemmas or the forms of all words, in lower case."""
        markers = lexical_learning.marker_relations(graphs, texts)
        return cls(markers, lexical_learning.spellings(graphs, texts, markers))

    def stripped(self, graphs: BlockArcs, texts: Sequence[str]) -> BlockArcs:
        """The graphs with `*` in place of each suffix that `filled` would restore."""
        return self._changed(graphs, texts, _without_word)

    def filled(self, graphs: BlockArcs, texts: Sequence[str]) -> BlockArcs:
        """The graphs with words in place of `*`; the rest of the relation alone where there is no word to copy."""
        return self._changed(graphs, texts, _with_word)

    def to_json(self) -> dict[str, Any]:
        """The rules as plain values."""
        markers = {name: list(relations) for name, relations in self.markers.items()}
        return {"markers": markers, "spellings": dict(self.spellings)}

    @classmethod
    def from_json(cls, value: object) -> LexicalRules:
        """The rules from plain values; `InputError` if they are not of that kind."""
        if not isinstance(value, dict):
            raise InputError(f"lexical rules: found {value!r:.50}; expected an object with markers and spellings")
        markers, spellings = value.get("markers", {}), value.get("spellings", {})
        if not (
            isinstance(markers, dict) and all(isinstance(some, list) and _are_texts(some) for some in markers.values())
        ):
            raise InputError(
                f"lexical rules: markers: found {markers!r:.50}; expected a list of relations for each relation"
            )
        if not (isinstance(spellings, dict) and _are_texts(spellings.values())):
            raise InputError(f"lexical rules: spellings: found {spellings!r:.50}; expected a word for each word")
        return cls({name: tuple(relations) for name, relations in markers.items()}, dict(spellings))

    def _changed(self, graphs: BlockArcs, texts: Sequence[str], change: Callable[[str, str], str]) -> BlockArcs:
        """The graphs with each relation that has suffixes changed, given the word that it may repeat."""
        if not self.markers:
            return graphs
        graphs = _with_used_names(graphs)
        names = graphs.names
        split = [any(map(suffixes, relations)) for relations in names]
        arcs = np.flatnonzero(np.array(split, dtype=np.bool_)[graphs.numbers])
        words = self._words(graphs, texts, arcs)
        nothing = [""] * len(arcs)
        columns = [[words.get(base(relation), nothing) for relation in relations] for relations in names]
        known: dict[Relations, int] = {}

        @cache
        def changed(number: int, *words: str) -> int:
            return known.setdefault(tuple(dict.fromkeys(map(change, names[number], words))), len(known))

        kept = [
            0 if has else known.setdefault(relations, len(known)) for relations, has in zip(names, split, strict=True)
        ]
        numbers = np.array(kept, dtype=np.int32)[graphs.numbers]
        numbers[arcs] = [
            changed(number, *[column[place] for column in columns[number]])
            for place, number in enumerate(graphs.numbers[arcs].tolist())
        ]
        return BlockArcs(graphs.arcs, (numbers, list(known)), graphs.probabilities)

    def _words(self, graphs: BlockArcs, texts: Sequence[str], arcs: Words) -> dict[str, list[str]]:
        """For the base of a relation, the word that each arc with it may repeat; empty where there is none."""
        markers = Markers(graphs, texts)
        words = {}
        for name, relations in self.markers.items():
            has_name = np.array([name in map(base, some) for some in graphs.names], dtype=np.bool_)
            chosen = has_name[graphs.numbers[arcs]]
            column = np.full(len(arcs), "", dtype=object)
            column[chosen] = [self._written(text) for text in markers.of_arcs(arcs[chosen], name, relations)]
            words[name] = column.tolist()
        return words

    def _written(self, text: str) -> str:
        word = self.spellings.get(text, text)
        return word if _is_word(word) else ""


def _with_used_names(graphs: BlockArcs) -> BlockArcs:
    """The same graphs; a few sentences may have the names of a whole treebank."""
    used = np.bincount(graphs.numbers, minlength=len(graphs.names)) > 0
    names = [relations for relations, is_used in zip(graphs.names, used.tolist(), strict=True) if is_used]
    numbers = (np.cumsum(used, dtype=np.int32) - 1)[graphs.numbers]
    return BlockArcs(graphs.arcs, (numbers, names), graphs.probabilities)


def _without_word(relation: str, word: str) -> str:
    """`obl:despite` as `obl:*` if that is the word."""
    parts = [part + _COPIED if _is_asterisks(part) else part for part in suffixes(relation)]
    if word and word in parts:
        parts[parts.index(word)] = _COPIED
    return ":".join([base(relation), *parts])


def _with_word(relation: str, word: str) -> str:
    """`obl:*` as `obl:despite`, or as `obl` without a word."""
    parts = [
        word if part == _COPIED else part[1:] if _is_asterisks(part) else part
        for part in suffixes(relation)
        if word or part != _COPIED
    ]
    return ":".join([base(relation), *parts])


def _is_asterisks(part: str) -> bool:
    return bool(part) and not part.strip(_COPIED)


@lru_cache(maxsize=50_000)
def _is_word(text: str) -> bool:
    """Whether a text may be a part of a relation in Universal Dependencies: words of letters, with `_` between them."""
    letters = all(unicodedata.category(character)[0] in "LM" or character == "_" for character in text[:_LONGEST])
    return letters and all(text.split("_")) and len(text) <= _LONGEST


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)
