"""`BlockArcs`: the arcs of many sentences with their relations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np

from arctag.cells import Longs, Numbers, Spans
from arctag.encodings.labels import Arcs, offsets_of
from arctag.graph import FloatArray, Graph, Relations


class BlockArcs:
    """The arcs of many sentences, sorted by (sentence, dependent, head); their relations are numbered when needed."""

    def __init__(
        self,
        arcs: Arcs,
        relations: Spans | tuple[Numbers, Sequence[Relations]],
        probabilities: FloatArray | None = None,
    ) -> None:
        """The relation of each arc is a span of bytes, or a number into a list of names."""
        self.arcs = arcs
        self.probabilities = probabilities
        self._relations = relations

    @cached_property
    def _numbered(self) -> tuple[Numbers, Sequence[Relations]]:
        if not isinstance(self._relations, Spans):
            return self._relations
        numbers, texts = self._relations.numbered()
        return numbers, [_single(text) for text in texts]

    @property
    def in_text(self) -> Spans | None:
        """The relation of each arc where it stands in the text, if arcs are as they stand there."""
        return self._relations if isinstance(self._relations, Spans) else None

    @cached_property
    def plain(self) -> BlockArcs:
        """The same without probabilities."""
        return BlockArcs(self.arcs, self._relations) if self.probabilities is not None else self

    @property
    def numbers(self) -> Numbers:
        """The number of each arc's relations."""
        return self._numbered[0]

    @property
    def names(self) -> Sequence[Relations]:
        """The relations behind each number."""
        return self._numbered[1]

    @cached_property
    def sizes(self) -> list[int]:
        """The number of words of each sentence."""
        sizes: list[int] = self.arcs.sizes.tolist()
        return sizes

    def graph(self, i: int) -> Graph:
        """The graph of a sentence."""
        arcs = self.arcs
        cut = slice(arcs.starts[i], arcs.starts[i + 1])
        probable = None if self.probabilities is None else self.probabilities[cut]
        numbers, names = self._numbered
        return Graph.numbered(self.sizes[i], arcs.heads[cut], arcs.dependents[cut], numbers[cut], names, probable)

    @classmethod
    def gathered(cls, chosen: Sequence[tuple[BlockArcs, int]]) -> BlockArcs:
        """The arcs of sentences from several places, in order."""
        sources = list({id(some): some for some, _ in chosen}.values())
        place = {id(some): i for i, some in enumerate(sources)}
        which = np.array([place[id(some)] for some, _ in chosen], dtype=np.int64)
        sentences = np.array([i for _, i in chosen], dtype=np.int64)
        before = offsets_of([len(some.arcs.heads) for some in sources])
        rows = offsets_of([len(some.arcs.starts) for some in sources])[which] + sentences
        all_starts = np.concatenate([some.arcs.starts + before[i] for i, some in enumerate(sources)])
        starts = offsets_of(all_starts[rows + 1] - all_starts[rows])
        arcs = np.repeat(all_starts[rows] - starts[:-1], np.diff(starts)) + np.arange(starts[-1])
        sizes = np.array([some.sizes[i] for some, i in chosen], dtype=np.int32)
        heads, dependents = (
            np.concatenate([getattr(some.arcs, side) for some in sources])[arcs] for side in ("heads", "dependents")
        )
        numbers, names = joined_numbers([(some.numbers, some.names) for some in sources])
        known = joined_probabilities([(some.probabilities, len(some.arcs.heads)) for some in sources])
        return cls(
            Arcs(sizes, starts, heads, dependents), (numbers[arcs], names), None if known is None else known[arcs]
        )

    def part(self, start: int, stop: int) -> BlockArcs:
        """Those of some of the sentences."""
        starts = self.arcs.starts[start : stop + 1]
        cut = slice(starts[0], starts[-1])
        arcs = Arcs(self.arcs.sizes[start:stop], starts - starts[0], self.arcs.heads[cut], self.arcs.dependents[cut])
        known = None if self.probabilities is None else self.probabilities[cut]
        return BlockArcs(arcs, (self.numbers[cut], self.names), known)


def joined_numbers(parts: Iterable[tuple[Numbers, Sequence[Relations]]]) -> tuple[Numbers, Sequence[Relations]]:
    """Numbers into several lists of names, one after another, as numbers into one list."""
    known: dict[Relations, int] = {}
    maps: dict[int, Numbers] = {}  # many share their names
    joined = [np.zeros(0, np.int32)]
    for numbers, names in parts:
        if id(names) not in maps:
            maps[id(names)] = np.array([known.setdefault(tuple(n), len(known)) for n in names], np.int32)
        joined.append(maps[id(names)][numbers])
    return np.concatenate(joined), list(known)


def joined_probabilities(parts: Sequence[tuple[FloatArray | None, int]]) -> FloatArray | None:
    """Probabilities of arcs, one after another; not a number for the so many arcs of a part that has none."""
    if all(some is None for some, _ in parts):
        return None
    return np.concatenate([np.full(count, np.nan, np.float32) if some is None else some for some, count in parts])


@lru_cache(maxsize=100_000)
def _single(name: str) -> Relations:
    """One tuple for each name, shared by all arcs that have it."""
    return (name,)


def sorted_arcs(arcs: Arcs, relations: Spans, in_order: bool) -> BlockArcs:
    """Arcs that were read, sorted by dependent; if they are not in order, by head too, and unique.

    Those between the same two words become one.
    """
    if in_order:
        return BlockArcs(arcs, relations)
    owner = np.repeat(np.arange(len(arcs.sizes)), np.diff(arcs.starts))
    order = np.lexsort((arcs.heads, arcs.dependents, owner))  # stable: relations stay in the order of the file
    heads, dependents, owner = arcs.heads[order], arcs.dependents[order], owner[order]
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(heads) != 0) | (np.diff(dependents) != 0) | (np.diff(owner) != 0)
    numbers, texts = relations.numbered()
    merged, names = _merged(numbers[order], np.flatnonzero(new), [(text,) for text in texts])
    starts = offsets_of(np.bincount(owner[new], minlength=len(arcs.sizes)))
    arrays = [heads[new], dependents[new], merged]
    for array in arrays:
        array.flags.writeable = False
    return BlockArcs(Arcs(arcs.sizes, starts, arrays[0], arrays[1]), (arrays[2], names))


def _merged(numbers: Numbers, firsts: Longs, names: list[Relations]) -> tuple[Numbers, list[Relations]]:
    """A number for the relations of each arc, where arcs with several relations get new ones; and the names."""
    merged = numbers[firsts]
    ends = np.append(firsts[1:], len(numbers))
    known = {relations: number for number, relations in enumerate(names)}
    for arc in np.flatnonzero(ends - firsts > 1).tolist():
        relations = tuple(dict.fromkeys(names[n][0] for n in numbers[firsts[arc] : ends[arc]].tolist()))
        if relations not in known:
            known[relations] = len(names)
            names.append(relations)
        merged[arc] = known[relations]
    return merged, names
