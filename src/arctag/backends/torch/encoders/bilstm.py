"""A BiLSTM over words, characters and tags."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from arctag.backends.torch.encoders.lookup import Lookup
from arctag.backends.torch.layers import WordLSTM


class BiLSTM(nn.Module):
    """The lookup table's vectors, read in both directions by several layers."""

    def __init__(self, size: int = 400, layers: int = 3, dropout: float = 0.33, **lookup: Any) -> None:
        super().__init__()
        self.lookup = Lookup(dropout=dropout, **lookup)
        self.lstm = WordLSTM(self.lookup.output_size, size, layers, dropout)
        self.output_size = self.lstm.output_size

    def forward(self, inputs: dict[str, Tensor]) -> Tensor:
        """[words, 2 * size]."""
        flat: Tensor = self.lstm(self.lookup(inputs), inputs)
        return flat
