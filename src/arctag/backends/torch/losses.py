"""What a network answers about a training batch, and the losses against the gold graphs or a teacher's answers."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from arctag.encodings.label_space import UNKNOWN


@dataclass
class Answers:
    """The scores of every head for one batch."""

    words: int
    tags: list[list[Tensor]]
    """For each encoding and group [words, labels]."""
    relations: Tensor
    """[arcs, relations], or [words, tuples] from a head that works `by_word`."""
    by_word: bool
    arcs: Tensor | None
    """[sentences, dependents, heads]: every pair."""
    pairs: Tensor | None
    """Of the same shape: which pairs there are."""


def hard_losses(answers: Answers, targets: dict[str, Tensor]) -> dict[str, Tensor]:
    """The mean loss of each head against the gold graphs."""
    losses = {}
    for i, groups in enumerate(answers.tags):
        gold_tags = targets[f"tags{i}"]
        losses[f"tags{i}"] = torch.stack([_cross_entropy(g, gold_tags[:, k]) for k, g in enumerate(groups)]).sum()
    losses["relations"] = _cross_entropy(answers.relations, targets["tuples" if answers.by_word else "relations"])
    if answers.arcs is not None:
        gold = torch.zeros_like(answers.arcs, dtype=torch.float32)
        gold.view(-1).index_fill_(0, targets["cells"], 1.0)
        losses["arcs"] = _arc_loss(answers, gold)
    return losses


def soft_losses(answers: Answers, teacher: Answers) -> dict[str, Tensor]:
    """The same losses against the probabilities of a teacher."""
    losses = {}
    for i, (groups, taught) in enumerate(zip(answers.tags, teacher.tags, strict=True)):
        parts = [_divergence(g, t) for g, t in zip(groups, taught, strict=True)]
        losses[f"tags{i}"] = torch.stack(parts).sum()
    losses["relations"] = _divergence(answers.relations, teacher.relations)
    if answers.arcs is not None and teacher.arcs is not None:
        losses["arcs"] = _arc_loss(answers, teacher.arcs.float().sigmoid())
    return losses


def _cross_entropy(scores: Tensor, targets: Tensor) -> Tensor:
    """Mean over known targets; 0 where there are none (torch would give NaN)."""
    total = F.cross_entropy(scores.float(), targets, ignore_index=UNKNOWN, reduction="sum")
    return total / (targets != UNKNOWN).sum().clamp(min=1)


def _divergence(scores: Tensor, teacher: Tensor) -> Tensor:
    """Cross-entropy with the teacher's probabilities, mean over words or arcs."""
    if not len(scores):
        return scores.float().sum()
    return F.cross_entropy(scores.float(), teacher.float().softmax(-1))


def _arc_loss(answers: Answers, targets: Tensor) -> Tensor:
    """For every pair, how likely it is an arc; summed over a word's possible heads, mean over words."""
    assert answers.arcs is not None
    assert answers.pairs is not None
    weight = answers.pairs.float()
    loss = F.binary_cross_entropy_with_logits(answers.arcs.float(), targets, weight=weight, reduction="sum")
    return loss / max(answers.words, 1)
