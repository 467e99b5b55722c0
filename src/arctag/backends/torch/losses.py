"""Losses against gold annotation: each a mean, over words or arcs."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from arctag.encodings.label_space import UNKNOWN


def tag_loss(groups: list[Tensor], targets: Tensor) -> Tensor:
    """Of the groups of a tag head, summed; targets are [words, groups]."""
    return torch.stack([cross_entropy(group, targets[:, k]) for k, group in enumerate(groups)]).sum()


def cross_entropy(scores: Tensor, targets: Tensor) -> Tensor:
    """Mean over known targets; 0 where there are none (torch would give NaN)."""
    total = F.cross_entropy(scores.float(), targets, ignore_index=UNKNOWN, reduction="sum")
    return total / (targets != UNKNOWN).sum().clamp(min=1)


def arc_loss(scores: Tensor, pairs: Tensor, cells: Tensor, words: int) -> Tensor:
    """For every pair [sentences, dependents, heads], how likely it is an arc; summed over heads, mean over words.

    `pairs` says which pairs there are, `cells` the flat places of those that are arcs.
    """
    gold = torch.zeros_like(scores, dtype=torch.float32)
    gold.view(-1).index_fill_(0, cells, 1.0)
    loss = F.binary_cross_entropy_with_logits(scores.float(), gold, weight=pairs.float(), reduction="sum")
    return loss / max(words, 1)


def head_loss(scores: Tensor, pairs: Tensor, cells: Tensor, words: int) -> Tensor:
    """The same where every word has one head: which of all heads it is; mean over words."""
    chances = F.log_softmax(scores.float().masked_fill(~pairs, -torch.inf), dim=-1)
    return -chances.reshape(-1)[cells].sum() / max(words, 1)
