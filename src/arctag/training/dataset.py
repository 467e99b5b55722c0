"""A treebank as the numbers a network learns from, and batches of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.backends.inputs import Inputs, Tokens
from arctag.backends.types import Arrays, Longs
from arctag.encodings import Encoding, Labels
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.label_space import UNKNOWN
from arctag.encodings.labels import Arcs, offsets_of
from arctag.errors import InputError
from arctag.formats import read
from arctag.graph import Graph, Relations
from arctag.modelfile.config import NULL, ModelConfig
from arctag.parsing.batches import batches
from arctag.parsing.parser import Parser
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes


def read_treebank(files: Sequence[str], empty: str) -> list[Sentence]:
    """The sentences of several files, joined, their empty nodes treated; sentences without words are left out."""
    treat = empty_nodes.TREATMENTS[empty]
    sentences = [treat(sentence) for file in files for sentence in read(file)]
    if not sentences:
        raise InputError(f"no sentence in {', '.join(files)}")
    return [sentence for sentence in sentences if sentence.graph.n]


class ArcTargets(NamedTuple):
    """The arcs of a treebank, null arcs among them, by sentence, dependent and head."""

    starts: Longs
    """Where the arcs of each sentence start."""
    heads: Longs
    dependents: Longs
    relations: Longs
    null: npt.NDArray[np.bool_]
    """Which arcs are null arcs: targets of the relation head only."""

    @classmethod
    def of(cls, relations: Sequence[Relations], encodings: Sequence[Encoding], graphs: EncodedGraphs) -> ArcTargets:
        """The arcs with the numbers of their relations; null arcs only if they are a relation too."""
        numbers = {frozenset(names): number for number, names in enumerate(relations)}
        cache = {names: numbers.get(frozenset(names), UNKNOWN) for g in graphs.graphs for names in set(g.relations)}
        gold = _keys(graphs.arcs)
        known = np.array([cache[names] for graph in graphs.graphs for names in graph.relations], dtype=np.int64)
        extra = np.zeros(0, np.int64)
        if NULL in relations:
            shown = [_keys(_shown(chosen, graphs)) for chosen in encodings]
            extra = np.setdiff1d(np.concatenate([extra, *shown]), gold)
        keys = np.concatenate([gold, extra])
        order = np.argsort(keys, kind="stable")
        all_relations = np.concatenate([known, np.full(len(extra), numbers.get(frozenset(NULL), UNKNOWN))])
        sentences, within = np.divmod(keys[order], _width(graphs.arcs) ** 2)
        dependents, heads = np.divmod(within, _width(graphs.arcs))
        counts = np.bincount(sentences, minlength=len(graphs.graphs))
        return cls(offsets_of(counts), heads, dependents, all_relations[order], order >= len(gold))

    def word_tuples(self, words: Longs) -> list[tuple[int, ...]]:
        """The relations of each word's arcs, in the order of their heads, as one tuple; words start at these offsets.

        An unknown relation counts as the most frequent one.
        """
        of_word = np.repeat(words[:-1], np.diff(self.starts)) + self.dependents - 1
        ends = offsets_of(np.bincount(of_word, minlength=words[-1])).tolist()
        relations = np.where(self.relations == UNKNOWN, 0, self.relations).tolist()
        return [tuple(relations[start:stop]) for start, stop in zip(ends, ends[1:], strict=False)]


def _width(arcs: Arcs) -> int:
    return int(arcs.sizes.max(initial=0)) + 1


def _keys(arcs: Arcs) -> Longs:
    """A number for each arc, in the order of sentence, dependent and head."""
    sentences = np.repeat(np.arange(len(arcs.sizes)), np.diff(arcs.starts))
    keys: Longs = (sentences * _width(arcs) + arcs.dependents) * _width(arcs) + arcs.heads
    return keys


def _shown(chosen: Encoding, graphs: EncodedGraphs) -> Arcs:
    """The arcs that labels show to a tagger, which does not see which ones are null arcs."""
    labels = graphs.labels(chosen)
    if labels.artificial is None:
        return graphs.arcs
    return chosen.decode_all(Labels(labels.values, labels.offsets, labels.sizes)).arcs


@dataclass
class Dataset:
    """Sentences with their targets, in flat arrays over the whole treebank."""

    tokens: list[Tokens]
    graphs: Sequence[Graph]
    words: Longs
    """Where the words of each sentence start."""
    tags: list[Longs]
    """For each encoding [words, groups]."""
    arcs: ArcTargets
    tuples: Longs
    """The tuple of each word, if the relation head learns tuples."""

    @classmethod
    def of(cls, parser: Parser, sentences: Sequence[Sentence]) -> Dataset:
        """The sentences in the labels and relations of a parser."""
        graphs = EncodedGraphs([sentence.graph for sentence in sentences])
        return cls.build(parser.config, [parser.tokens(sentence) for sentence in sentences], graphs)

    @classmethod
    def build(
        cls, config: ModelConfig, tokens: list[Tokens], graphs: EncodedGraphs, arcs: ArcTargets | None = None
    ) -> Dataset:
        """Number the labels and relations of graphs; the targets of arcs may be known already."""
        encodings = config.make_encodings()
        words = offsets_of(graphs.arcs.sizes)
        if arcs is None:
            arcs = ArcTargets.of(config.relations, encodings, graphs)
        tags = [space.ids(graphs.labels(chosen)) for space, chosen in zip(config.spaces, encodings, strict=True)]
        numbers = {names: i for i, names in enumerate(config.tuples)}
        tuples = [numbers.get(names, UNKNOWN) for names in arcs.word_tuples(words)] if numbers else []
        return cls(tokens, graphs.graphs, words, tags, arcs, np.array(tuples, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.tokens)

    def batch(self, chosen: Sequence[int], inputs: Inputs) -> tuple[Arrays, Arrays]:
        """The inputs and targets of these sentences."""
        arrays = inputs.arrays([self.tokens[i] for i in chosen])
        sizes = arrays["lengths"]
        words = np.concatenate([np.arange(self.words[i], self.words[i + 1]) for i in chosen])
        starts = self.arcs.starts
        arcs = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in chosen])
        counts = np.array([starts[i + 1] - starts[i] for i in chosen])
        shift = np.repeat(offsets_of(sizes)[:-1], counts)
        heads, dependents, relations, null = (array[arcs] for array in self.arcs[1:])
        longest = int(sizes.max(initial=0))
        cells = (np.repeat(np.arange(len(sizes)), counts) * longest + dependents - 1) * (longest + 1) + heads
        targets = {f"tags{i}": tags[words] for i, tags in enumerate(self.tags)}
        targets.update(
            heads=np.where(heads > 0, heads + shift, 0), dependents=dependents + shift, relations=relations,
            cells=cells[~null],
        )  # fmt: skip
        if len(self.tuples):
            targets["tuples"] = self.tuples[words]
        return arrays, targets

    def shuffled(self, tokens: int, seed: Sequence[int], costs: Sequence[int]) -> list[list[int]]:
        """Batches of sentences of like length, in a random order that depends on the seed alone."""
        random = np.random.default_rng(list(seed))
        order = random.permutation(len(self))
        shuffled = [[int(order[i]) for i in batch] for batch in batches([costs[i] for i in order], tokens)]
        random.shuffle(shuffled)
        return shuffled
