"""Small layers that several modules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

if TYPE_CHECKING:
    from arctag.backends.torch.export.dense import Dense

Tensors = dict[str, Tensor]
"""The arrays of a batch as tensors. `lengths`, `steps` and `char_steps` stay on the CPU, where torch wants them."""


def pad(flat: Tensor, inputs: Tensors) -> Tensor:
    """[words, d] → [sentences, longest, d], zeros where there is no word."""
    sentences, longest = len(inputs["lengths"]), int(inputs["lengths"].max())
    padded = flat.new_zeros(sentences * longest, flat.shape[-1])
    return padded.index_copy(0, inputs["places"], flat).view(sentences, longest, -1)


def unpad(padded: Tensor, inputs: Tensors) -> Tensor:
    """[sentences, longest, d] → [words, d]: for encoders that read padded batches."""
    return padded.reshape(-1, padded.shape[-1]).index_select(0, inputs["places"])  # no place twice: exact


class SharedDropout(nn.Module):
    """Dropout that drops the same dimensions for all words of a sentence."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, flat: Tensor, inputs: Tensors) -> Tensor:
        """[words, d] → [words, d]."""
        if not self.training or self.rate == 0:
            return flat
        mask = flat.new_empty(len(inputs["lengths"]), flat.shape[-1]).bernoulli_(1 - self.rate) / (1 - self.rate)
        return flat * mask[inputs["owner"]]


class WordLSTM(nn.Module):
    """A BiLSTM over the words of each sentence; padding never reaches it.

    The order in which words are read comes with the batch: torch's own packing would take a step on the GPU for each
    word of the longest sentence, several times a layer.
    """

    def __init__(self, input_size: int, size: int, layers: int, dropout: float) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            nn.LSTM(input_size if i == 0 else 2 * size, size, bidirectional=True) for i in range(layers)
        )
        self.dropout = SharedDropout(dropout)
        self.output_size = 2 * size
        for name, weight in self.named_parameters():
            if "weight" in name:
                nn.init.orthogonal_(weight)
            else:
                nn.init.zeros_(weight)

    def forward(self, flat: Tensor, inputs: Tensors) -> Tensor:
        """[words, d] → [words, 2 * size]; no sentence may be empty."""
        for layer in self.layers:
            read = self.dropout(flat, inputs).index_select(0, inputs["read"])  # no word twice: exact
            flat = layer(PackedSequence(read, inputs["steps"]))[0].data.index_select(0, inputs["unread"])
        return flat

    def export(self, dense: Dense, rows: str) -> str:
        """The same in ONNX: [words, 2 * size] from rows [words, d]."""
        from arctag.backends.torch.export.lstm import WORD_PATHS, bilstm

        for layer in self.layers:
            rows = bilstm(dense, rows, layer, WORD_PATHS)
        return rows


class CharLSTM(nn.Module):
    """A word's vector from its characters: the last states of a BiLSTM in both directions."""

    def __init__(self, count: int, size: int, output_size: int) -> None:
        super().__init__()
        self.table = nn.Embedding(count, size, padding_idx=0)
        self.lstm = nn.LSTM(size, output_size // 2, bidirectional=True)

    def forward(self, inputs: Tensors) -> Tensor:
        """[types, output_size]."""
        _, (state, _) = self.lstm(PackedSequence(self.table(inputs["char_read"]), inputs["char_steps"]))
        return torch.cat([state[0], state[1]], dim=-1).index_select(0, inputs["char_rank"])

    def export(self, dense: Dense) -> str:
        """The same in ONNX: [types, output_size]."""
        from arctag.backends.torch.export.lstm import CHAR_PATHS, bilstm

        letters = dense.graph.weight(self.table.weight.numpy(force=True))
        return bilstm(dense, letters, self.lstm, CHAR_PATHS)
