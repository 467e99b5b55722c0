"""Networks: what they read (`inputs`), what they answer (`protocol`), and the two that do it (`onnx`, `torch`)."""

from arctag.backends.inputs import Inputs, Tokens
from arctag.backends.protocol import Backend, Tags

__all__ = ["Backend", "Inputs", "Tags", "Tokens"]
