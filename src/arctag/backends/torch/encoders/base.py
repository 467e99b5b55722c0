"""`Encoder`: what all encoders have in common. An abstract class, since all are torch modules."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from torch import Tensor, nn

from arctag.backends.inputs import Inputs, Tokens
from arctag.backends.torch.encoders.settings import EncoderSettings
from arctag.backends.torch.export import cannot_export
from arctag.backends.torch.layers import Tensors

if TYPE_CHECKING:
    from onnx import ModelProto

    from arctag.backends.torch.export.dense import Dense


__all__ = ["Encoder", "Prepared"]


class Prepared(NamedTuple):
    """What a new encoder starts from."""

    inputs: Inputs
    options: dict[str, Any]
    """What its class is called with; saved in `config.json`."""
    fill: Callable[[Encoder], None] = lambda _: None
    """Puts weights that exist already into the new encoder."""
    files: Path | None = None
    """The folder in which the files of the inputs are (`Inputs.files`)."""

    def with_options(self, **more: Any) -> Prepared:
        """The same with more options."""
        return self._replace(options={**self.options, **more})


class Encoder(nn.Module, ABC):
    """The arrays of a batch in, one vector per word out."""

    output_size: int
    """The size of the vectors."""
    summary: str = ""
    """What the model card says of it besides its name."""

    @classmethod
    @abstractmethod
    def prepare(cls, settings: EncoderSettings, sentences: Sequence[Tokens]) -> Prepared:
        """The inputs and options with which an encoder is trained on these sentences."""

    @abstractmethod
    def forward(self, inputs: Tensors) -> Tensor:
        """[words, output_size]: the words of the batch, one sentence after another."""

    def export(self, dense: Dense) -> str:  # noqa: ARG002
        """Add the encoder to the graph of `words.onnx`: the name of its vectors [words, output_size]."""
        raise cannot_export(f"the encoder {type(self).__name__}", "it has no ONNX version")

    def export_apart(self, precision: type[Dense]) -> ModelProto | None:  # noqa: ARG002
        """The network `encoder.onnx`, for encoders that read subwords; `export` then gives the name of its result."""
        return None
