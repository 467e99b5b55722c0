"""`Tagger`: an encoder, tag heads, a relation head and an arc scorer, composed as the config says."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from arctag.backends.torch.encoders import build_encoder, output_size
from arctag.backends.torch.heads import RELATION_HEADS, ArcScorer, TagHead
from arctag.backends.torch.layers import Inputs, SharedDropout, WordLSTM
from arctag.backends.torch.losses import Answers
from arctag.modelfile.config import ModelConfig


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

    def answers(self, inputs: Inputs, targets: dict[str, Tensor]) -> Answers:
        """What the heads say of a training batch: of every word, of the gold arcs, of every pair."""
        nodes = self.nodes(inputs)
        tags = [head(nodes[1:]) for head in self.tags]
        if self.tuples is not None:
            relations = self.tuples(nodes[1:])[0]
        else:
            assert self.relations is not None
            relations = self.relations(nodes, targets["heads"], targets["dependents"])
        arcs, pairs = self.arcs.all_pairs(nodes, inputs) if self.arcs is not None else (None, None)
        return Answers(len(nodes) - 1, tags, relations, arcs, pairs)
