"""A table of word vectors and nothing else: the floor that the paper names."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from arctag.backends.inputs import UNKNOWN
from arctag.backends.torch.layers import CharLSTM


class Lookup(nn.Module):
    """Words, and if asked for characters and tags, each looked up and joined; no context."""

    def __init__(
        self,
        words: int,
        chars: int = 0,
        tags: int = 0,
        word_size: int = 400,
        char_size: int = 30,
        tag_size: int = 100,
        word_dropout: float = 0.1,
        dropout: float = 0.33,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, word_size, padding_idx=0)
        nn.init.normal_(self.words.weight, std=word_size**-0.5)
        self.chars = CharLSTM(chars, char_size, tag_size) if chars else None
        self.tags = nn.Embedding(tags, tag_size) if tags else None
        self.word_dropout = word_dropout
        self.dropout = nn.Dropout(dropout)
        self.output_size = word_size + tag_size * (bool(chars) + bool(tags))

    def forward(self, inputs: dict[str, Tensor]) -> Tensor:
        """[words, output_size]."""
        words = inputs["words"]
        if self.training:  # a known word now and then unknown, so that the unknown word learns too
            words = torch.where(torch.rand(words.shape, device=words.device) < self.word_dropout, UNKNOWN, words)
        parts = [self.words(words)]
        if self.chars is not None:
            parts.append(self.chars(inputs)[inputs["types"]])
        if self.tags is not None:
            parts.append(self.tags(inputs["tags"]))
        return torch.cat([self.dropout(part) for part in parts], dim=-1)
