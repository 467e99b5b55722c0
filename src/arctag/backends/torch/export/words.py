"""Encoders that read words, characters and tags, as graphs: the twins of `Lookup` and `BiLSTM`."""

from __future__ import annotations

from typing import Any

from torch import nn

from arctag.backends.torch.encoders.bilstm import BiLSTM
from arctag.backends.torch.encoders.lookup import Lookup
from arctag.backends.torch.export.dense import Dense
from arctag.backends.torch.export.graph import Shape
from arctag.backends.torch.export.heads import numbers
from arctag.backends.torch.export.lstm import Path, Weights, bilstm
from arctag.backends.torch.layers import WordLSTM

WORD_PATHS = Path("forward", "forward_places"), Path("backward", "backward_places")
CHAR_PATHS = Path("chars_forward", "chars_last"), Path("chars_backward", "chars_last")
SHAPES: dict[str, Shape] = {
    "forward": ("steps", "sentences"), "backward": ("steps", "sentences"),
    "forward_places": ("words",), "backward_places": ("words",),
    "chars_forward": ("letters", "types"), "chars_backward": ("letters", "types"), "chars_last": ("types",),
    "words": ("words",), "types": ("words",), "tags": ("words",),
}  # fmt: skip
"""Of every input that holds integers."""


def encode(dense: Dense, encoder: nn.Module) -> str:
    """[words, size] from the inputs of the graph."""
    if isinstance(encoder, Lookup):
        return _lookup(dense, encoder)
    assert isinstance(encoder, BiLSTM)
    return contextual(dense, _lookup(dense, encoder.lookup), encoder.lstm)


def contextual(dense: Dense, rows: str, lstm: WordLSTM) -> str:
    """`WordLSTM`."""
    for layer in lstm.layers:
        rows = bilstm(dense, rows, _weights(layer), WORD_PATHS)
    return rows


def _lookup(dense: Dense, encoder: Lookup) -> str:
    graph = dense.graph
    parts = [dense.table(numbers(encoder.words.weight), "words")]
    if encoder.chars is not None:
        letters = graph.weight(numbers(encoder.chars.table.weight))
        parts.append(graph.add("Gather", bilstm(dense, letters, _weights(encoder.chars.lstm), CHAR_PATHS), "types"))
    if encoder.tags is not None:
        parts.append(dense.table(numbers(encoder.tags.weight), "tags"))
    return graph.add("Concat", *parts, axis=-1)


def _weights(layer: Any) -> tuple[Weights, Weights]:
    """Both directions of one of torch's LSTM layers."""
    return _direction(layer, ""), _direction(layer, "_reverse")


def _direction(layer: Any, end: str) -> Weights:
    inputs, states, bias, more = (
        numbers(getattr(layer, f"{name}_l0{end}")) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    return Weights(inputs, states, bias + more)
