"""From predicted labels to labelled arcs: decode, join the proposals, verify, name the relations.

All sentences of a batch are handled at once in flat arrays; linear in words and arcs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from arctag.encodings import Encoding
from arctag.encodings.labels import offsets_of
from arctag.encodings.sorting import sorted_arcs
from arctag.graph import IntArray
from arctag.inputs import Arrays
from arctag.model_config import NULL, ModelConfig

Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


class Backend(Protocol):
    """A network that answers questions about a batch; torch or an exported model."""

    def read(self, arrays: Arrays) -> Any:
        """Run the encoder over a batch; the state is handed to the other questions."""
        ...

    def tags(self, state: Any) -> list[tuple[Longs, Floats]]:
        """For each encoding: the best numbers [words, groups] and their probability [words]."""
        ...

    def relations(self, state: Any, heads: Longs, dependents: Longs) -> tuple[Longs, Floats]:
        """The best relation of each arc and its probability."""
        ...

    def tuples(self, state: Any) -> tuple[Longs, Floats]:
        """The best tuple of relations of each word and its probability."""
        ...

    def verify(self, state: Any, heads: Longs, dependents: Longs) -> Floats:
        """The probability of each given arc."""
        ...

    def search(self, state: Any, threshold: float) -> tuple[Longs, Longs, Floats]:
        """All arcs of at least this probability: heads, dependents, probabilities."""
        ...


@dataclass
class Predicted:
    """The arcs of a batch, sorted by (sentence, dependent, head), with what is known of each."""

    sizes: IntArray
    starts: Longs
    heads: IntArray
    dependents: IntArray
    relations: Longs
    """The number of each arc's relation; -1 where it has none."""
    probabilities: Floats
    """The probability of arc and relation together."""
    arc_probabilities: Floats
    """The probability of the arc alone: what the threshold is compared with."""
    repairs: Longs
    """Of each sentence: repairs that its labels needed, over all encodings."""
    scores: Floats
    """Of each sentence: the mean log-probability of its labels."""
    tag_ids: list[Longs]
    """The predicted label numbers of each encoding, for tagging accuracy."""

    def keep(self, kept: npt.NDArray[np.bool_]) -> Predicted:
        """Without the arcs that are not marked."""
        counts = np.add.reduceat(np.append(kept, False).astype(np.int64), self.starts[:-1]) if len(self.sizes) else kept
        counts = np.where(np.diff(self.starts) == 0, 0, counts)
        return Predicted(
            self.sizes, offsets_of(counts), self.heads[kept], self.dependents[kept], self.relations[kept],
            self.probabilities[kept], self.arc_probabilities[kept], self.repairs, self.scores, self.tag_ids,
        )  # fmt: skip


def predict(
    config: ModelConfig, encodings: Sequence[Encoding], backend: Backend, arrays: Arrays, threshold: float
) -> Predicted:
    """Ask a network for the graphs of a batch; arcs of lower probability than the threshold are dropped."""
    state = backend.read(arrays)
    sizes = arrays["lengths"].astype(np.int32)
    first = offsets_of(sizes)[:-1]
    if config.biaffine:
        found = _searched(backend, state, sizes, first, threshold)
    else:
        found = _proposed(config, encodings, backend, state, sizes, first)
    if config.verify and not config.biaffine:
        probable = backend.verify(state, *_nodes(found, first))
        found.arc_probabilities = found.probabilities = probable
        found = found.keep(probable >= threshold)
    return _with_relations(config, backend, state, found, first)


def _nodes(found: Predicted, first: Longs) -> tuple[Longs, Longs]:
    """Heads and dependents as node numbers of the batch: 0 is the root."""
    offset = np.repeat(first, np.diff(found.starts))
    return np.where(found.heads > 0, found.heads + offset, 0).astype(np.int64), found.dependents + offset


