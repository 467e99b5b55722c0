"""How graphs are stored in a doc: an entry of `doc.user_data` for each sentence, lists of plain values only.

The key is the one spaCy gives to attributes of a span, with the offsets of the sentence's first and last character. So
spaCy moves the entries with the text when it cuts docs or joins them, and writes them wherever it writes user data.
It moves entries of text that was cut off as well, out of the doc or onto other text; a checksum recognises those.
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
    """None if the component is configured not to store probabilities."""

    @property
    def relation(self) -> str:
        """The relation; where there are several, with '+' between them."""
        return "+".join(self.relations)


class StoredSentence(NamedTuple):
    """A sentence: the tokens that are its words, and its arcs, sorted by dependent and head."""

    tokens: list[int]
    arcs: list[DocArc]


@dataclass(frozen=True)
class StoredGraph:
    """All that is stored in a doc, by the indices of its tokens."""

    sentences: list[StoredSentence]
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
    """Store parsed sentences, each with the tokens that are its words, in place of what was stored before."""
    text = doc.text
    entries: dict[tuple[str, str, int, int], list[Any]] = {}
    for tokens, sentence in parsed:
        start, end = doc[tokens[0]].idx, doc[tokens[-1]].idx + len(doc[tokens[-1]])
        offsets = [doc[i].idx - start for i in tokens]
        entries[(*_KEY, start, end)] = [_checksum(text[start:end]), offsets, _arcs(sentence)]
    stored = _user_data(doc)
    for key in [key for key in stored if _is_ours(key)]:
        del stored[key]
    stored.update(entries)
    _CACHE.pop(doc, None)


def _arcs(sentence: Sentence) -> list[list[Any]]:
    """Head, dependent, relations and probability of each arc; words count from 1, the root is 0.

    Empty nodes are no tokens: a path through them becomes one arc with a path label.
    """
    graph = collapse(sentence).graph
    known: Any = [None] * len(graph) if graph.probabilities is None else graph.probabilities.tolist()
    return [[arc.head, arc.dependent, list(arc.relations), p] for arc, p in zip(graph, known, strict=True)]


def read(doc: Doc) -> StoredGraph | None:
    """What is stored in a doc; none if it was not parsed. A doc without a word has a graph without an arc."""
    version = (id(doc.user_data), len(doc.user_data), len(doc))
    cached = _CACHE.get(doc)
    if cached is None or cached[0] != version:
        sentences = list(_sentences(doc))
        graph = StoredGraph(sentences) if sentences or not doc.text.strip() else None
        _CACHE[doc] = cached = (version, graph)
    return cached[1]


_Version = tuple[int, int, int]
_CACHE: WeakKeyDictionary[Doc, tuple[_Version, StoredGraph | None]] = WeakKeyDictionary()
"""What was last read from each doc: every attribute of a token reads it again."""


def _sentences(doc: Doc) -> Iterator[StoredSentence]:
    text, stored = doc.text, _user_data(doc)
    starts = [token.idx for token in doc]
    for key in sorted(key for key in stored if _is_ours(key)):
        start, end = key[2:]
        checksum, offsets, arcs = stored[key]
        if 0 <= start < end <= len(text) and _checksum(text[start:end]) == checksum:
            # tokens may have been merged or split since: take the one that holds the character
            tokens = [bisect_right(starts, start + offset) - 1 for offset in offsets]
            yield StoredSentence(list(dict.fromkeys(tokens)), _over_tokens(arcs, tokens))


def _over_tokens(arcs: Iterable[Sequence[Any]], tokens: list[int]) -> list[DocArc]:
    over: dict[tuple[int, int], DocArc] = {}
    for head, dependent, relations, probability in arcs:
        child, parent = tokens[dependent - 1], tokens[head - 1] if head else None
        if parent == child and head != dependent:
            continue  # its two words have become one token
        key = (child, -1 if parent is None else parent)
        before = over.get(key)
        names = dict.fromkeys([*(before.relations if before else ()), *relations])
        over[key] = DocArc(parent, child, tuple(names), before.probability if before else probability)
    return [over[key] for key in sorted(over)]


def _user_data(doc: Doc) -> dict[Any, Any]:
    """The user data of a doc, whose keys are not strings only, whatever spaCy's types say."""
    return cast("dict[Any, Any]", doc.user_data)


def _is_ours(key: object) -> bool:
    return isinstance(key, tuple) and len(key) == 4 and key[:2] == _KEY


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8"))
