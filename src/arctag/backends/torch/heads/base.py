"""`LayerHead`: the part of a network that predicts one layer. An abstract class, since all are torch modules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

from arctag.backends.torch.export import cannot_export
from arctag.backends.torch.layers import Tensors
from arctag.layers import LearnedLayer

if TYPE_CHECKING:
    from onnx import ModelProto

    from arctag.backends.torch.export.dense import Dense
    from arctag.backends.torch.export.graph import Shape

__all__ = ["LayerHead"]


class LayerHead(nn.Module, ABC):
    """Tag heads, which are asked as soon as a batch is read, and whatever else a layer needs."""

    def __init__(self, input_size: int, layer: Any, dropout: float) -> None:  # noqa: ARG002
        super().__init__()

    @abstractmethod
    def tag_scores(self, nodes: Tensor, inputs: Tensors) -> list[list[Tensor]]:
        """For each tag head and group [words, labels], from vectors [1 + words, d]."""

    @abstractmethod
    def losses(self, nodes: Tensor, inputs: Tensors, targets: Tensors) -> dict[str, Tensor]:
        """The mean loss of each part against the targets of the layer."""

    def export_words(self, dense: Dense, nodes: str, layer: LearnedLayer) -> dict[str, Shape]:  # noqa: ARG002
        """Add what is known of words to the ONNX network of the layer: its results by name, with their shapes."""
        raise cannot_export(f"the head {type(self).__name__}", "it has no ONNX version")

    def export_arcs(self, precision: type[Dense], layer: LearnedLayer) -> ModelProto | None:  # noqa: ARG002
        """The ONNX network for arcs; None if words are all it takes."""
        return None
