"""Dozat and Manning's relation head: a bilinear form for each relation, here scored for given arcs only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from arctag.backends.torch.heads.layers import feed_forward, of_words, with_one
from arctag.backends.torch.heads.relations import RelationHead

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense

_ARCS_AT_A_TIME = 1024


class BiaffineHead(RelationHead):
    """A matrix for each relation."""

    def __init__(self, input_size: int, relations: int, hidden: int, dropout: float) -> None:
        super().__init__(input_size, relations, hidden, dropout)
        self.head = feed_forward(input_size, hidden, dropout)
        self.dependent = feed_forward(input_size, hidden, dropout)
        self.weight = nn.Parameter(torch.zeros(relations, hidden + 1, hidden + 1))
        nn.init.normal_(self.weight, std=1 / (hidden + 1))

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """[arcs, relations]."""
        head = with_one(of_words(self.head, nodes, heads))
        dependent = with_one(of_words(self.dependent, nodes, dependents))
        # a matrix for each relation and arc is large: in parsing, a limited number at a time
        chunk = max(1, len(heads) if self.training else _ARCS_AT_A_TIME)
        parts = zip(torch.split(dependent, chunk), torch.split(head, chunk), strict=True)
        return torch.cat([torch.einsum("ax,rxy,ay->ar", d, self.weight, h) for d, h in parts])

    def export_tables(self, dense: Dense, nodes: str) -> tuple[str, str]:
        """The hidden layers."""
        from arctag.backends.torch.export.layers import hidden

        return hidden(dense, nodes, self.head), hidden(dense, nodes, self.dependent)

    def export_scores(self, dense: Dense, heads: str, dependents: str) -> str:
        """The form [relations, hidden + 1, hidden + 1] between the two vectors, each with a constant 1 at its end."""
        from arctag.backends.torch.export.layers import IMPOSSIBLE, padding

        graph, form = dense.graph, self.weight.numpy(force=True)
        relations, size, _ = form.shape
        count = relations + padding(relations)
        wider = np.pad(form.transpose(1, 2, 0), ((0, 0), (0, 0), (0, count - relations)))
        wider[-1, -1, relations:] = IMPOSSIBLE  # [of the dependent, of the head, relations]
        mixed = dense.linear(dependents, wider[:-1].reshape(size - 1, -1), wider[-1].ravel())
        mixed = graph.add("Reshape", mixed, graph.integers(-1, size, count))
        with_constant = graph.add("Pad", heads, graph.integers(0, 0, 0, 1), graph.number(1))
        scores = graph.add("MatMul", graph.add("Unsqueeze", with_constant, graph.integers(1)), mixed)
        return graph.add("Squeeze", scores, graph.integers(1))
