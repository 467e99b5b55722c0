"""`Tagger`: an encoder and the heads of all layers, composed as the config says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from arctag.backends.torch.encoders import ENCODERS
from arctag.backends.torch.layers import SharedDropout, Tensors, WordLSTM
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.lazy import Lazy, look_up

if TYPE_CHECKING:
    from arctag.backends.torch.heads.base import LayerHead


class Tagger(nn.Module):
    """The whole network. `nodes` reads a batch once; the heads work on what it gives."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        encoder = look_up("encoder", config.encoder, ENCODERS).load_class()
        self.encoder = encoder(**config.encoder_options)
        size = self.encoder.output_size
        self.context = None
        if config.context_layers:
            self.context = WordLSTM(size, config.context_size, config.context_layers, config.dropout)
            size = self.context.output_size
        self.dropout = SharedDropout(config.dropout)
        self.root = nn.Parameter(torch.empty(1, size).normal_(std=size**-0.5))
        self.size = size
        kinds: list[Lazy[LayerHead]] = [Lazy(layer.network) for layer in config.networks]
        self.heads = nn.ModuleList(
            kind.load_class()(size, layer, config.dropout) for kind, layer in zip(kinds, config.networks, strict=True)
        )
        self._names = [layer.name for layer in config.networks]

    def head(self, layer: str) -> LayerHead:
        """The head of a layer."""
        head: LayerHead = self.heads[self._names.index(layer)]  # type: ignore[assignment]
        return head

    def nodes(self, inputs: Tensors) -> Tensor:
        """[1 + words, d]: the root's vector, then those of the words of the batch."""
        words = self.encoder(inputs)
        if self.context is not None:
            words = self.context(words, inputs)
        return torch.cat([self.root.to(words.dtype), self.dropout(words, inputs)])

    def losses(self, inputs: Tensors, targets: Mapping[str, Tensors]) -> dict[str, dict[str, Tensor]]:
        """The losses of each layer that has targets, part by part."""
        nodes = self.nodes(inputs)
        return {layer: self.head(layer).losses(nodes, inputs, wanted) for layer, wanted in targets.items()}
