"""Encoders: the arrays of a batch in, one vector per word out. A new one is a file and a line in `ENCODERS`.

An encoder is a module with `output_size` whose `forward(inputs)` gives [words, output_size] for the
words of the batch, one sentence after another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import nn

from arctag.errors import UnknownName
from arctag.model.encoders.bilstm import BiLSTM
from arctag.model.encoders.lookup import Lookup
from arctag.model.encoders.transformer import Transformer

ENCODERS: dict[str, Callable[..., nn.Module]] = {"lookup": Lookup, "bilstm": BiLSTM, "transformer": Transformer}


def output_size(encoder: nn.Module) -> int:
    """The size of the vectors an encoder gives."""
    size = encoder.output_size
    assert isinstance(size, int)
    return size


def build_encoder(kind: str, options: dict[str, Any]) -> nn.Module:
    """The encoder of that kind, freshly initialised."""
    if kind not in ENCODERS:
        raise UnknownName("encoder", kind, ENCODERS)
    return ENCODERS[kind](**options)
