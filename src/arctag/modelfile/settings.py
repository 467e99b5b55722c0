"""`NetworkSettings`: what training and `config.json` share of what stands between an encoder and the layers.

`None` means: what suits the other settings. `TrainConfig.resolved` fills it in, and a saved model has a value for
every key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from arctag.layers.settings import Count, Share

Layers = Annotated[int, Meta(ge=0)]


@dataclass(frozen=True, kw_only=True)
class NetworkSettings:
    """What every layer of a model is predicted from."""

    context_layers: Layers | None = None
    """BiLSTM layers between encoder and heads; by default 2 for a pretrained encoder and 0 for others."""
    context_size: Count = 400
    """Units of these layers in each direction."""
    dropout: Share = 0.33
    """Dropout everywhere."""
