"""`ArcScorer`: how likely there is an arc between two words."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from arctag.backends.torch.heads.layers import feed_forward, of_words, with_one
from arctag.backends.torch.layers import Tensors, pad


class ArcScorer(nn.Module):
    """A biaffine form of head and dependent, for all pairs or for given ones."""

    def __init__(self, input_size: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.head = feed_forward(input_size, hidden, dropout)
        self.dependent = feed_forward(input_size, hidden, dropout)
        self.weight = nn.Parameter(torch.zeros(hidden + 1, hidden + 1))
        nn.init.normal_(self.weight, std=1 / (hidden + 1))

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """Scores [arcs] of given arcs: linear in their number."""
        left = of_words(self._left, nodes, dependents)
        right = with_one(of_words(self.head, nodes, heads))
        return (left * right).sum(-1)

    def all_pairs(self, nodes: Tensor, inputs: Tensors) -> tuple[Tensor, Tensor]:
        """Scores [sentences, dependents, heads] of every pair (head 0 is the root), and what is no padding."""
        left = pad(self._left(nodes[1:]), inputs)
        right = pad(self.head(nodes[1:]), inputs)
        root = self.head(nodes[:1]).expand(len(right), 1, -1)
        right = with_one(torch.cat([root, right], dim=1))
        lengths = inputs["lengths"].to(nodes.device, non_blocking=True)[:, None]
        heads = torch.arange(right.shape[1], device=nodes.device)[None, :] <= lengths
        mask = heads[:, 1:, None] & heads[:, None, :]
        return left @ right.transpose(1, 2), mask

    def _left(self, dependents: Tensor) -> Tensor:
        return with_one(self.dependent(dependents)) @ self.weight
