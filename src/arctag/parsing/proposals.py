"""From predicted labels to labelled arcs: decode, join the proposals, verify, name the relations.

All sentences of a batch are handled at once in flat arrays; linear in words and arcs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arctag.backends.long_sentences import Prepared
from arctag.backends.protocol import Backend, Tags
from arctag.backends.types import Floats, Longs
from arctag.encodings import Arcs, Encoding
from arctag.encodings.labels import offsets_of
from arctag.encodings.sorting import sorted_arcs
from arctag.graph import IntArray
from arctag.modelfile.config import NULL, ModelConfig
from arctag.parsing.alternatives import label_sequences

NO_ENCODING = -1
Timer = Callable[[str], AbstractContextManager[None]]
"""Measures the time of a `with` block, which belongs to the step of that name."""


def untimed(_: str) -> AbstractContextManager[None]:
    """A timer that measures nothing."""
    return nullcontext()


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
    repairs: Longs
    """Of each sentence: repairs that its labels needed, over all encodings."""
    scores: Floats
    """Of each sentence: the mean log-probability of its labels."""
    tag_ids: list[Longs]
    """The predicted label numbers of each encoding, for tagging accuracy."""

    def keep(self, kept: npt.NDArray[np.bool_]) -> Predicted:
        """Without the arcs that are not marked."""
        starts = offsets_of(kept)[self.starts]  # how many are kept before each sentence
        places = np.flatnonzero(kept)
        return Predicted(
            self.sizes, starts, self.heads.take(places), self.dependents.take(places), self.relations.take(places),
            self.probabilities.take(places), self.arc_probabilities.take(places), self.repairs, self.scores,
            self.tag_ids,
        )  # fmt: skip


class Begun(NamedTuple):
    """A batch that a network reads or has read."""

    state: Any
    sizes: IntArray


def begin(backend: Backend, batch: Prepared, timer: Timer = untimed) -> Begun:
    """Let a network read a batch."""
    with timer("network"):
        states = map(backend.read, batch.parts)
        state = backend.join(zip(states, batch.kept, strict=True), batch.lengths) if batch.kept else next(states)
        return Begun(state, batch.lengths.astype(np.int32))


class Proposed(NamedTuple):
    """A batch with the arcs to ask the network about."""

    state: Any
    predicted: Predicted


def propose(
    config: ModelConfig,
    encodings: Sequence[Encoding],
    backend: Backend,
    begun: Begun,
    threshold: float,
    timer: Timer = untimed,
) -> Proposed:
    """The arcs that the labels of a batch stand for; the baseline has none, and searches all pairs of words."""
    state, sizes = begun
    if config.biaffine:
        with timer("network"):
            return Proposed(state, _searched(backend, state, sizes, threshold))
    with timer("network"):
        tags = backend.tags(state)
    with timer("decoding"):
        return Proposed(state, _proposed(config, encodings, tags, sizes))


def conclude(
    config: ModelConfig, backend: Backend, proposed: Proposed, threshold: float, timer: Timer = untimed
) -> Predicted:
    """Verify the proposed arcs and name those whose probability is not below the threshold."""
    state, predicted = proposed
    if config.verify and not config.biaffine:
        with timer("network"):
            probable = backend.verify(state, *_nodes(predicted))
        predicted.arc_probabilities = predicted.probabilities = probable
    if not config.biaffine and threshold > 0:
        predicted = predicted.keep(predicted.arc_probabilities >= threshold)
    with timer("network"):
        return _with_relations(config, backend, state, predicted)


def _nodes(predicted: Predicted) -> tuple[Longs, Longs]:
    """Heads and dependents as node numbers of the batch: 0 is the root."""
    offset = np.repeat(offsets_of(predicted.sizes)[:-1], np.diff(predicted.starts))
    return np.where(predicted.heads > 0, predicted.heads + offset, 0).astype(np.int64), predicted.dependents + offset


def _searched(backend: Backend, state: Any, sizes: IntArray, threshold: float) -> Predicted:
    heads, dependents, probable = backend.search(state, threshold)
    first = offsets_of(sizes)[:-1]
    owner = np.searchsorted(first, dependents - 1, side="right") - 1
    # empty sentences share their start with the next one; the last of them is the owner
    local = np.where(heads > 0, heads - first[owner], 0).astype(np.int32)
    starts = offsets_of(np.bincount(owner, minlength=len(sizes)))
    none = np.zeros(len(sizes), dtype=np.int64)
    return Predicted(
        sizes, starts, local, (dependents - first[owner]).astype(np.int32), np.zeros(len(local), np.int64),
        probable, probable, none, none.astype(np.float32), [],
    )  # fmt: skip


def _proposed(config: ModelConfig, encodings: Sequence[Encoding], answers: list[Tags], sizes: IntArray) -> Predicted:
    """The arcs that the labels stand for: their union, or those that most encodings agree on."""
    first = offsets_of(sizes)[:-1]
    candidates, repairs = _decoded(config, encodings, answers, sizes, first)
    if config.verify and config.nearby:
        candidates.append(_near(sizes, first, config.nearby))
    words, heads = (
        np.concatenate([some.words for some in candidates]),
        np.concatenate([some.heads for some in candidates]),
    )
    starts, heads, dependents = sorted_arcs(sizes, words, heads, np.zeros_like(repairs))  # proposed twice is no fault
    unnamed, unknown = np.zeros(len(heads), dtype=np.int64), np.zeros(len(heads), dtype=np.float32)
    scores, tag_ids = _scores(answers, sizes), [tags.best for tags in answers]
    predicted = Predicted(sizes, starts, heads, dependents, unnamed, unknown, unknown, repairs, scores, tag_ids)
    if config.combine == "vote" and len(encodings) > 1:
        predicted = predicted.keep(_majority(predicted, first, candidates, len(encodings)))
    if not config.verify:  # else the arc scorer knows better
        predicted.arc_probabilities = predicted.probabilities = _confidence(predicted, answers)
    return predicted


def _decoded(
    config: ModelConfig, encodings: Sequence[Encoding], answers: list[Tags], sizes: IntArray, first: Longs
) -> tuple[list[_Candidates], Longs]:
    """The arcs of every label sequence, and the repairs that the best ones needed in each sentence."""
    candidates: list[_Candidates] = []
    repairs = np.zeros(len(sizes), dtype=np.int64)
    for number, (chosen, space, tags) in enumerate(zip(encodings, config.spaces, answers, strict=True)):
        doubtful = tags.probability < config.certain
        most = config.alternatives if config.verify else 0
        sentences, ids = label_sequences(tags.best, tags.second, doubtful, sizes, most)
        decoded = chosen.decode_all(space.labels(ids, sizes[sentences]))
        repairs += decoded.repairs[: len(sizes)]
        candidates.append(_candidates(decoded.arcs, first[sentences], number))
    return candidates, repairs


def _scores(answers: list[Tags], sizes: IntArray) -> Floats:
    """Of each sentence, the mean log-probability of its labels."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    scores = np.zeros(len(sizes), dtype=np.float32)
    for tags in answers:
        scores += np.bincount(owner, np.log(np.maximum(tags.probability, 1e-30)), len(sizes)).astype(np.float32)
    scores /= np.maximum(sizes, 1) * len(answers)
    return scores


