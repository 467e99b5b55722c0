"""`TaggingHead`: the head of a layer of tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from arctag.backends.torch.heads.base import LayerHead
from arctag.backends.torch.heads.layers import SLOPE
from arctag.backends.torch.layers import Tensors
from arctag.backends.torch.losses import tag_loss
from arctag.layers import LearnedLayer
from arctag.layers.tags import TagLayer
from arctag.layers.word_shapes import SHAPES

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense
    from arctag.backends.torch.export.graph import Shape


class TaggingHead(LayerHead):
    """One softmax over tags, from the vector of a word and, if wanted, its shape."""

    def __init__(self, input_size: int, layer: TagLayer, dropout: float) -> None:
        super().__init__(input_size, layer, dropout)
        self.labels = len(layer.tags)
        size = layer.hidden or self.labels
        self.first = nn.Linear(input_size, size)
        # the same as a vector beside the word's, multiplied by weights of its own
        self.shapes = nn.Embedding(len(SHAPES), size) if layer.shapes else None
        if self.shapes is not None:
            nn.init.zeros_(self.shapes.weight)
        self.dropout = nn.Dropout(dropout)
        self.last = nn.Linear(layer.hidden, self.labels) if layer.hidden else None

    def tag_scores(self, nodes: Tensor, inputs: Tensors) -> list[list[Tensor]]:
        """One group."""
        scores: Tensor = self.first(nodes[1:])
        if self.shapes is not None:
            scores = scores + self.shapes(inputs["shapes"])
        if self.last is not None:
            scores = self.last(self.dropout(F.leaky_relu(scores, SLOPE)))
        return [[scores]]

    def losses(self, nodes: Tensor, inputs: Tensors, targets: Tensors) -> dict[str, Tensor]:
        """Cross-entropy."""
        (groups,) = self.tag_scores(nodes, inputs)
        return {"tags": tag_loss(groups, targets["tags0"])}

    def export_words(self, dense: Dense, nodes: str, layer: LearnedLayer) -> dict[str, Shape]:  # noqa: ARG002
        """The head in ONNX."""
        from arctag.backends.onnx.file import tag_answers
        from arctag.backends.torch.export.heads import tagging

        return tagging(dense, nodes, self, tag_answers(0))
