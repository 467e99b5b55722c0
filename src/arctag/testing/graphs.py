"""Graphs to check encodings on: every small one, every small tree, and random ones."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from arctag.encodings.labels import Arcs, offsets_of
from arctag.encodings.trees.base import as_arcs
from arctag.graph import Graph


def all_arcs(n: int, loops: bool = False) -> list[tuple[int, int]]:
    """Every (head, dependent) a graph of n words can have, sorted by (dependent, head)."""
    return [(head, word) for word in range(1, n + 1) for head in range(n + 1) if loops or head != word]


def every_graph(n: int, loops: bool = False) -> Arcs:
    """Every graph of n words in one batch: graph i has arc j of `all_arcs` if bit j of i is set.

    There are 2, 16, 512 and 65,536 of 1, 2, 3 and 4 words, arcs from the root included.
    """
    return graphs_of_masks(n, np.arange(1 << len(all_arcs(n, loops))), loops)


def graphs_of_masks(n: int, masks: npt.NDArray[np.int64], loops: bool = False) -> Arcs:
    """The graphs of `every_graph` with these numbers, in one batch."""
    pairs = np.array(all_arcs(n, loops), dtype=np.int32).reshape(-1, 2)
    present = (masks[:, None] >> np.arange(len(pairs))) & 1
    _, chosen = np.nonzero(present)
    return Arcs(
        np.full(len(masks), n, dtype=np.int32),
        offsets_of(present.sum(axis=1)),
        pairs[chosen, 0],
        pairs[chosen, 1],
    )


def every_tree(n: int) -> Arcs:
    """Every tree of n words in one batch, several words below the root allowed.

    There are (n + 1)^(n - 1) of them: 1, 3, 16, 125, 1,296 and 16,807 of 1 to 6 words.
    """
    heads = np.array(list(product(range(n + 1), repeat=n)), dtype=np.int8).reshape((n + 1) ** n, n)
    heads = np.hstack([np.zeros((len(heads), 1), np.int8), heads])  # the root leads to itself
    above = heads
    for _ in range(n):
        above = np.take_along_axis(heads, above.astype(np.intp), axis=1)
    trees = heads[np.all(above == 0, axis=1), 1:]
    return as_arcs(np.full(len(trees), n, dtype=np.int32), trees.reshape(-1).astype(np.int32))


def random_graph(random: np.random.Generator, n: int, density: float, loops: bool = False) -> Graph:
    """A graph of n words that has each possible arc with the given probability."""
    present = random.random((n, n + 1)) < density  # by dependent, then head
    if not loops:
        present[np.arange(n), np.arange(1, n + 1)] = False
    words, heads = np.nonzero(present)
    return Graph.from_arrays(n, heads, words + 1)


def random_batch(random: np.random.Generator, count: int, longest: int) -> Arcs:
    """Graphs of mixed sizes, sparse and dense, the empty sentence and single words among them."""
    sizes = [0, 1, *random.integers(0, longest + 1, max(count - 3, 0)).tolist(), 0]
    densities = [0.02, 0.1, 0.5, 1.0]
    return Arcs.of(random_graph(random, n, densities[i % 4], loops=i % 3 == 0) for i, n in enumerate(sizes))


def graph_at(arcs: Arcs, i: int) -> Graph:
    """One graph of a batch."""
    part = slice(arcs.starts[i], arcs.starts[i + 1])
    return Graph.from_arrays(int(arcs.sizes[i]), arcs.heads[part], arcs.dependents[part])