def _confidence(predicted: Predicted, answers: list[Tags]) -> Floats:
    """An arc is as probable as the less certain label of its two words, in the encoding that is surest of it."""
    heads, dependents = _nodes(predicted)
    best = np.zeros(len(heads), dtype=np.float32)
    for tags in answers:
        sure = np.append(np.float32(1), tags.probability)  # the root has no label to be wrong
        np.maximum(best, np.minimum(sure[heads], sure[dependents]), out=best)
    return best


class _Candidates(NamedTuple):
    """Arcs that the label sequences of one encoding stand for."""

    words: Longs
    """The dependents, counted from 0 over the batch."""
    heads: IntArray
    encoding: int


def _candidates(arcs: Arcs, first: Longs, encoding: int) -> _Candidates:
    words: Longs = np.repeat(first - 1, np.diff(arcs.starts)) + arcs.dependents
    return _Candidates(words, arcs.heads, encoding)


def _near(sizes: IntArray, first: Longs, reach: int) -> _Candidates:
    """Every pair of words at most so far apart, and every word with the root: what labels may have missed."""
    n = np.repeat(sizes, sizes)
    within = np.arange(len(n)) - np.repeat(first, sizes) + 1
    words, heads = [np.arange(len(n))], [np.zeros(len(n), dtype=np.int32)]
    for distance in (*range(-reach, 0), *range(1, reach + 1)):
        inside = np.flatnonzero((within + distance >= 1) & (within + distance <= n))
        words.append(inside)
        heads.append((within[inside] + distance).astype(np.int32))
    return _Candidates(np.concatenate(words), np.concatenate(heads), NO_ENCODING)


def _majority(
    predicted: Predicted, first: Longs, candidates: list[_Candidates], encodings: int
) -> npt.NDArray[np.bool_]:
    """Which arcs more than half of the encodings propose; the sequences of one encoding count once."""
    width = int(predicted.sizes.max(initial=0)) + 1
    keys = (np.repeat(first - 1, np.diff(predicted.starts)) + predicted.dependents) * width + predicted.heads
    proposed = np.zeros((encodings, len(keys)), dtype=np.bool_)
    for some in candidates:
        if some.encoding == NO_ENCODING:
            continue
        proposed[some.encoding, np.searchsorted(keys, some.words * width + some.heads)] = True
    majority: npt.NDArray[np.bool_] = 2 * proposed.sum(0) > encodings
    return majority


def _with_relations(config: ModelConfig, backend: Backend, state: Any, predicted: Predicted) -> Predicted:
    """Name the relation of each arc; null arcs go."""
    if not len(predicted.heads):
        return predicted
    heads, dependents = _nodes(predicted)
    predicted.relations, probable = backend.relations(state, heads, dependents)
    predicted.probabilities = predicted.arc_probabilities * probable
    if NULL in config.relations:
        predicted = predicted.keep(predicted.relations != config.relations.index(NULL))
    return predicted
