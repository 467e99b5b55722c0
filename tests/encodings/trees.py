"""All trees over a few words, as lists of heads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from arctag.graph import Graph

Heads = tuple[int, ...]  # the head of word i is heads[i - 1]


def _reaches_root(heads: Heads, word: int) -> bool:
    seen: set[int] = set()
    while word and word not in seen:
        seen.add(word)
        word = heads[word - 1]
    return word == 0


@cache
def trees(n: int) -> tuple[Heads, ...]:
    """Every dependency tree of n words; several words may depend on the root."""
    return tuple(h for h in product(range(n + 1), repeat=n) if all(_reaches_root(h, w) for w in range(1, n + 1)))


def projective(heads: Heads) -> bool:
    """Whether no two arcs cross, those from the root included."""
    spans = sorted((min(head, word), max(head, word)) for word, head in enumerate(heads, 1))
    return not any(a < b < c < d for a, c in spans for b, d in spans)


def projective_trees(longest: int) -> Iterator[Heads]:
    """Every projective tree of 1 to `longest` words."""
    for n in range(1, longest + 1):
        yield from filter(projective, trees(n))


def graph(heads: Heads) -> Graph:
    """A tree as a graph."""
    return Graph(len(heads), [(head, word, "_") for word, head in enumerate(heads, 1)])
