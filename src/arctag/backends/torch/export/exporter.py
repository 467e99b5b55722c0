"""`Exporter`: stands in for a backend when a model folder is saved, and writes ONNX files in place of weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import onnx

from arctag.backends.onnx.file import LARGEST, read_onnx
from arctag.backends.torch.encoders.transformer import Transformer
from arctag.backends.torch.export.dense import PRECISIONS
from arctag.backends.torch.export.networks import relations_model, words_model
from arctag.backends.torch.export.transformer import encoder_model
from arctag.backends.torch.tagger import Tagger
from arctag.errors import InputError, UnknownName
from arctag.modelfile.config import ModelConfig
from arctag.modelfile.folder import ENCODER, RELATIONS, WORDS


class Exporter:
    """A network on the CPU, and the precision it is to be written in: fp32 or int8."""

    def __init__(self, config: ModelConfig, model: Tagger, precision: str) -> None:
        if precision not in PRECISIONS:
            raise UnknownName("precision", precision, PRECISIONS)
        self.config, self.model, self.precision = config, model, precision

    def save(self, folder: Path) -> None:
        """Write the network's files."""
        self.model.eval()
        for name, made in self._models():
            if sum(len(tensor.raw_data) for tensor in made.graph.initializer) > LARGEST:
                raise InputError(f"in {self.precision} this model is too large for ONNX, whose files hold 2 GB at most")
            (folder / name).write_bytes(made.SerializeToString())
            read_onnx(folder / name)  # what would be refused later is better refused now

    def _models(self) -> Iterator[tuple[str, onnx.ModelProto]]:
        precision = PRECISIONS[self.precision]
        if isinstance(self.model.encoder, Transformer):
            yield ENCODER, encoder_model(self.model.encoder, precision)
        yield WORDS, words_model(self.config, self.model, precision)
        if self.model.relations is not None:
            yield RELATIONS, relations_model(self.config, self.model, precision)