def _searched(backend: Backend, state: Any, sizes: IntArray, first: Longs, threshold: float) -> Predicted:
    heads, dependents, probable = backend.search(state, threshold)
    owner = np.searchsorted(first, dependents - 1, side="right") - 1
    # empty sentences share their start with the next one; the last of them is the owner
    local = np.where(heads > 0, heads - first[owner], 0).astype(np.int32)
    starts = offsets_of(np.bincount(owner, minlength=len(sizes)))
    none = np.zeros(len(sizes), dtype=np.int64)
    return Predicted(
        sizes, starts, local, (dependents - first[owner]).astype(np.int32), np.zeros(len(local), np.int64),
        probable, probable, none, none.astype(np.float32), [],
    )  # fmt: skip


def _proposed(
    config: ModelConfig, encodings: Sequence[Encoding], backend: Backend, state: Any, sizes: IntArray, first: Longs
) -> Predicted:
    """The arcs that the labels stand for: their union, or those that most encodings agree on."""
    answers = backend.tags(state)
    words, heads, probable, tag_ids = [], [], [], []
    repairs = np.zeros(len(sizes), dtype=np.int64)
    scores = np.zeros(len(sizes), dtype=np.float32)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    for chosen, space, (ids, confidence) in zip(encodings, config.spaces, answers, strict=True):
        decoded = chosen.decode_all(space.labels(ids, sizes))
        repairs += decoded.repairs
        offset = np.repeat(first, np.diff(decoded.arcs.starts))
        word = decoded.arcs.dependents + offset - 1
        words.append(word)
        heads.append(decoded.arcs.heads)
        head = np.where(decoded.arcs.heads > 0, decoded.arcs.heads + offset - 1, word)
        probable.append(np.minimum(confidence[word], confidence[head]))  # both labels must be right
        scores += np.bincount(owner, np.log(np.maximum(confidence, 1e-30)), len(sizes)).astype(np.float32)
        tag_ids.append(ids)
    scores /= np.maximum(sizes, 1) * max(len(encodings), 1)
    word, head = np.concatenate(words), np.concatenate(heads)
    starts, out_heads, out_dependents = sorted_arcs(sizes, word, head, np.zeros_like(repairs))
    width = int(sizes.max(initial=0)) + 1
    key = word * width + head
    place = np.searchsorted((np.repeat(first, np.diff(starts)) + out_dependents - 1) * width + out_heads, key)
    certain = np.zeros(len(out_heads), dtype=np.float32)
    np.maximum.at(certain, place, np.concatenate(probable))
    none = np.zeros(len(out_heads), dtype=np.int64)
    found = Predicted(
        sizes, starts, out_heads, out_dependents, none, certain, certain, repairs, scores, tag_ids
    )  # fmt: skip
    if config.combine == "vote" and len(encodings) > 1:
        votes = np.bincount(place, minlength=len(out_heads))
        found = found.keep(2 * votes > len(encodings))
    return found


def _with_relations(config: ModelConfig, backend: Backend, state: Any, found: Predicted, first: Longs) -> Predicted:
    """Name the relation of each arc; null arcs go."""
    if not len(found.heads):
        return found
    heads, dependents = _nodes(found, first)
    if config.relation_head == "tuple":
        numbers, probable = backend.tuples(state)
        found.relations = _from_tuples(config, numbers, dependents - 1)
        probable = probable[dependents - 1]
    else:
        found.relations, probable = backend.relations(state, heads, dependents)
    found.probabilities = found.arc_probabilities * probable
    if NULL in config.relations:
        found = found.keep(found.relations != config.relations.index(NULL))
    return found


def _from_tuples(config: ModelConfig, numbers: Longs, words: Longs) -> Longs:
    """Give the arcs of each word its relations in order; the last one serves again if there are too few."""
    rank = np.arange(len(words)) - np.searchsorted(words, words)  # arcs are sorted by word
    relations = np.zeros(len(words), dtype=np.int64)
    for i, (word, r) in enumerate(zip(words.tolist(), rank.tolist(), strict=True)):
        names = config.tuples[numbers[word]]
        relations[i] = names[min(r, len(names) - 1)] if names else 0
    return relations
