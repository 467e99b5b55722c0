"""Any Hugging Face encoder: subwords in, one vector per word out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

import torch
from torch import Tensor

from arctag.backends.inputs import Tokens
from arctag.backends.onnx.file import VECTORS
from arctag.backends.torch.encoders import pretrained
from arctag.backends.torch.encoders.base import Encoder, Prepared
from arctag.backends.torch.encoders.settings import EncoderSettings
from arctag.backends.torch.layers import Tensors

if TYPE_CHECKING:
    from onnx import ModelProto

    from arctag.backends.torch.export.dense import Dense

_LEFT_OUT = (
    "auto_map", "attn_implementation", "_attn_implementation",  # could load code from elsewhere
    "num_labels", "id2label", "label2id",  # grow without weights that show it
    "dtype", "torch_dtype",  # here all is in single precision
)  # fmt: skip


class Transformer(Encoder):
    """A pretrained encoder; a word's vector is that of its first subword, or the mean of its subwords."""

    def __init__(self, config: dict[str, Any], pooling: str = "first") -> None:
        super().__init__()
        from transformers import AutoConfig, AutoModel

        options = {key: value for key, value in config.items() if key not in _LEFT_OUT}
        make: Any = AutoModel.from_config
        self.model = make(AutoConfig.for_model(options.pop("model_type"), **options), trust_remote_code=False)
        self.pooling = pooling
        self.output_size = int(self.model.config.hidden_size)
        self._attention: str = self.model.config._attn_implementation

    def train(self, mode: bool = True) -> Self:
        """Training on processors computes attention step by step: torch's own takes seven times as long backwards."""
        step_by_step = mode and self.model.device.type == "cpu"
        self.model.set_attn_implementation("eager" if step_by_step else self._attention)
        return super().train(mode)

    @classmethod
    def prepare(cls, settings: EncoderSettings, sentences: Sequence[Tokens]) -> Prepared:  # noqa: ARG003
        """The tokenizer and the shape of the encoder, from its folder or the hub; its weights follow in `fill`."""
        inputs, config, files = pretrained.load_shape(
            settings.encoder, settings.window, settings.pooling, settings.encoder_dropout
        )
        options = {"config": config, "pooling": settings.pooling}
        return Prepared(inputs, options, partial(_load_weights, name=settings.encoder), files)

    def forward(self, inputs: Tensors) -> Tensor:
        """[words, hidden_size]."""
        states = self.model(input_ids=inputs["subwords"], attention_mask=inputs["mask"]).last_hidden_state
        flat: Tensor = states.reshape(-1, states.shape[-1])
        if self.pooling == "first":
            return flat.index_select(0, inputs["first"])  # no subword twice: exact
        lengths = inputs["last"] - inputs["first"] + 1
        starts = torch.cumsum(lengths, 0) - lengths
        owner = torch.repeat_interleave(torch.arange(len(lengths), device=flat.device), lengths)
        subwords = inputs["first"][owner] + torch.arange(len(owner), device=flat.device) - starts[owner]
        total = flat.new_zeros(len(lengths), flat.shape[-1]).index_add_(0, owner, flat[subwords])
        return total / lengths[:, None]

    def export(self, dense: Dense) -> str:  # noqa: ARG002
        """What `encoder.onnx` gives, pooled."""
        return VECTORS

    def export_apart(self, precision: type[Dense]) -> ModelProto:
        """As torch's own exporter writes it, then in another precision."""
        from arctag.backends.torch.export.transformer import encoder_model

        return encoder_model(self, precision)


def _load_weights(encoder: Encoder, name: str) -> None:
    assert isinstance(encoder, Transformer)
    encoder.model.load_state_dict(pretrained.load_weights(name), strict=False)
