"""What a network learns of graphs: the labels of words, and the arcs with their relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.blocks.arcs import BlockArcs
from arctag.encodings import Encoding
from arctag.encodings.encoded import EncodedGraphs
from arctag.encodings.label_space import UNKNOWN, LabelSpace
from arctag.encodings.labels import Arcs, offsets_of
from arctag.graph import Relations
from arctag.layers.base import Selection, Targets
from arctag.layers.predicted import NULL
from arctag.layers.types import Arrays, Longs


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
    def of(
        cls, graphs: BlockArcs, relations: Sequence[Relations], encodings: Sequence[Encoding], encoded: EncodedGraphs
    ) -> ArcTargets:
        """The arcs with the numbers of their relations; null arcs only if they are a relation too."""
        numbers = {frozenset(names): number for number, names in enumerate(relations)}
        cache = np.array([numbers.get(frozenset(names), UNKNOWN) for names in graphs.names], dtype=np.int64)
        arcs = graphs.arcs
        gold = _keys(arcs)
        known = cache[graphs.numbers] if len(cache) else np.zeros(0, np.int64)
        extra = np.zeros(0, np.int64)
        if NULL in relations:
            shown = [_keys(_shown(chosen, encoded)) for chosen in encodings]
            extra = np.setdiff1d(np.concatenate([extra, *shown]), gold)
        keys = np.concatenate([gold, extra])
        order = np.argsort(keys, kind="stable")
        all_relations = np.concatenate([known, np.full(len(extra), numbers.get(frozenset(NULL), UNKNOWN))])
        sentences, within = np.divmod(keys[order], _width(arcs) ** 2)
        dependents, heads = np.divmod(within, _width(arcs))
        counts = np.bincount(sentences, minlength=len(arcs))
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


def _shown(chosen: Encoding, encoded: EncodedGraphs) -> Arcs:
    """The arcs that labels show to a tagger, which does not see which ones are null arcs."""
    labels = encoded.labels(chosen)
    if labels.artificial is None:
        return encoded.arcs
    return chosen.decode_all(replace(labels, artificial=None)).arcs


@dataclass(frozen=True, eq=False)
class GraphTargets(Targets):
    """The graphs of a treebank as labels and arcs."""

    graphs: BlockArcs
    """As they are in the files."""
    tags: list[Longs]
    """For each encoding [words, groups]."""
    arcs: ArcTargets
    tuples: Longs | None = None
    """The tuple of each word, if the relation head learns tuples."""

    @classmethod
    def of(
        cls, graphs: BlockArcs, arcs: ArcTargets, encoded: EncodedGraphs, encodings: Sequence[Encoding],
        spaces: Sequence[LabelSpace],
    ) -> GraphTargets:  # fmt: skip
        """Number the labels of graphs."""
        tags = [space.ids(encoded.labels(chosen)) for space, chosen in zip(spaces, encodings, strict=True)]
        return cls(graphs, tags, arcs)

    def with_tuples(self, tuples: Sequence[tuple[int, ...]]) -> GraphTargets:
        """The same with the number of each word's tuple of relations."""
        numbers = {names: i for i, names in enumerate(tuples)}
        words = self.arcs.word_tuples(offsets_of(self.graphs.arcs.sizes))
        return replace(self, tuples=np.array([numbers.get(names, UNKNOWN) for names in words], dtype=np.int64))

    def batch(self, selection: Selection) -> Arrays:
        """The targets of some sentences; `cells` are places in a table of all pairs."""
        sentences, sizes, words = selection
        starts = self.arcs.starts
        counts = starts[sentences + 1] - starts[sentences]
        ends = offsets_of(counts)
        arcs = np.repeat(starts[sentences] - ends[:-1], counts) + np.arange(ends[-1])
        shift = np.repeat(offsets_of(sizes)[:-1], counts)
        heads, dependents, relations, null = (array[arcs] for array in self.arcs[1:])
        longest = int(sizes.max(initial=0))
        cells = (np.repeat(np.arange(len(sizes)), counts) * longest + dependents - 1) * (longest + 1) + heads
        targets = {f"tags{i}": tags[words] for i, tags in enumerate(self.tags)}
        targets.update(
            heads=np.where(heads > 0, heads + shift, 0), dependents=dependents + shift, relations=relations,
            cells=cells[~null],
        )  # fmt: skip
        if self.tuples is not None:
            targets["tuples"] = self.tuples[words]
        return targets

    def gold(self, selection: Selection) -> BlockArcs:
        """The graphs of some sentences."""
        return BlockArcs.gathered([(self.graphs, int(i)) for i in selection.sentences])

    def right_tags(self, predicted: Sequence[Longs], selection: Selection) -> int:
        """Words whose label is right in the first encoding."""
        return int(np.count_nonzero((predicted[0] == self.tags[0][selection.words]).all(-1))) if predicted else 0
