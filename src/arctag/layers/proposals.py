"""From predicted labels to labelled arcs: decode, join the proposals, verify, name the relations.

All sentences of a batch are handled at once in flat arrays; linear in words and arcs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from arctag.blocks.forms import Forms
from arctag.encodings.labels import offsets_of
from arctag.encodings.sorting import sorted_arcs
from arctag.encodings.upos import tag_numbers
from arctag.graph import IntArray
from arctag.layers.alternatives import label_sequences
from arctag.layers.answers import Tags
from arctag.layers.predicted import NULL, ROOT, Predicted, Proposal
from arctag.layers.settings import TAG_LAYER
from arctag.layers.types import Floats, Longs

if TYPE_CHECKING:
    from arctag.layers.arcs import ArcLayer
    from arctag.layers.base import Question


def propose(layer: ArcLayer, question: Question) -> Predicted:
    """The arcs that the labels of a batch stand for; the baseline has none, and searches all pairs of words."""
    if layer.biaffine:
        with question.timer("network"):
            return _searched(question, layer)
    with question.timer("network"):
        tags = question.answers.tags(layer.name)
    with question.timer("decoding"):
        return _proposed(layer, tags, question.sizes, _word_tags(layer, question))


def _word_tags(layer: ArcLayer, question: Question) -> IntArray | None:
    """The predicted tag of each word, if labels depend on it."""
    if not layer.needs_tags:
        return None
    cells: Forms = question.proposed[TAG_LAYER].cells
    return tag_numbers(cells.names)[cells.numbers]


def verified(layer: ArcLayer, question: Question, predicted: Predicted) -> Predicted:
    """The proposed arcs with the probabilities that the arc scorer gives them, if there is one."""
    if not layer.verifies:
        return predicted
    with question.timer("network"):
        scores = question.answers.verify(layer.name, *predicted.nodes)
    return scored(layer, replace(predicted, arc_scores=scores))


def scored(layer: ArcLayer, predicted: Predicted) -> Predicted:
    """With the probabilities that follow from the scores of arcs."""
    probable = layer.probabilities(predicted)
    return replace(predicted, arc_probabilities=probable, probabilities=probable)


def named(layer: ArcLayer, question: Question, predicted: Predicted) -> Predicted:
    """Name the relation of each arc; null arcs go."""
    if not len(predicted.heads):
        return predicted
    with question.timer("network"):
        relations, probable = question.answers.relations(layer.name, *predicted.nodes)
    predicted = replace(
        predicted, relations=relations, probabilities=predicted.arc_probabilities * probable, names=layer.relations
    )
    if NULL in layer.relations:
        predicted = predicted.keep(relations != layer.relations.index(NULL))
    return predicted


def with_root(layer: ArcLayer, predicted: Predicted) -> Predicted:
    """`root` is the relation of words below the root, and of no others."""
    if ROOT not in layer.relations or not len(predicted.heads):
        return predicted
    root = layer.relations.index(ROOT)
    other = next((i for i, names in enumerate(layer.relations) if names not in (ROOT, NULL)), root)
    relations = np.where(predicted.relations == root, other, predicted.relations)
    return replace(predicted, relations=np.where(predicted.heads == 0, root, relations))


def _searched(question: Question, layer: ArcLayer) -> Predicted:
    heads, dependents, scores = question.answers.search(layer.name, layer.searched(question))
    sizes = question.sizes
    first = offsets_of(sizes)[:-1]
    owner = np.searchsorted(first, dependents - 1, side="right") - 1
    # empty sentences share their start with the next one; the last of them is the owner
    local = np.where(heads > 0, heads - first[owner], 0).astype(np.int32)
    starts = offsets_of(np.bincount(owner, minlength=len(sizes)))
    none = np.zeros(len(sizes), dtype=np.int64)
    return scored(layer, Predicted(
        sizes, starts, local, (dependents - first[owner]).astype(np.int32), np.zeros(len(local), np.int64),
        scores, scores, scores, none, none.astype(np.float32), [],
    ))  # fmt: skip


def _proposed(layer: ArcLayer, answers: list[Tags], sizes: IntArray, word_tags: IntArray | None = None) -> Predicted:
    """The arcs that the labels stand for: their union, or those that most encodings agree on."""
    first = offsets_of(sizes)[:-1]
    proposals, repairs = _decoded(layer, answers, sizes, first, word_tags)
    candidates = [(some.words, some.heads) for some in proposals]
    if layer.verify and layer.nearby:
        candidates.append(_near(sizes, first, layer.nearby))
    words, heads = (np.concatenate(column) for column in zip(*candidates, strict=True))
    starts, heads, dependents = sorted_arcs(sizes, words, heads, np.zeros_like(repairs))  # proposed twice is no fault
    unnamed, unknown = np.zeros(len(heads), dtype=np.int64), np.zeros(len(heads), dtype=np.float32)
    scores, tag_ids = _scores(answers, sizes), [tags.best for tags in answers]
    predicted = Predicted(
        sizes, starts, heads, dependents, unnamed, unknown, unknown, unknown, repairs, scores, tag_ids,
        proposals=proposals,
    )  # fmt: skip
    if layer.combine == "vote" and len(answers) > 1:
        predicted = predicted.keep(_majority(predicted))
    if not layer.verify:  # else the arc scorer knows better
        predicted.arc_probabilities = predicted.probabilities = _confidence(predicted, answers)
        predicted.arc_scores = np.log(np.maximum(predicted.arc_probabilities, np.float32(1e-30)))
    return predicted


def _decoded(
    layer: ArcLayer, answers: list[Tags], sizes: IntArray, first: Longs, word_tags: IntArray | None
) -> tuple[list[Proposal], Longs]:
    """The arcs of every label sequence, and the repairs that the best ones needed in each sentence."""
    proposals: list[Proposal] = []
    repairs = np.zeros(len(sizes), dtype=np.int64)
    for chosen, space, tags in zip(layer.decoders, layer.spaces, answers, strict=True):
        doubtful = tags.probability < layer.certain
        most = layer.alternatives if layer.verify else 0
        sentences, ids = label_sequences(tags.best, tags.second, doubtful, sizes, most)
        labels = space.labels(ids, sizes[sentences])
        if word_tags is not None and chosen.needs_tags:
            labels = replace(labels, tags=word_tags.take(_words_of(sentences, first, sizes)))
        decoded = chosen.decode_all(labels)
        repairs += decoded.repairs[: len(sizes)]
        arcs, starts = decoded.arcs, first[sentences] - 1
        words = np.repeat(starts, np.diff(arcs.starts)) + arcs.dependents
        proposals.append(Proposal(words, arcs.heads, int(arcs.starts[len(sizes)]), tags.probability))
    return proposals, repairs


def _words_of(sentences: Longs, first: Longs, sizes: IntArray) -> Longs:
    """The numbers of the words of some sentences, one after another."""
    lengths = sizes[sentences]
    ends = offsets_of(lengths)
    words: Longs = np.repeat(first[sentences] - ends[:-1], lengths) + np.arange(ends[-1])
    return words


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
    heads, dependents = predicted.nodes
    best = np.zeros(len(heads), dtype=np.float32)
    for tags in answers:
        sure = np.append(np.float32(1), tags.probability)  # the root has no label to be wrong
        np.maximum(best, np.minimum(sure[heads], sure[dependents]), out=best)
    return best


def _near(sizes: IntArray, first: Longs, reach: int) -> tuple[Longs, IntArray]:
    """Every pair of words at most so far apart, and every word with the root: what labels may have missed."""
    n = np.repeat(sizes, sizes)
    within = np.arange(len(n)) - np.repeat(first, sizes) + 1
    words, heads = [np.arange(len(n))], [np.zeros(len(n), dtype=np.int32)]
    for distance in (*range(-reach, 0), *range(1, reach + 1)):
        inside = np.flatnonzero((within + distance >= 1) & (within + distance <= n))
        words.append(inside)
        heads.append((within[inside] + distance).astype(np.int32))
    return np.concatenate(words), np.concatenate(heads)


def _majority(predicted: Predicted) -> npt.NDArray[np.bool_]:
    """Which arcs more than half of the encodings propose; the sequences of one encoding count once."""
    proposed = np.stack([some.counted(predicted)[0] > 0 for some in predicted.proposals])
    majority: npt.NDArray[np.bool_] = 2 * proposed.sum(0) > len(proposed)
    return majority
