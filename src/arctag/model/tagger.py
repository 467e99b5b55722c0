"""`Tagger`: an encoder, tag heads, a relation head and an arc scorer, composed as the config says."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from arctag.label_space import UNKNOWN
from arctag.model.encoders import build_encoder, output_size
from arctag.model.heads import RELATION_HEADS, ArcScorer, TagHead
from arctag.model.layers import Inputs, SharedDropout, WordLSTM
from arctag.model_config import ModelConfig


class Tagger(nn.Module):
    """The whole network. `nodes` reads a batch once; the heads ask questions of what it gives."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.encoder = build_encoder(config.encoder, config.encoder_options)
        size = output_size(self.encoder)
        self.context = None
        if config.context_layers:
            self.context = WordLSTM(size, config.context_size, config.context_layers, config.dropout)
            size = self.context.output_size
        self.dropout = SharedDropout(config.dropout)
        self.root = nn.Parameter(torch.empty(1, size).normal_(std=size**-0.5))
        self.tags = nn.ModuleList(TagHead(size, s.sizes, config.tag_size, config.dropout) for s in config.spaces)
        self.tuples = self.relations = self.arcs = None
        if config.relation_head == "tuple":
            self.tuples = TagHead(size, (len(config.tuples),), config.tag_size, config.dropout)
        else:
            make = RELATION_HEADS[config.relation_head]
            self.relations = make(size, len(config.relations), config.relation_size, config.dropout)
        if config.arc_scorer or config.biaffine:
            self.arcs = ArcScorer(size, config.arc_size, config.dropout)

    def nodes(self, inputs: Inputs) -> Tensor:
        """[1 + words, d]: the root's vector, then those of the words of the batch."""
        words = self.encoder(inputs)
        if self.context is not None:
            words = self.context(words, inputs)
        return torch.cat([self.root.to(words.dtype), self.dropout(words, inputs)])

    def losses(self, inputs: Inputs, targets: dict[str, Tensor]) -> dict[str, Tensor]:
        """The mean loss of each head; they are to be added up."""
        nodes = self.nodes(inputs)
        losses = {}
        for i, head in enumerate(self.tags):
            groups = head(nodes[1:])
            wanted = targets[f"tags{i}"]
            parts = [_cross_entropy(group, wanted[:, g]) for g, group in enumerate(groups)]
            losses[f"tags{i}"] = torch.stack(parts).sum()
        if self.tuples is not None:
            losses["relations"] = _cross_entropy(self.tuples(nodes[1:])[0], targets["tuples"])
        elif self.relations is not None:
            scores = self.relations(nodes, targets["heads"], targets["dependents"])
            losses["relations"] = _cross_entropy(scores, targets["relations"])
        if self.arcs is not None:
            losses["arcs"] = self._arc_loss(nodes, inputs, targets)
        return losses

    def _arc_loss(self, nodes: Tensor, inputs: Inputs, targets: dict[str, Tensor]) -> Tensor:
        """For every pair, whether it is an arc; summed over a word's possible heads, mean over words."""
        assert self.arcs is not None
        scores, mask = self.arcs.all_pairs(nodes, inputs)
        wanted = torch.zeros_like(scores, dtype=torch.float32)
        wanted.view(-1).index_fill_(0, targets["cells"], 1.0)
        loss = F.binary_cross_entropy_with_logits(scores.float(), wanted, weight=mask.float(), reduction="sum")
        return loss / max(len(nodes) - 1, 1)


def _cross_entropy(scores: Tensor, wanted: Tensor) -> Tensor:
    """Mean over what is known; 0 where nothing is (torch would give NaN)."""
    total = F.cross_entropy(scores.float(), wanted, ignore_index=UNKNOWN, reduction="sum")
    return total / (wanted != UNKNOWN).sum().clamp(min=1)
