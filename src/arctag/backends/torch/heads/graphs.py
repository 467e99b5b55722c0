"""`GraphHead`: the head of a layer of arcs: labels, relations, and an arc scorer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor, nn

from arctag.backends.torch.heads import RELATION_HEADS
from arctag.backends.torch.heads.arcs import ArcScorer
from arctag.backends.torch.heads.base import LayerHead
from arctag.backends.torch.heads.tags import TagHead
from arctag.backends.torch.layers import Tensors
from arctag.backends.torch.losses import arc_loss, cross_entropy, head_loss, tag_loss
from arctag.layers import LearnedLayer
from arctag.layers.arcs import ArcLayer
from arctag.modelfile.lazy import look_up

if TYPE_CHECKING:
    from onnx import ModelProto

    from arctag.backends.torch.export.dense import Dense
    from arctag.backends.torch.export.graph import Shape


class GraphHead(LayerHead):
    """A tag head for each encoding, a relation head, and an arc scorer where arcs are verified or searched for."""

    def __init__(self, input_size: int, layer: ArcLayer, dropout: float) -> None:
        super().__init__(input_size, layer, dropout)
        relation_head = look_up("relation head", layer.relation_head, RELATION_HEADS).load_class()
        self.tags = nn.ModuleList(TagHead(input_size, s.sizes, layer.tag_hidden, dropout) for s in layer.spaces)
        self.relations = relation_head.build(input_size, layer, dropout)
        has_arcs = layer.arc_scorer or layer.biaffine
        self.one_head = layer.one_head
        self.arcs = ArcScorer(input_size, layer.arc_hidden, dropout) if has_arcs else None

    def tag_scores(self, nodes: Tensor, inputs: Tensors) -> list[list[Tensor]]:  # noqa: ARG002
        """For each encoding its groups."""
        return [head(nodes[1:]) for head in self.tags]

    def losses(self, nodes: Tensor, inputs: Tensors, targets: Tensors) -> dict[str, Tensor]:
        """Of the labels of each encoding, of relations, and of all pairs of words."""
        scores = self.tag_scores(nodes, inputs)
        losses = {f"tags{i}": tag_loss(groups, targets[f"tags{i}"]) for i, groups in enumerate(scores)}
        relations = self.relations(nodes, targets["heads"], targets["dependents"])
        losses["relations"] = cross_entropy(relations, targets["tuples" if self.relations.by_word else "relations"])
        if self.arcs is not None:
            loss = head_loss if self.one_head else arc_loss
            losses["arcs"] = loss(*self.arcs.all_pairs(nodes, inputs), targets["cells"], len(nodes) - 1)
        return losses

    def export_words(self, dense: Dense, nodes: str, layer: LearnedLayer) -> dict[str, Shape]:
        """What every part says of words, in ONNX."""
        from arctag.backends.onnx.file import tag_answers
        from arctag.backends.torch.export.heads import arcs, tags

        assert isinstance(layer, ArcLayer)
        outputs: dict[str, Shape] = {}
        for i, head in enumerate(self.tags):
            assert isinstance(head, TagHead)
            outputs |= tags(dense, nodes, head, tag_answers(i))
        outputs |= self.relations.export_words(dense, nodes, layer)
        if self.arcs is not None and (layer.verify or layer.biaffine):
            outputs |= arcs(dense, nodes, self.arcs)
        return outputs

    def export_arcs(self, precision: type[Dense], layer: LearnedLayer) -> ModelProto | None:
        """The relations of arcs, in ONNX."""
        assert isinstance(layer, ArcLayer)
        return self.relations.export_arcs(precision, layer)
