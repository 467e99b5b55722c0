"""Arcs that no label proposes: those from the tops of a sentence, and those that keep guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from arctag.encodings import Arcs
from arctag.encodings.labels import offsets_of
from arctag.graph import IntArray
from arctag.layers.predicted import ROOT, Predicted
from arctag.layers.proposals import named, verified
from arctag.layers.types import Longs
from arctag.transforms.completion import completed

if TYPE_CHECKING:
    from arctag.layers.arcs import ArcLayer
    from arctag.layers.base import Question


def with_tops(layer: ArcLayer, question: Question, predicted: Predicted, most: int) -> Predicted:
    """The proposed arcs, and arcs to every word from those that are most likely below the root, so many a sentence.

    Most long arcs that no label proposes come from there. Scores of different words are not made to be compared;
    those of the root are good enough for it.
    """
    sizes, first = predicted.sizes, offsets_of(predicted.sizes)[:-1]
    words = np.arange(int(sizes.sum()))
    with question.timer("network"):
        scores = question.answers.verify(layer.name, np.zeros_like(words), words + 1)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((-scores, owner))
    tops = order[words - first[owner] < most]  # the order is by sentence, as the words are
    counts = sizes[owner[tops]]
    ends = offsets_of(counts)
    dependents = np.arange(ends[-1]) - np.repeat(ends[:-1] - first[owner[tops]], counts)
    heads = np.repeat(tops - first[owner[tops]] + 1, counts).astype(np.int32)
    others = dependents != np.repeat(tops, counts)
    return predicted.with_arcs(dependents[others], heads[others])


def complete(
    layer: ArcLayer, question: Question, proposed: Predicted, kept: npt.NDArray[np.bool_], names: Sequence[str]
) -> Predicted:
    """The arcs that are kept, and the best ones besides that it takes to keep guarantees."""
    found = proposed.keep(kept)
    with question.timer("decoding"):
        probable = proposed.arc_probabilities
        more, extra = completed(found.arcs.arcs, proposed.arcs.arcs, probable, proposed.tree, names)
    added = np.diff(offsets_of(more)[proposed.starts]) + np.diff(extra.starts)
    found = proposed.keep(kept | more)
    if len(extra.heads):
        found = _joined(layer, question, found, extra)
    return replace(found, added=added)


def _joined(layer: ArcLayer, question: Question, found: Predicted, extra: Arcs) -> Predicted:
    """With arcs that nothing had proposed."""
    new = found.unscored(extra.starts, extra.heads, extra.dependents)
    new = verified(layer, question, replace(new, relations=_usual(layer, extra.heads)))
    if layer.weights:  # the others have their relations by now
        new = named(layer, question, new)
    owners = [np.repeat(np.arange(len(found.sizes)), np.diff(some.starts)) for some in (found, new)]
    owner = np.concatenate(owners)
    columns = ("heads", "dependents", "relations", "probabilities", "arc_probabilities", "arc_scores")
    joined: dict[str, Any] = {name: np.concatenate([getattr(found, name), getattr(new, name)]) for name in columns}
    order = np.lexsort((joined["heads"], joined["dependents"], owner))
    starts = offsets_of(np.bincount(owner, minlength=len(found.sizes)))
    sorted_columns: dict[str, Any] = {name: column[order] for name, column in joined.items()}
    return replace(found, starts=starts, names=layer.relations, **sorted_columns)


def _usual(layer: ArcLayer, heads: IntArray) -> Longs:
    """The relation of arcs that nothing had proposed: `root` or `dep`, if the layer knows them, else its first."""
    root, dep = (layer.relations.index(names) if names in layer.relations else 0 for names in (ROOT, ("dep",)))
    return np.where(heads == 0, root, dep)
