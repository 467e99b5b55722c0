"""The paper's relation head: a feed-forward network over the vectors of head and dependent, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor, nn

from arctag.backends.torch.heads.layers import SLOPE, of_words
from arctag.backends.torch.heads.relations import RelationHead

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense


class ConcatHead(RelationHead):
    """W [h; d] is split into W_h h + W_d d, so that each word is multiplied once, not once an arc."""

    def __init__(self, input_size: int, relations: int, hidden: int, dropout: float) -> None:
        super().__init__(input_size, relations, hidden, dropout)
        self.head = nn.Linear(input_size, hidden)
        self.dependent = nn.Linear(input_size, hidden, bias=False)
        self.after = nn.Sequential(nn.LeakyReLU(SLOPE), nn.Dropout(dropout), nn.Linear(hidden, relations))

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """[arcs, relations]."""
        scores: Tensor = self.after(of_words(self.head, nodes, heads) + of_words(self.dependent, nodes, dependents))
        return scores

    def export_tables(self, dense: Dense, nodes: str) -> tuple[str, str]:
        """The two halves of the product."""
        from arctag.backends.torch.export.layers import linear

        return linear(dense, nodes, self.head), linear(dense, nodes, self.dependent)

    def export_scores(self, dense: Dense, heads: str, dependents: str) -> str:
        """Their sum, and the layers after it."""
        from arctag.backends.torch.export.layers import scores

        rows = dense.graph.add("LeakyRelu", dense.graph.add("Add", heads, dependents), alpha=SLOPE)
        return scores(dense, [rows], self.after[-1])
