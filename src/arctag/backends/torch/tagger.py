"""`Tagger`: an encoder, tag heads, a relation head and an arc scorer, composed as the config says."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from arctag.backends.torch.encoders import ENCODERS
from arctag.backends.torch.heads import RELATION_HEADS
from arctag.backends.torch.heads.arcs import ArcScorer
from arctag.backends.torch.heads.tags import TagHead
from arctag.backends.torch.layers import SharedDropout, Tensors, WordLSTM
from arctag.backends.torch.losses import Answers
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.lazy import look_up


class Tagger(nn.Module):
    """The whole network. `nodes` reads a batch once; the heads work on what it gives."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        encoder = look_up("encoder", config.encoder, ENCODERS).load_class()
        relation_head = look_up("relation head", config.relation_head, RELATION_HEADS).load_class()
        self.encoder = encoder(**config.encoder_options)
        size = self.encoder.output_size
        self.context = None
        if config.context_layers:
            self.context = WordLSTM(size, config.context_size, config.context_layers, config.dropout)
            size = self.context.output_size
        self.dropout = SharedDropout(config.dropout)
        self.root = nn.Parameter(torch.empty(1, size).normal_(std=size**-0.5))
        self.tags = nn.ModuleList(TagHead(size, s.sizes, config.tag_hidden, config.dropout) for s in config.spaces)
        self.relations = relation_head.build(size, config)
        has_arcs = config.arc_scorer or config.biaffine
        self.arcs = ArcScorer(size, config.arc_hidden, config.dropout) if has_arcs else None

    def nodes(self, inputs: Tensors) -> Tensor:
        """[1 + words, d]: the root's vector, then those of the words of the batch."""
        words = self.encoder(inputs)
        if self.context is not None:
            words = self.context(words, inputs)
        return torch.cat([self.root.to(words.dtype), self.dropout(words, inputs)])

    def answers(self, inputs: Tensors, targets: dict[str, Tensor]) -> Answers:
        """The answers of the heads about a training batch: every word, the gold arcs, every pair."""
        nodes = self.nodes(inputs)
        tags = [head(nodes[1:]) for head in self.tags]
        relations = self.relations(nodes, targets["heads"], targets["dependents"])
        arcs, pairs = self.arcs.all_pairs(nodes, inputs) if self.arcs is not None else (None, None)
        return Answers(len(nodes) - 1, tags, relations, self.relations.by_word, arcs, pairs)
