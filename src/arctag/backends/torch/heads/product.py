"""The default relation head: a biaffine form of low rank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from arctag.backends.torch.heads.layers import feed_forward, of_words
from arctag.backends.torch.heads.relations import RelationHead

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense


class ProductHead(RelationHead):
    """Vectors of head and dependent multiplied cell by cell, beside each of them alone.

    As cheap as the concatenation, and close to the full form, which needs a matrix for each relation.
    """

    def __init__(self, input_size: int, relations: int, hidden: int, dropout: float) -> None:
        super().__init__(input_size, relations, hidden, dropout)
        self.head = feed_forward(input_size, hidden, dropout)
        self.dependent = feed_forward(input_size, hidden, dropout)
        self.out = nn.Linear(3 * hidden, relations)

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """[arcs, relations]."""
        head, dependent = of_words(self.head, nodes, heads), of_words(self.dependent, nodes, dependents)
        scores: Tensor = self.out(torch.cat([head * dependent, head, dependent], dim=-1))
        return scores

    def export_tables(self, dense: Dense, nodes: str) -> tuple[str, str]:
        """The hidden layers."""
        from arctag.backends.torch.export.layers import hidden

        return hidden(dense, nodes, self.head), hidden(dense, nodes, self.dependent)

    def export_scores(self, dense: Dense, heads: str, dependents: str) -> str:
        """Product, head and dependent, each multiplied by its part of the weights."""
        from arctag.backends.torch.export.layers import scores

        return scores(dense, [dense.graph.add("Mul", heads, dependents), heads, dependents], self.out)
