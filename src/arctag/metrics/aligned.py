"""Gold and system side by side: words, trees and graphs in flat arrays, and which words are the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arctag.blocks.flat import Flat, Table
from arctag.cells import Flags, Longs
from arctag.encodings.labels import offsets_of
from arctag.metrics.alignment import Alignment
from arctag.metrics.matching import BothRelations, Dependencies, in_file, per_group, shared
from arctag.metrics.protocol import Counts
from arctag.metrics.tags import SameTags
from arctag.metrics.tokens import Tokens
from arctag.metrics.trees import Trees
from arctag.sentence import Sentence
from arctag.transforms import empty_nodes


class Side:
    """The words of one file and their dependencies, in flat arrays."""

    def __init__(self, sentences: list[Sentence], tree_relations: Table) -> None:
        """Collapse empty nodes and read both layers."""
        self.sentences = empty_nodes.treated(sentences, empty_nodes.collapse)
        self.flat = flat = Flat(self.sentences)
        self.sizes = flat.sizes
        """The number of words of each sentence."""
        self.owners = np.repeat(np.arange(len(sentences)), self.sizes)
        """The sentence of each word."""
        first = offsets_of(self.sizes)
        self.graphs = flat.graphs
        self.dependencies = Dependencies(self.graphs.arcs, first)
        self.tokens = Tokens.of(flat)
        self.trees = Trees.of(flat, tree_relations)
        self.tree_heads = in_file(self.trees.heads, first[self.owners])
        """The head of each word in its tree, numbered over the whole file."""


@dataclass(frozen=True)
class Aligned:
    """Both sides, and which of their words are the same."""

    gold: Side
    system: Side
    words: Alignment
    relations: BothRelations
    """Of the arcs."""
    tree_relations: list[str]
    """Without subtypes, by their numbers."""

    @classmethod
    def of(cls, gold: list[Sentence], system: list[Sentence]) -> Aligned:
        """Align the words of two files."""
        names = Table()
        ours, theirs = Side(gold, names), Side(system, names)
        if ours.tokens.same(theirs.tokens):
            words = Alignment.same(ours.sizes, ours.tokens.counts)
        else:
            words = Alignment.by_text(ours.sentences, theirs.sentences)
        return cls(ours, theirs, words, BothRelations.of(ours.graphs, theirs.graphs), list(names))

    @cached_property
    def numbers(self) -> Longs:
        """The number in gold, from 1, of each system word; the first entry is the root's, 0.

        A system word with no gold partner has a negative number, which nothing in gold has.
        """
        numbers = -np.arange(len(self.system.owners) + 1)
        numbers[self.words.system + 1] = self.words.gold + 1
        return numbers

    @cached_property
    def same_tags(self) -> SameTags:
        """Which of the aligned words have the same tags."""
        return SameTags.of(self.gold.flat, self.system.flat, self.words)

    def counted(self, right: Flags, chosen: tuple[Flags, Flags] | None = None) -> Counts:
        """Words in gold, words in the system, aligned words that are right, aligned words: one row per gold sentence.

        `right` is about the aligned words. Only the chosen words of either side count (all of them by default); an
        aligned one counts if it is chosen in gold.
        """
        owners, places, pairs = self.gold.owners, self.words.places, self.words.gold
        if chosen is None:
            groups = owners, places, owners[pairs[right]], owners[pairs]
        else:
            gold, system = chosen
            of_pairs = gold[pairs]
            groups = owners[gold], places[system], owners[pairs[right & of_pairs]], owners[pairs[of_pairs]]
        return np.stack([per_group(group, len(self.gold.sizes)) for group in groups], axis=1)

    @cached_property
    def arcs(self) -> tuple[Longs, Longs]:
        """Heads and dependents of the system's arcs, in numbers of gold."""
        own = self.system.dependencies
        return self.numbers[own.heads], self.numbers[own.dependents]

    @property
    def places(self) -> Longs:
        """The gold sentence where each of the system's arcs is counted."""
        return self.words.places[self.system.dependencies.dependents - 1]

    def shared(self) -> tuple[Longs, Longs]:
        """The arcs that both sides have, whatever their relations, by their places in gold and in the system."""
        gold, (heads, dependents) = self.gold.dependencies, self.arcs
        width = len(self.gold.owners) + 1
        possible = np.flatnonzero((heads >= 0) & (dependents > 0))
        ours, theirs = shared(gold.dependents * width + gold.heads, dependents[possible] * width + heads[possible])
        return ours, possible[theirs]
