"""Evidence for arcs: all that a network says of them, and how it is weighed.

An arc scorer says how likely an arc is. Labels say something of it, too: how many label sequences propose it, whether
the best one does, and how certain the labels of its two words are. In graphs, so do the probability of its relation and
the other arcs of its word. Weights for all this are fitted to development files when a model is trained; without
weights the arc scorer decides alone.
"""

from __future__ import annotations

import numpy as np

from arctag.graph import BoolArray
from arctag.layers.odds import sigmoid
from arctag.layers.predicted import Predicted
from arctag.layers.types import Floats, Longs

OF_TREES = ("score", "sequences", "best", "best, head's label", "best, dependent's label")
"""What speaks for an arc of a tree; of the arcs of a word, one is right."""
OF_GRAPHS = (
    "score", "sequences", "best", "head's label", "dependent's label", "relation", "certain relation", "first",
    "score of first", "rival", "rival of first", "rivals", "constant",
)  # fmt: skip
"""What speaks for an arc of a graph; it is right, with its relation, or not."""
_MOST = 30.0  # a score beyond it says no more
_LEAST = 1e-9  # a probability of which the logarithm is taken
_CERTAIN = 0.9


def scorer_alone(names: tuple[str, ...]) -> tuple[float, ...]:
    """The weights with which the arc scorer decides alone."""
    return tuple(float(name == "score") for name in names)


def of_tree(predicted: Predicted) -> Floats:
    """[arcs, evidence]: what speaks for each arc of a tree."""
    votes, best, head, dependent = _of_labels(predicted)
    return np.stack([_clipped(predicted.arc_scores), np.log1p(votes), best, best * head, best * dependent], axis=1)


def of_graph(predicted: Predicted, named: Floats) -> Floats:
    """[arcs, evidence]: what speaks for each arc of a graph; its relation has the probability `named`."""
    votes, best, head, dependent = _of_labels(predicted)
    score, relation = _clipped(predicted.arc_scores), _log(named)
    first, rival, rivals = _among_arcs_of_word(score, predicted.word_starts)
    columns = [
        score, np.log1p(votes), best, head, dependent, relation, relation * (named > _CERTAIN), first,
        first * score, rival, first * rival, rivals, np.ones_like(score),
    ]  # fmt: skip
    return np.stack(columns, axis=1)


def _clipped(scores: Floats) -> Floats:
    return np.clip(scores, -_MOST, _MOST)


def _log(probabilities: Floats) -> Floats:
    return np.log(np.maximum(probabilities, np.float32(_LEAST)))


def _of_labels(predicted: Predicted) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each arc: how many label sequences propose it, whether the best ones do, log-probabilities of its labels."""
    votes, best = np.zeros(len(predicted.heads), np.float32), np.zeros(len(predicted.heads), np.bool_)
    heads, dependents = predicted.nodes
    certain = np.zeros(int(predicted.sizes.sum()) + 1, np.float32)  # the root has no label to be wrong
    for proposal in predicted.proposals:
        counts, first = proposal.counted(predicted)
        votes += counts
        best |= first
        certain[1:] += _log(proposal.probability) / len(predicted.proposals)
    return votes, best.astype(np.float32), certain[heads], certain[dependents]


def _among_arcs_of_word(scores: Floats, starts: Longs) -> tuple[Floats, Floats, Floats]:
    """Of each arc: whether it has the highest score of its word's, the highest of the others, their number.

    The number is that which their probabilities add up to. An arc without others has the lowest score for a rival.
    """
    if not len(scores):
        return scores, scores, scores
    sizes = np.diff(starts, append=len(scores))
    groups = np.repeat(np.arange(len(starts)), sizes)
    order = np.lexsort((-scores, groups))
    first: BoolArray = np.zeros(len(scores), np.bool_)
    first[order[starts]] = True
    seconds = np.full(len(starts), -_MOST, np.float32)
    several = np.flatnonzero(sizes > 1)
    seconds[several] = scores[order[starts[several] + 1]]
    rival = np.where(first, seconds[groups], scores[order[starts]][groups])
    probable = sigmoid(scores)
    rivals = np.add.reduceat(probable, starts)[groups] - probable
    return first.astype(np.float32), rival, rivals


def weighed(evidence: Floats, weights: tuple[float, ...]) -> Floats:
    """The score of each arc by all evidence."""
    return evidence @ np.asarray(weights, np.float32)
