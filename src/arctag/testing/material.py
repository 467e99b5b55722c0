"""What an encoding is checked on: graphs, or trees where it is for trees only."""

from __future__ import annotations

import numpy as np

from arctag.encodings.base import Encoding
from arctag.encodings.labels import Arcs
from arctag.graph import Graph
from arctag.testing.graphs import every_graph, every_tree, random_batch
from arctag.testing.random_trees import KINDS, random_trees, tree

MORE_WORDS = 2
"""There are fewer trees than graphs: 16,807 of six words, where 65,536 graphs have four."""


def every_small(encoding: Encoding, words: int) -> list[Arcs]:
    """Every graph of 0 to `words` words, a batch for each number; trees have two words more."""
    if encoding.trees_only:
        return [every_tree(n) for n in range(words + MORE_WORDS + 1)]
    return [every_graph(n) for n in range(words + 1)]


def mixed(encoding: Encoding, seed: int, count: int, longest: int) -> Arcs:
    """A batch of random graphs of mixed sizes, the same at every call."""
    random = np.random.default_rng(seed)
    return random_trees(random, count, longest) if encoding.trees_only else random_batch(random, count, longest)


def long(encoding: Encoding, n: int = 1000) -> Arcs:
    """A sentence of n words whose arcs are short; trees of every kind."""
    random = np.random.default_rng(7)
    if encoding.trees_only:
        return Arcs.of(tree(make(random, n)) for make in KINDS)
    near = {(int(w), int(w + random.integers(1, 9))) for w in random.integers(0, n - 8, 1500)}
    arcs = [(h, d) if i % 3 or h == 0 else (d, h) for i, (h, d) in enumerate(sorted(near))]
    return Arcs.of([Graph(n, [(h, d, "_") for h, d in arcs])])
