"""A trained network written as ONNX files, for `arctag.backends.onnx` to run without torch.

    encoder.onnx     subwords → their vectors (pretrained encoders only)
    words.onnx       words, or those vectors → labels of every word, and its vectors as a head and as a dependent
    relations.onnx   arcs → relations

No sentence sees padding, and no number depends on the other sentences of a batch. Encoders and relation heads export
themselves (`Encoder.export`, `RelationHead.export_tables`); what they need for it is here.
"""

from __future__ import annotations

from arctag.errors import InputError


def cannot_export(what: str, reason: str) -> InputError:
    """The error for a part of a network that has no ONNX version."""
    return InputError(f"{what} cannot be exported: {reason}; the model runs with torch only")
