"""A BiLSTM over words, characters and tags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from torch import Tensor

from arctag.backends.inputs import Tokens
from arctag.backends.torch.encoders.base import Encoder, Prepared
from arctag.backends.torch.encoders.lookup import Lookup
from arctag.backends.torch.encoders.settings import EncoderSettings
from arctag.backends.torch.layers import Tensors, WordLSTM

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense


class BiLSTM(Encoder):
    """The lookup table's vectors, read in both directions by several layers."""

    def __init__(self, size: int = 400, layers: int = 3, dropout: float = 0.33, **lookup: Any) -> None:
        super().__init__()
        self.lookup = Lookup(dropout=dropout, **lookup)
        self.lstm = WordLSTM(self.lookup.output_size, size, layers, dropout)
        self.output_size = self.lstm.output_size
        self.summary = f"{layers} × {size}"

    @classmethod
    def prepare(cls, settings: EncoderSettings, sentences: Sequence[Tokens]) -> Prepared:
        """As for the lookup table."""
        return Lookup.prepare(settings, sentences).with_options(size=settings.size, layers=settings.encoder_layers)

    def forward(self, inputs: Tensors) -> Tensor:
        """[words, 2 * size]."""
        flat: Tensor = self.lstm(self.lookup(inputs), inputs)
        return flat

    def export(self, dense: Dense) -> str:
        """The same in ONNX."""
        return self.lstm.export(dense, self.lookup.export(dense))
