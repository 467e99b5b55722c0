"""`Predicted`: the arcs of a batch on their way from labels to sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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

    def keep(self, kept: npt.NDArray[np.bool_]) -> Predicted:
        """Without the arcs that are not marked."""
        starts = offsets_of(kept)[self.starts]  # how many are kept before each sentence
        places = np.flatnonzero(kept)
        return Predicted(
            self.sizes, starts, self.heads.take(places), self.dependents.take(places), self.relations.take(places),
            self.probabilities.take(places), self.arc_probabilities.take(places), self.arc_scores.take(places),
            self.repairs, self.scores, self.tag_ids, self.names, self.added, self.tree,
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
