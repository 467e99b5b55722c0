"""The words that relations take their suffixes from: `despite` of *despite the rain*, for `obl:despite`.

A *marker* is the last dependent of a word with a certain relation, `case` say, with its `fixed` parts (`because_of`).
A conjunct without one shares that of the first conjunct (*with butter and jam*); and where the marker joins
conjuncts, one without it has that of the next, or else the previous, of its siblings (*apples, pears and plums*).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from arctag.blocks.arcs import BlockArcs
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.graph import BoolArray

Words = npt.NDArray[np.int64]
"""Words, counted over all sentences; -1 is none."""

_CONJUNCT, _FIXED = "conj", "fixed"


@lru_cache(maxsize=50_000)
def base(relation: str) -> str:
    """A relation without its suffixes; a path through empty nodes is a relation of its own."""
    return relation if ">" in relation else relation.partition(":")[0]


@lru_cache(maxsize=50_000)
def suffixes(relation: str) -> tuple[str, ...]:
    """What follows the base: `obl:od:gen` has two."""
    return tuple(relation[len(base(relation)) :].split(":")[1:])


class Markers:
    """The markers of all words of some graphs."""

    def __init__(self, graphs: BlockArcs, texts: Sequence[str]) -> None:
        arcs = graphs.arcs
        if len(texts) != arcs.sizes.sum():
            raise InputError(f"found texts for {len(texts)} words; expected one for each of {arcs.sizes.sum()}")
        before = np.repeat(offsets_of(arcs.sizes)[:-1], np.diff(arcs.starts)) - 1
        self.heads: Words = np.where(arcs.heads > 0, before + arcs.heads, -1)
        self.dependents: Words = before + arcs.dependents
        self._graphs, self._texts = graphs, texts
        self._bases = [{base(relation) for relation in relations} for relations in graphs.names]

    def of_arcs(self, chosen: Words, name: str, relations: Sequence[str]) -> list[str]:
        """The marker of the dependent of each chosen arc, or an empty text.

        `name` is the base of the arcs' relation; `relations` are those of markers, the first that there is counts.
        """
        own = np.full(len(self._texts), -1)
        for relation in reversed(relations):
            markers = self._last(relation)
            own = np.where(markers >= 0, markers, own)
        if name == _CONJUNCT:
            found = self._of_siblings(own)[chosen]
        else:
            words = self.dependents[chosen]
            first = self._first_conjuncts[words]
            found = np.where((own[words] < 0) & (first >= 0), own[first], own[words])
        texts, phrases = self._texts, self._phrases
        return [(phrases.get(word) or texts[word]) if word >= 0 else "" for word in found.tolist()]

    def dependents_of(self, word: int) -> Iterator[tuple[str, str]]:
        """The relation and the text of each dependent of a word, from the first."""
        for below in self._by_head[self._starts[word] : self._starts[word + 1]].tolist():
            dependent = int(self.dependents[below])
            for relation in self._bases[self._graphs.numbers[below]]:
                yield relation, self._phrases.get(dependent) or self._texts[dependent]

    def _with(self, relation: str) -> BoolArray:
        """Which arcs have a relation, whatever its suffix; those from the root do not count."""
        has = np.array([relation in bases for bases in self._bases], dtype=np.bool_)
        return has[self._graphs.numbers] & (self.heads >= 0)

    def _last(self, relation: str) -> Words:
        """The last dependent of each word with a relation."""
        arcs = self._with(relation)
        last = np.full(len(self._texts), -1)
        last[self.heads[arcs]] = self.dependents[arcs]  # sorted by dependent, and the last of several stays
        return last

    @cached_property
    def _first_conjuncts(self) -> Words:
        """The word that each is a conjunct of; the nearest before it, if of several."""
        arcs = self._with(_CONJUNCT)
        first = np.full(len(self._texts), -1)
        first[self.dependents[arcs]] = self.heads[arcs]
        return first

    def _of_siblings(self, own: Words) -> Words:
        """For each arc to a conjunct the marker of its dependent, else of the next sibling, else of the previous."""
        arcs = np.flatnonzero(self._with(_CONJUNCT))
        arcs = arcs[np.argsort(self.heads[arcs], kind="stable")]
        heads, markers = self.heads[arcs], own[self.dependents[arcs]]
        places = np.arange(len(arcs))
        after = np.where(markers >= 0, places, len(arcs))
        before = np.where(markers >= 0, places, -1)
        after = np.minimum.accumulate(after[::-1])[::-1]
        before = np.maximum.accumulate(before)
        found = np.full(len(self.heads), -1)
        for near in (before, after):  # the second goes over the first
            there = (near >= 0) & (near < len(arcs))
            there[there] = heads[near[there]] == heads[there]
            found[arcs[there]] = markers[near[there]]
        return found

    @cached_property
    def _phrases(self) -> dict[int, str]:
        """The words that have fixed parts, each with them."""
        arcs = self._with(_FIXED)
        parts: dict[int, set[int]] = {}
        for head, dependent in zip(self.heads[arcs].tolist(), self.dependents[arcs].tolist(), strict=True):
            parts.setdefault(head, {head}).add(dependent)
        return {head: "_".join(self._texts[word] for word in sorted(words)) for head, words in parts.items()}

    @cached_property
    def _by_head(self) -> Words:
        return np.argsort(self.heads, kind="stable")

    @cached_property
    def _starts(self) -> Words:
        return np.searchsorted(self.heads[self._by_head], np.arange(len(self._texts) + 1))
