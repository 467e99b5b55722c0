"""A trained network written as ONNX files, for `arctag.backends.onnx` to run without torch.

    encoder.onnx     pieces → their vectors (pretrained encoders only)
    words.onnx       words, or those vectors → labels of every word, and its vectors as a head and as a dependent
    relations.onnx   arcs → relations

No sentence sees padding, and no number depends on the other sentences of a batch.
"""

from arctag.backends.torch.export.exporter import Exporter

__all__ = ["Exporter"]
