"""Encoders: the arrays of a batch in, one vector per word out. A new one is a file and a line in `ENCODERS`.

The table can be read without torch, since a config is read where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arctag.modelfile.lazy import Lazy

if TYPE_CHECKING:
    from arctag.backends.torch.encoders.base import Encoder  # noqa: F401  # in quotes below


__all__ = ["ENCODERS", "TRANSFORMER", "EncoderKind"]


@dataclass(frozen=True)
class EncoderKind(Lazy["Encoder"]):
    """What must be known of an encoder before its class is imported."""

    pretrained: bool = False
    """Whether its weights exist before training: they get a learning rate of their own."""


TRANSFORMER = "transformer"
"""The kind of every encoder whose name is not in the table: a pretrained one, by its name on the hub or its folder."""
ENCODERS: dict[str, EncoderKind] = {
    "lookup": EncoderKind("arctag.backends.torch.encoders.lookup:Lookup"),
    "bilstm": EncoderKind("arctag.backends.torch.encoders.bilstm:BiLSTM"),
    TRANSFORMER: EncoderKind("arctag.backends.torch.encoders.transformer:Transformer", pretrained=True),
}
"""Name → kind."""
