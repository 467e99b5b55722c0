"""A relation head that predicts the relations of a word's arcs as one tag: a tuple of relations seen in training."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import torch
from torch import Tensor

from arctag.backends.onnx.file import TUPLE_ANSWERS
from arctag.backends.torch.heads.relations import RelationHead
from arctag.backends.torch.heads.tags import TagHead
from arctag.layers.arcs import ArcLayer
from arctag.layers.tuples import RelationTuples

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense
    from arctag.backends.torch.export.graph import Shape

_WORDS_AT_A_TIME = 1 << 16


class TupleHead(RelationHead):
    """A tag head whose labels are tuples."""

    by_word: ClassVar[bool] = True

    def __init__(self, input_size: int, tuples: RelationTuples, hidden: int, dropout: float) -> None:
        super().__init__(input_size, len(tuples.lengths), hidden, dropout)
        self.tags = TagHead(input_size, (len(tuples.lengths),), hidden, dropout)
        self.tuples = tuples

    @classmethod
    def build(cls, input_size: int, layer: ArcLayer, dropout: float) -> Self:
        """With the tuples of the layer."""
        return cls(input_size, RelationTuples.of(layer.tuples), layer.relation_hidden, dropout)

    def forward(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> Tensor:  # noqa: ARG002
        """[words, tuples]."""
        scores: Tensor = self.tags(nodes[1:])[0]
        return scores

    def best(self, nodes: Tensor, heads: Tensor, dependents: Tensor) -> tuple[Tensor, Tensor]:  # noqa: ARG002
        """The relations of each word's tuple, given to its arcs in order."""
        scores = (self.tags(words)[0] for words in torch.split(nodes[1:], _WORDS_AT_A_TIME))
        best = [some.float().softmax(-1).max(-1) for some in scores]
        words = dependents - 1
        numbers = torch.cat([some.indices for some in best]).numpy(force=True)
        relations = torch.from_numpy(self.tuples.relations(numbers, words.numpy(force=True)))
        return relations, torch.cat([some.values for some in best])[words]

    def export_words(self, dense: Dense, nodes: str, layer: ArcLayer) -> dict[str, Shape]:  # noqa: ARG002
        """The tag head in ONNX."""
        from arctag.backends.torch.export.heads import tags

        return tags(dense, nodes, self.tags, TUPLE_ANSWERS)

    def export_arcs(self, precision: type[Dense], layer: ArcLayer) -> None:  # noqa: ARG002
        """Words are all it takes."""
        return
