"""Encoders: the arrays of a batch in, one vector per word out. A new one is a file and a line in `ENCODERS`.

An encoder is a module with `output_size` whose `forward(inputs)` gives [words, output_size] for the
words of the batch, one sentence after another. One that reads words is made with the options of
`Lookup`, and with `size` and `layers`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arctag.errors import UnknownName

if TYPE_CHECKING:
    from torch import nn

ENCODERS = {"lookup": "Lookup", "bilstm": "BiLSTM", "transformer": "Transformer"}
"""Name → class in the file of that name. Names alone, since a config is read where there is no torch.

All but `transformer`, which stands for any pretrained one, read words."""


def output_size(encoder: nn.Module) -> int:
    """The size of the vectors an encoder gives."""
    size = encoder.output_size
    assert isinstance(size, int)
    return size


def build_encoder(kind: str, options: dict[str, Any]) -> nn.Module:
    """The encoder of that kind, freshly initialised."""
    if kind not in ENCODERS:
        raise UnknownName("encoder", kind, ENCODERS)
    made: nn.Module = getattr(import_module(f"{__name__}.{kind}"), ENCODERS[kind])(**options)
    return made
