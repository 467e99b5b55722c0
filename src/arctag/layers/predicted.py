"""`Predicted`: the arcs of a batch on their way from labels to sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.blocks.arcs import BlockArcs
from arctag.encodings import Arcs
from arctag.encodings.labels import offsets_of
from arctag.encodings.sorting import sorted_arcs
from arctag.graph import IntArray, Relations
from arctag.layers.types import Floats, Longs

NULL: Relations = ()
"""The relation of a null arc: learned like any other, and removed from the parse."""
ROOT: Relations = ("root",)
"""The relation of words below the root, in Universal Dependencies and SDP."""


class Proposal(NamedTuple):
    """What the label sequences of one encoding propose."""

    words: Longs
    """The dependent of each arc, counted from 0 over the batch; an arc comes once for each sequence that has it."""
    heads: IntArray
    best: int
    """How many of the arcs, the first ones, are those of the best labels."""
    probability: Floats
    """Of the best label of each word."""

    def counted(self, predicted: Predicted) -> tuple[Longs, npt.NDArray[np.bool_]]:
        """Of each arc how many sequences propose it, and whether the best labels do."""
        width = int(predicted.sizes.max(initial=0)) + 1
        keys = predicted.words * width + predicted.heads
        wanted = self.words * width + self.heads
        places = np.searchsorted(keys, wanted)
        there = np.append(keys, -1)[places] == wanted
        best = np.bincount(places[: self.best][there[: self.best]], minlength=len(keys)) > 0
        return np.bincount(places[there], minlength=len(keys)), best


@dataclass
class Predicted:
    """The arcs of a batch, sorted by (sentence, dependent, head), with what is known of each."""

    sizes: IntArray
    starts: Longs
    heads: IntArray
    dependents: IntArray
    relations: Longs
    """The number of each arc's relation."""
    probabilities: Floats
    """The probability of arc and relation together."""
    arc_probabilities: Floats
    """The probability of the arc alone: what the threshold is compared with."""
    arc_scores: Floats
    """What the best tree is found by: log-odds, if there is an arc scorer, else logarithms of probabilities."""
    repairs: Longs
    """Of each sentence: repairs that its labels needed, over all encodings."""
    scores: Floats
    """Of each sentence: the mean log-probability of its labels."""
    tag_ids: list[Longs]
    """The predicted label numbers of each encoding, for tagging accuracy."""
    names: Sequence[Relations] = ()
    """The relations behind each number."""
    added: Longs | None = None
    """Of each sentence, the arcs that guarantees have added."""
    tree: IntArray | None = None
    """The head of each word in the predicted tree, where that helps to keep guarantees."""
    proposals: Sequence[Proposal] = ()
    """Where the arcs come from; empty for the baseline."""
    evidence: Floats | None = None
    """[arcs, kinds of evidence], where a layer is asked for it instead of a decision."""

    def keep(self, kept: npt.NDArray[np.bool_]) -> Predicted:
        """Without the arcs that are not marked."""
        starts = offsets_of(kept)[self.starts]  # how many are kept before each sentence
        places = np.flatnonzero(kept)
        return Predicted(
            self.sizes, starts, self.heads.take(places), self.dependents.take(places), self.relations.take(places),
            self.probabilities.take(places), self.arc_probabilities.take(places), self.arc_scores.take(places),
            self.repairs, self.scores, self.tag_ids, self.names, self.added, self.tree, self.proposals,
        )  # fmt: skip

    @property
    def arcs(self) -> BlockArcs:
        """The arcs with their relations and probabilities."""
        arcs = Arcs(self.sizes, self.starts, self.heads, self.dependents)
        return BlockArcs(arcs, (self.relations.astype(np.int32), self.names), self.probabilities)

    @property
    def words(self) -> Longs:
        """The dependent of each arc, counted from 0 over the batch."""
        words: Longs = np.repeat(offsets_of(self.sizes)[:-1], np.diff(self.starts)) + self.dependents - 1
        return words

    @property
    def word_starts(self) -> Longs:
        """Where the arcs of each word begin, of words that have any."""
        return np.flatnonzero(np.diff(self.words, prepend=-1))

    @property
    def nodes(self) -> tuple[Longs, Longs]:
        """Heads and dependents as node numbers of the batch: 0 is the root."""
        offset = np.repeat(offsets_of(self.sizes)[:-1], np.diff(self.starts))
        return np.where(self.heads > 0, self.heads + offset, 0).astype(np.int64), self.dependents + offset

    def with_arcs(self, words: Longs, heads: IntArray) -> Predicted:
        """These arcs and some more, whose dependents are counted from 0 over the batch; nothing is known of any."""
        words, heads = np.concatenate([self.words, words]), np.concatenate([self.heads, heads])
        return self.unscored(*sorted_arcs(self.sizes, words, heads, np.zeros_like(self.repairs)))

    def unscored(self, starts: Longs, heads: IntArray, dependents: IntArray) -> Predicted:
        """Other arcs, of which nothing is known yet."""
        unknown = np.zeros(len(heads), np.float32)
        return replace(
            self, starts=starts, heads=heads, dependents=dependents, relations=np.zeros(len(heads), np.int64),
            probabilities=unknown, arc_probabilities=unknown, arc_scores=unknown,
        )  # fmt: skip
