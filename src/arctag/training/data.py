"""A treebank as the numbers a network learns from, and batches of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from arctag.backends.inputs import Arrays, Tokens
from arctag.encodings import Arcs, Labels
from arctag.encodings.label_space import UNKNOWN
from arctag.encodings.labels import offsets_of
from arctag.errors import InputError
from arctag.formats import read
from arctag.graph import Graph
from arctag.modelfile.config import NULL, ModelConfig
from arctag.parsing.batches import batches
from arctag.parsing.parser import Inputs
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes

Longs = npt.NDArray[np.int64]


def read_treebank(files: Sequence[str], empty: str) -> list[Sentence]:
    """The sentences of several files, joined, their empty nodes treated; sentences without words are left out."""
    treat = empty_nodes.TREATMENTS[empty]
    found = [treat(sentence) for file in files for sentence in read(file)]
    if not found:
        raise InputError(f"no sentence in {', '.join(files)}")
    return [s for s in found if s.graph.n]


@dataclass
class Dataset:
    """Sentences with their targets, in flat arrays over the whole treebank."""

    tokens: list[Tokens]
    graphs: list[Graph]
    words: Longs
    """Where the words of each sentence start."""
    tags: list[Longs]
    """For each encoding [words, groups]."""
    arcs: Longs
    """Where the arcs of each sentence start; null arcs are among them."""
    heads: Longs
    dependents: Longs
    relations: Longs
    null: npt.NDArray[np.bool_]
    """Which arcs are null arcs: targets of the relation head only."""
    tuples: Longs

    @classmethod
    def build(cls, config: ModelConfig, tokens: list[Tokens], graphs: list[Graph]) -> Dataset:
        """Encode the graphs and number what the encodings give."""
        arcs = Arcs.of(graphs)
        encoded = [chosen.encode_all(arcs) for chosen in config.make_encodings()]
        with_null = _all_arcs(config, encoded, graphs)
        flat = [row for rows in with_null for row in rows]
        numbers = _relation_numbers(config)
        return cls(
            tokens,
            graphs,
            offsets_of(arcs.sizes),
            [space.ids(labels) for space, labels in zip(config.spaces, encoded, strict=True)],
            offsets_of([len(rows) for rows in with_null]),
            np.array([head for head, _, _ in flat], dtype=np.int64),
            np.array([dependent for _, dependent, _ in flat], dtype=np.int64),
            np.array([numbers.get(frozenset(names), UNKNOWN) for _, _, names in flat], dtype=np.int64),
            np.array([names == NULL for _, _, names in flat], dtype=np.bool_),
            _tuple_ids(config, arcs.sizes.tolist(), with_null, numbers),
        )

    def __len__(self) -> int:
        return len(self.tokens)

    def batch(self, chosen: Sequence[int], inputs: Inputs) -> tuple[Arrays, Arrays]:
        """The inputs and targets of these sentences."""
        arrays = inputs.arrays([self.tokens[i] for i in chosen])
        sizes = arrays["lengths"]
        words = np.concatenate([np.arange(self.words[i], self.words[i + 1]) for i in chosen])
        arcs = np.concatenate([np.arange(self.arcs[i], self.arcs[i + 1]) for i in chosen])
        counts = np.array([self.arcs[i + 1] - self.arcs[i] for i in chosen])
        shift = np.repeat(offsets_of(sizes)[:-1], counts)
        heads, dependents, relations = self.heads[arcs], self.dependents[arcs], self.relations[arcs]
        longest = int(sizes.max(initial=0))
        cells = (np.repeat(np.arange(len(sizes)), counts) * longest + dependents - 1) * (longest + 1) + heads
        targets = {f"tags{i}": tags[words] for i, tags in enumerate(self.tags)}
        targets.update(
            heads=np.where(heads > 0, heads + shift, 0), dependents=dependents + shift, relations=relations,
            cells=cells[~self.null[arcs]],
        )  # fmt: skip
        if len(self.tuples):
            targets["tuples"] = self.tuples[words]
        return arrays, targets

    def shuffled(self, tokens: int, seed: Sequence[int], costs: Sequence[int]) -> list[list[int]]:
        """Batches of sentences of like length, in a random order that depends on the seed alone."""
        random = np.random.default_rng(list(seed))
        order = random.permutation(len(self))
        found = [[int(order[i]) for i in batch] for batch in batches([costs[i] for i in order], tokens)]
        random.shuffle(found)
        return found


Triple = tuple[int, int, tuple[str, ...]]


def _relation_numbers(config: ModelConfig) -> dict[frozenset[str], int]:
    return {frozenset(names): i for i, names in enumerate(config.relations)}


def _all_arcs(config: ModelConfig, encoded: list[Labels], graphs: list[Graph]) -> list[list[Triple]]:
    """The arcs of each sentence with their relations, null arcs among them."""
    extra = _null_arcs(config, encoded, graphs)
    return [_with_null_arcs(graph, found) for graph, found in zip(graphs, extra, strict=True)]


def _null_arcs(config: ModelConfig, encoded: list[Labels], graphs: list[Graph]) -> list[set[tuple[int, int]]]:
    """For each sentence the arcs that its labels show and its graph does not have."""
    extra: list[set[tuple[int, int]]] = [set() for _ in graphs]
    if NULL not in config.relations:
        return extra
    for chosen, labels in zip(config.make_encodings(), encoded, strict=True):
        if labels.artificial is None:
            continue
        bare = Labels(labels.values, labels.offsets, labels.sizes)  # decoded as a tagger's labels would be
        for i, decoded in enumerate(chosen.decode_all(bare)):
            extra[i] |= decoded.graph.arc_set() - graphs[i].arc_set()
    return extra


def _with_null_arcs(graph: Graph, extra: set[tuple[int, int]]) -> list[Triple]:
    rows: list[Triple] = [(arc.head, arc.dependent, arc.relations) for arc in graph]
    if extra:
        rows.extend((head, dependent, NULL) for head, dependent in extra)
        rows.sort(key=lambda row: (row[1], row[0]))
    return rows


def _word_tuples(
    sizes: Iterable[int], sentences: Iterable[list[Triple]], numbers: dict[frozenset[str], int]
) -> Iterator[tuple[int, ...]]:
    """The relations of each word's arcs, in the order of their heads, as one tuple."""
    for n, rows in zip(sizes, sentences, strict=True):
        words: list[list[int]] = [[] for _ in range(n)]
        for _, dependent, names in rows:
            words[dependent - 1].append(numbers.get(frozenset(names), 0))
        yield from map(tuple, words)


def _tuple_ids(
    config: ModelConfig, sizes: list[int], sentences: list[list[Triple]], numbers: dict[frozenset[str], int]
) -> Longs:
    if config.relation_head != "tuple":
        return np.zeros(0, dtype=np.int64)
    ids = {names: i for i, names in enumerate(config.tuples)}
    return np.array([ids.get(names, UNKNOWN) for names in _word_tuples(sizes, sentences, numbers)], dtype=np.int64)


def find_tuples(config: ModelConfig, graphs: list[Graph]) -> tuple[tuple[int, ...], ...]:
    """All tuples of relations that words carry, null arcs included."""
    encoded = [chosen.encode_all(Arcs.of(graphs)) for chosen in config.make_encodings()]
    rows = _all_arcs(config, encoded, graphs)
    return tuple(sorted(set(_word_tuples([g.n for g in graphs], rows, _relation_numbers(config)))))
