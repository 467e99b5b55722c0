"""Random trees to check encodings on: projective ones, ones with few or many crossing arcs, chains."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from arctag.encodings.labels import Arcs
from arctag.encodings.trees.base import as_arcs
from arctag.graph import Graph

Heads = list[int]
"""The head of each word; 0 is the root."""
Make = Callable[[np.random.Generator, int], Heads]


def projective(random: np.random.Generator, n: int) -> Heads:
    """No two arcs cross: neighbours on a stack are joined at random, in either direction, until the root is left."""
    heads = [0] * n
    stack, word = [0], 1
    while word <= n or len(stack) > 1:
        if word <= n and (len(stack) == 1 or random.random() < 0.5):
            stack.append(word)
            word += 1
            continue
        dependent = stack.pop()
        if len(stack) > 1 and random.random() < 0.5:
            stack[-1], dependent = dependent, stack[-1]
        heads[dependent - 1] = stack[-1]
    return heads


def few_crossings(random: np.random.Generator, n: int) -> Heads:
    """A projective tree in which up to three words got another head."""
    heads = projective(random, n)
    for _ in range(min(n, 3)):
        word, head = int(random.integers(1, n + 1)), int(random.integers(n + 1))
        above = head
        while above not in (0, word):
            above = heads[above - 1]
        if above != word:
            heads[word - 1] = head
    return heads


def arbitrary(random: np.random.Generator, n: int) -> Heads:
    """Words in any order, each below one that came before it or below the root."""
    return _grown(random, n, lambda earlier: int(random.integers(earlier + 1)))


def many_roots(random: np.random.Generator, n: int) -> Heads:
    """About half of the words are below the root."""
    return _grown(random, n, lambda earlier: int(random.integers(earlier + 1)) if random.random() < 0.5 else 0)


def tangled_chain(random: np.random.Generator, n: int) -> Heads:
    """A chain through all words in any order."""
    return _grown(random, n, lambda earlier: earlier)


def chain(random: np.random.Generator, n: int) -> Heads:
    """Each word below the one before it, or each below the one after it."""
    return list(range(n)) if random.random() < 0.5 else [*range(2, n + 1), 0][:n]


KINDS: tuple[Make, ...] = (projective, few_crossings, arbitrary, many_roots, tangled_chain, chain)


def _grown(random: np.random.Generator, n: int, choose: Callable[[int], int]) -> Heads:
    """Words in any order; each goes below the one of that number among those before it, 0 being the root."""
    order = [0, *(random.permutation(n) + 1).tolist()]
    heads = [0] * n
    for earlier in range(n):
        heads[order[earlier + 1] - 1] = order[choose(earlier)]
    return heads


def tree(heads: Heads) -> Graph:
    """A tree as a graph."""
    return Graph.from_arrays(len(heads), np.array(heads, np.int32), np.arange(1, len(heads) + 1))


def random_tree(random: np.random.Generator, n: int) -> Graph:
    """A tree of n words, of one of the kinds."""
    return tree(KINDS[int(random.integers(len(KINDS)))](random, n))


def random_trees(random: np.random.Generator, count: int, longest: int) -> Arcs:
    """Trees of mixed sizes and kinds, the empty sentence and single words among them."""
    sizes = [0, 1, *random.integers(0, longest + 1, max(count - 3, 0)).tolist(), 0]
    heads = [head for i, n in enumerate(sizes) for head in KINDS[i % len(KINDS)](random, n)]
    return as_arcs(np.array(sizes, np.int32), np.array(heads, np.int32))
