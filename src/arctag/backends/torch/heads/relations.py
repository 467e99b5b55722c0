"""`RelationHead`: what all relation heads have in common. An abstract class, since all are torch modules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

import torch
from torch import Tensor, nn

from arctag.backends.torch.export import cannot_export
from arctag.layers.arcs import ArcLayer

if TYPE_CHECKING:
    from onnx import ModelProto

    from arctag.backends.torch.export.dense import Dense
    from arctag.backends.torch.export.graph import Shape

__all__ = ["RelationHead"]

_ARCS_AT_A_TIME = 1 << 16  # a model that knows little may let through every pair of a long sentence


class RelationHead(nn.Module, ABC):
    """Predicts the relation of each arc from the vectors of its two words."""

    by_word: ClassVar[bool] = False
    """Whether it is trained on the relations of each word as one tuple (`ArcLayer.tuples`), not on single arcs."""

    def __init__(self, input_size: int, relations: int, hidden: int, dropout: float) -> None:  # noqa: ARG002
        super().__init__()

    @classmethod
    def build(cls, input_size: int, layer: ArcLayer, dropout: float) -> Self:
        """The head that a layer asks for, freshly initialised."""
        return cls(input_size, len(layer.relations), layer.relation_hidden, dropout)

    @abstractmethod
    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:
        """Scores [arcs, relations] (or [words, tuples], `by_word`) from vectors [nodes, d] and arcs [arcs]."""

    def best(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> tuple[Tensor, Tensor]:
        """The best relation of each arc and its probability; arcs are sorted by dependent."""
        arcs = zip(torch.split(heads, _ARCS_AT_A_TIME), torch.split(dependents, _ARCS_AT_A_TIME), strict=True)
        best = [self(nodes, *some).float().softmax(-1).max(-1) for some in arcs]
        return torch.cat([some.indices for some in best]), torch.cat([some.values for some in best])

    def export_tables(self, dense: Dense, nodes: str) -> tuple[str, str]:  # noqa: ARG002
        """What each node gives to its arcs as a head and as a dependent, in ONNX: [nodes, relation_hidden] each."""
        raise cannot_export(f"the relation head {type(self).__name__}", "it has no ONNX version")

    def export_scores(self, dense: Dense, heads: str, dependents: str) -> str:
        """Scores [arcs, relations] from the rows of both tables for each arc, in ONNX."""
        raise NotImplementedError  # `export_tables` comes first

    def export_words(self, dense: Dense, nodes: str, layer: ArcLayer) -> dict[str, Shape]:
        """Add what is known of words to the network of the layer: its results by name, with their shapes."""
        from arctag.backends.torch.export.relations import export_tables

        return export_tables(self, dense, nodes, layer)

    def export_arcs(self, precision: type[Dense], layer: ArcLayer) -> ModelProto | None:
        """The network of its arcs; None if words are all it takes."""
        from arctag.backends.torch.export.relations import relations_model

        return relations_model(self, precision, layer)
