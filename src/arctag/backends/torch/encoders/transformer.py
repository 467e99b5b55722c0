"""Any Hugging Face encoder: pieces in, one vector per word out."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

_LEFT_OUT = (
    "auto_map", "attn_implementation", "_attn_implementation",  # could load code from elsewhere
    "num_labels", "id2label", "label2id",  # grow without weights that show it
    "dtype", "torch_dtype",  # here all is in single precision
)  # fmt: skip


class Transformer(nn.Module):
    """A pretrained encoder; a word's vector is that of its first piece, or the mean of its pieces."""

    def __init__(self, config: dict[str, Any], pooling: str = "first") -> None:
        super().__init__()
        from transformers import AutoConfig, AutoModel

        options = {key: value for key, value in config.items() if key not in _LEFT_OUT}
        make: Any = AutoModel.from_config
        self.model = make(AutoConfig.for_model(options.pop("model_type"), **options), trust_remote_code=False)
        self.pooling = pooling
        self.output_size = int(self.model.config.hidden_size)

    def forward(self, inputs: dict[str, Tensor]) -> Tensor:
        """[words, hidden_size]."""
        states = self.model(input_ids=inputs["pieces"], attention_mask=inputs["mask"]).last_hidden_state
        flat: Tensor = states.reshape(-1, states.shape[-1])
        if self.pooling == "first":
            return flat.index_select(0, inputs["first"])  # no piece twice: exact
        lengths = inputs["last"] - inputs["first"] + 1
        starts = torch.cumsum(lengths, 0) - lengths
        owner = torch.repeat_interleave(torch.arange(len(lengths), device=flat.device), lengths)
        pieces = inputs["first"][owner] + torch.arange(len(owner), device=flat.device) - starts[owner]
        total = flat.new_zeros(len(lengths), flat.shape[-1]).index_add_(0, owner, flat[pieces])
        return total / lengths[:, None]
