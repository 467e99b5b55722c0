"""A table of word vectors and nothing else: the floor that the paper names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from arctag.backends.inputs import Tokens, WordInputs
from arctag.backends.inputs.words import UNKNOWN
from arctag.backends.torch.encoders.base import Encoder, Prepared
from arctag.backends.torch.encoders.settings import EncoderSettings
from arctag.backends.torch.encoders.vectors import Vectors, read_vectors
from arctag.backends.torch.layers import CharLSTM, Tensors
from arctag.errors import InputError

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense


class Lookup(Encoder):
    """Words and, if asked for, characters and tags, each looked up and joined; no context."""

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

    @classmethod
    def prepare(cls, settings: EncoderSettings, sentences: Sequence[Tokens]) -> Prepared:
        """Number the words, characters and tags of the sentences; vectors are read from their file."""
        vectors = read_vectors(settings.vectors) if settings.vectors else {}
        inputs = WordInputs.build(
            sentences, chars=settings.chars, tags=settings.tags, min_count=settings.min_word_count, extra=vectors
        )
        names = ("word_size", "char_size", "tag_size", "word_dropout", "dropout")
        options = {**inputs.table_sizes(), **{name: getattr(settings, name) for name in names}}
        return Prepared(inputs, options, partial(_set_vectors, vectors=vectors, inputs=inputs))

    def forward(self, inputs: Tensors) -> Tensor:
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

    def export(self, dense: Dense) -> str:
        """The same in ONNX."""
        parts = [dense.table(self.words.weight.numpy(force=True), "words")]
        if self.chars is not None:
            parts.append(dense.graph.add("Gather", self.chars.export(dense), "types"))
        if self.tags is not None:
            parts.append(dense.table(self.tags.weight.numpy(force=True), "tags"))
        return dense.graph.add("Concat", *parts, axis=-1)


def _set_vectors(encoder: nn.Module, vectors: Vectors, inputs: WordInputs) -> None:
    """Put static vectors into the table of words, wherever in the encoder that is."""
    table = next(part for part in encoder.modules() if isinstance(part, Lookup)).words.weight
    with torch.no_grad():
        for word, numbers in vectors.items():
            if len(numbers) != table.shape[1]:
                raise InputError(f"the vector of {word!r} has {len(numbers)} numbers; set word_size = {len(numbers)}")
            table[inputs.words[word]] = torch.from_numpy(numbers).to(table.device)
