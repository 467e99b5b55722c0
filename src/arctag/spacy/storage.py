"""How graphs are kept in a doc: an entry of `doc.user_data` for each sentence, lists of plain values only.

The key is the one spaCy gives to attributes of a span, with the places of the sentence's first and last character. So
spaCy moves the entries with the text when it cuts docs or joins them, and writes them wherever it writes user data.
It moves entries of text that was cut off as well, out of the doc or onto other text; a checksum tells those.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import WeakKeyDictionary
from zlib import crc32

from arctag.sentence import Sentence
from arctag.transforms.empty_nodes import collapse

if TYPE_CHECKING:
    from spacy.tokens import Doc

_KEY = ("._.", "arctag")


class DocArc(NamedTuple):
    """An arc between two tokens of a doc, by their indices in it."""

    head: int | None
    """None for the root."""
    dependent: int
    relations: tuple[str, ...]
    probability: float | None = None
    """None if the component was told not to keep probabilities."""

    @property
    def relation(self) -> str:
        """The relation; where there are several, with '+' between them."""
        return "+".join(self.relations)


class Parsed(NamedTuple):
    """A sentence: the tokens that are its words, and its arcs, sorted by dependent and head."""

    tokens: list[int]
    arcs: list[DocArc]


@dataclass(frozen=True)
class Reading:
    """All that is kept in a doc, by the indices of its tokens."""

    sentences: list[Parsed]
    into: dict[int, list[DocArc]] = field(default_factory=dict)
    """The arcs of each dependent."""
    out_of: dict[int, list[DocArc]] = field(default_factory=dict)
    """The arcs of each head."""

    def __post_init__(self) -> None:
        for arc in (arc for sentence in self.sentences for arc in sentence.arcs):
            self.into.setdefault(arc.dependent, []).append(arc)
            if arc.head is not None:
                self.out_of.setdefault(arc.head, []).append(arc)


def store(doc: Doc, parsed: Iterable[tuple[Sequence[int], Sentence]]) -> None:
    """Keep parsed sentences, each with the tokens that are its words, in place of what was kept before."""
    text = doc.text
    entries: dict[tuple[str, str, int, int], list[Any]] = {}
    for tokens, sentence in parsed:
        start, end = doc[tokens[0]].idx, doc[tokens[-1]].idx + len(doc[tokens[-1]])
        places = [doc[i].idx - start for i in tokens]
        entries[(*_KEY, start, end)] = [_checksum(text[start:end]), places, _arcs(sentence)]
    kept = _data(doc)
    for key in [key for key in kept if _is_ours(key)]:
        del kept[key]
    kept.update(entries)
    _RECENT.pop(doc, None)


def _arcs(sentence: Sentence) -> list[list[Any]]:
    """Head, dependent, relations and probability of each arc; words count from 1, the root is 0.

    Empty nodes are no tokens: a path through them becomes one arc with a path label.
    """
    graph = collapse(sentence).graph
    known: Any = [None] * len(graph) if graph.probabilities is None else graph.probabilities.tolist()
    return [[arc.head, arc.dependent, list(arc.relations), p] for arc, p in zip(graph, known, strict=True)]


def read(doc: Doc) -> Reading | None:
    """What is kept in a doc; none if it was not parsed. A doc without a word has a graph without an arc."""
    stamp = (id(doc.user_data), len(doc.user_data), len(doc))
    recent = _RECENT.get(doc)
    if recent is None or recent[0] != stamp:
        sentences = list(_sentences(doc))
        reading = Reading(sentences) if sentences or not doc.text.strip() else None
        _RECENT[doc] = recent = (stamp, reading)
    return recent[1]


_Stamp = tuple[int, int, int]
_RECENT: WeakKeyDictionary[Doc, tuple[_Stamp, Reading | None]] = WeakKeyDictionary()
"""What was read last of each doc that lives: every token asks anew."""


def _sentences(doc: Doc) -> Iterator[Parsed]:
    text, kept = doc.text, _data(doc)
    starts = [token.idx for token in doc]
    for key in sorted(key for key in kept if _is_ours(key)):
        start, end = key[2:]
        checksum, places, arcs = kept[key]
        if 0 <= start < end <= len(text) and _checksum(text[start:end]) == checksum:
            # a token that was merged or split since has another start: the one that holds the character is it
            tokens = [bisect_right(starts, start + place) - 1 for place in places]
            yield Parsed(list(dict.fromkeys(tokens)), _over_tokens(arcs, tokens))


def _over_tokens(arcs: Iterable[Sequence[Any]], tokens: list[int]) -> list[DocArc]:
    found: dict[tuple[int, int], DocArc] = {}
    for head, dependent, relations, probability in arcs:
        to, of = tokens[dependent - 1], tokens[head - 1] if head else None
        if of == to and head != dependent:
            continue  # its two words have become one token
        place = (to, -1 if of is None else of)
        before = found.get(place)
        names = dict.fromkeys([*(before.relations if before else ()), *relations])
        found[place] = DocArc(of, to, tuple(names), before.probability if before else probability)
    return [found[place] for place in sorted(found)]


def _data(doc: Doc) -> dict[Any, Any]:
    """The user data of a doc, whose keys are not strings only, whatever spaCy's types say."""
    return cast("dict[Any, Any]", doc.user_data)


def _is_ours(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 4 and key[:2] == _KEY


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8"))
