"""The LSTMs against torch's own packing."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from arctag.backends.inputs import Tokens, WordInputs
from arctag.backends.inputs.layout import layout, reading_order
from arctag.backends.torch.backend import to_device
from arctag.backends.torch.layers import CharLSTM, WordLSTM, pad

pytestmark = pytest.mark.usefixtures("one_thread")

CPU = torch.device("cpu")


def packed_by_torch(layer: nn.LSTM, rows: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """[rows, longest, d] → what the layer says of each item, padded, and the last states of both directions."""
    packed = pack_padded_sequence(rows, lengths, batch_first=True, enforce_sorted=False)
    said, (state, _) = layer(packed)
    return pad_packed_sequence(said, batch_first=True)[0], torch.cat([state[0], state[1]], dim=-1)


@pytest.mark.parametrize("sizes", [[3, 1, 4], [1], [2, 2, 2], [1, 5, 5, 2, 9, 1]])
def test_words_are_read_as_torch_packs_them(sizes: list[int]) -> None:
    torch.manual_seed(0)
    lstm = WordLSTM(6, 5, 2, dropout=0.0)
    inputs = to_device(layout(sizes), CPU)
    flat = torch.randn(sum(sizes), 6)
    wanted = flat
    for layer in lstm.layers:
        assert isinstance(layer, nn.LSTM)
        padded, _ = packed_by_torch(layer, pad(wanted, inputs), inputs["lengths"])
        wanted = padded.reshape(-1, 10)[inputs["places"]]
    torch.testing.assert_close(lstm(flat, inputs), wanted)


def test_characters_are_read_as_torch_packs_them() -> None:
    torch.manual_seed(0)
    sentences = [Tokens(["a", "bcd", "", "ab"]), Tokens(["dddd", "a"])]
    words = WordInputs.build(sentences, chars=True, tags=False)
    arrays = words.arrays(sentences)
    lstm = CharLSTM(words.table_sizes()["chars"], 3, 8)
    lengths = torch.from_numpy(arrays["char_lengths"]).clamp(min=1)
    _, wanted = packed_by_torch(lstm.lstm, lstm.table(torch.from_numpy(arrays["chars"])), lengths)
    torch.testing.assert_close(lstm(to_device(arrays, CPU)), wanted)


def test_reading_order_of_nothing() -> None:
    order, steps, rank = reading_order(np.zeros(0, dtype=np.int64))
    assert len(order) == len(steps) == len(rank) == 0
